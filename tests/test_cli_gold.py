"""`a2ap gold`, `probe` and `source recheck`, against a platform that really serves."""

import json
import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from builders import QUOTE, SOURCE
from cli_agents import Agent, author, new_agent, written
from cli_runner import Run, a2ap, serving

from a2ap.json_text import read_json
from a2ap.messages.message import read_message
from a2ap.times import format_instant

__all__ = ["a2ap", "author"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Yield the address and the data folder of a platform."""
    data = tmp_path_factory.mktemp("platform")
    with serving(data) as (_, address):
        yield address, data


@pytest.fixture
def node_key(server: tuple[str, Path], monkeypatch: pytest.MonkeyPatch, a2ap: Run) -> Path:
    """Return the node's key file; the platform's address is in A2AP_URL."""
    monkeypatch.setenv("A2AP_URL", server[0])
    return server[1] / "node.key"


@pytest.fixture
def claimed(a2ap: Run, node_key: Path, author: Agent, tmp_path: Path) -> tuple[str, ...]:
    """Register the author and a source of its own; return how a claim about it begins."""
    a2ap("register", "--key", author.key, "--name", "Clerk", "--version", "1", "--publisher", "City")
    file, urn = written(tmp_path / "council.vtt", SOURCE + str(author.seed).encode()), f"urn:doc:test:{author.seed}"
    a2ap("source", "add", file, "--urn", urn, "--key", author.key)
    return ("--key", str(author.key), "--source", str(file), "--urn", urn, "--quote", QUOTE, "--confidence", "0.9")


def test_gold_is_stated_disputed_and_withdrawn(
    a2ap: Run, node_key: Path, author: Agent, claimed: tuple[str, ...], tmp_path: Path
) -> None:
    statement = json.loads(a2ap("claim", f"The limit stays, says {author.seed}.", *claimed, "--json").out)["id"]
    assert a2ap("gold", "list", statement).out == "nothing is known of it\n"

    assert "is log entry" in a2ap("gold", "add", statement, "fail", "--key", node_key, "--reason", "It goes.").out
    assert a2ap("gold", "list", statement).out.startswith("FAIL source-accuracy in force  sha256:")

    other = new_agent(tmp_path)
    a2ap("register", "--key", other.key, "--name", "Reader", "--version", "1", "--publisher", "City")
    a2ap("gold", "dispute", statement, "--key", other.key, "--reason", "It stays.")
    listed = a2ap("gold", "list", statement).out.splitlines()
    assert listed[1].startswith(f"noted  {other.id}: It stays.")

    refused = a2ap("gold", "add", statement, "pass", "--key", author.key, status=1)
    assert "only urn:agent:a2ap-node:" in refused.only_error
    a2ap("gold", "withdraw", statement, "--key", node_key)
    (label,) = json.loads(a2ap("gold", "list", statement, "--json").out)["goldLabels"]
    assert label["standing"] == "WITHDRAWN"
    nothing = a2ap("gold", "withdraw", statement, "--key", node_key, "--criterion", "logical-consistency", status=1)
    assert nothing.only_error.endswith("has no gold label under logical-consistency")


def test_probes_are_committed_to_queued_and_revealed(
    a2ap: Run, node_key: Path, author: Agent, claimed: tuple[str, ...], tmp_path: Path
) -> None:
    document = a2ap("claim", f"The limit goes, says {author.seed}.", *claimed, "--print").out
    file = written(tmp_path / "claim.json", document.encode())
    probes, signed = tmp_path / "probes.json", read_message(document.strip().encode()).envelope

    assert "is log entry" in a2ap("probe", "commit", "fail", file, "--probes", probes, "--key", node_key).out
    assert stat.S_IMODE(probes.stat().st_mode) == 0o600
    assert "reveal" not in a2ap("gold", "list", signed.id, status=1).err

    assert (
        "0 revealed; 0 pending, 1 committed, 0 queued"
        in a2ap("probe", "reveal", "--probes", probes, "--key", node_key).out
    )
    assert (
        "1 queued; 0 pending, 0 committed, 1 queued"
        in a2ap("probe", "queue", "--probes", probes, "--key", author.key).out
    )
    assert a2ap("gold", "list", signed.signed_hash).out == "nothing is known of it\n"
    revealed = json.loads(a2ap("probe", "reveal", "--probes", probes, "--key", node_key, "--json").out)
    assert revealed == {"done": 1, "pending": 0, "committed": 0, "queued": 0, "revealed": 1}
    (label,) = json.loads(a2ap("gold", "list", signed.signed_hash, "--json").out)["goldLabels"]
    assert (label["label"], label["probe"], label["standing"]) == ("FAIL", True, "IN_FORCE")


def test_a_probe_is_submitted_at_the_time_that_it_states(
    a2ap: Run, node_key: Path, author: Agent, claimed: tuple[str, ...], tmp_path: Path
) -> None:
    """A statement that states a time before its commitment would be known as a probe."""
    probes, soon = tmp_path / "probes.json", datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=2)
    files = []
    for number, at in enumerate((soon, datetime(2400, 1, 1, tzinfo=UTC))):
        claim = ("claim", f"Claim {number} of {author.seed}.", *claimed, "--at", format_instant(at))
        assert "--at needs --print" in a2ap(*claim, status=1).only_error
        files.append(written(tmp_path / f"{number}.json", a2ap(*claim, "--print").out.encode()))
    a2ap("probe", "commit", "fail", *files, "--probes", probes, "--key", node_key)

    queue = ("probe", "queue", "--probes", probes, "--key", author.key)
    said = a2ap(*queue, "--wait", "--count", "1").out
    assert "1 queued; 0 pending, 1 committed" in said
    assert datetime.now(UTC) >= soon
    assert a2ap(*queue).out == "0 queued; 0 pending, 1 committed, 1 queued, 0 revealed\n"
    assert read_message(files[0].read_bytes().strip()).envelope.time == soon


def test_a_commitment_that_is_not_answered_waits_and_is_sent_again(
    a2ap: Run, server: tuple[str, Path], node_key: Path, author: Agent, claimed: tuple[str, ...], tmp_path: Path
) -> None:
    document = a2ap("claim", f"Nobody hears of it, says {author.seed}.", *claimed, "--print").out
    file, probes = written(tmp_path / "claim.json", document.encode()), tmp_path / "probes.json"
    options = ("--probes", probes, "--key", node_key)

    dead = a2ap("probe", "commit", "fail", file, *options, "--url", "http://127.0.0.1:9", status=1)
    assert "`a2ap probe resume` sends it again" in dead.only_error
    queued = a2ap("probe", "queue", "--probes", probes, "--key", author.key)
    assert queued.out == "0 queued; 1 pending, 0 committed, 0 queued, 0 revealed\n"
    a2ap("probe", "resume", "--probes", probes, "--url", "http://127.0.0.1:9", status=1)

    resumed = a2ap("probe", "resume", "--probes", probes).out
    assert "is log entry" in resumed and "0 waiting; 0 pending, 1 committed" in resumed
    assert "0 waiting; 0 pending, 1 committed" in a2ap("probe", "resume", "--probes", probes).out
    a2ap("probe", "queue", "--probes", probes, "--key", author.key)
    assert "1 revealed" in a2ap("probe", "reveal", *options).out


def test_a_commitment_whose_answer_was_lost_is_logged_once(
    a2ap: Run, node_key: Path, author: Agent, claimed: tuple[str, ...], tmp_path: Path
) -> None:
    document = a2ap("claim", f"The answer was lost, says {author.seed}.", *claimed, "--print").out
    file, probes = written(tmp_path / "claim.json", document.encode()), tmp_path / "probes.json"
    a2ap(
        "probe", "commit", "fail", file, "--probes", probes, "--key", node_key, "--url", "http://127.0.0.1:9", status=1
    )
    kept = probes.read_bytes()
    first = a2ap("probe", "resume", "--probes", probes).out.splitlines()[0]
    written(probes, kept)

    assert a2ap("probe", "resume", "--probes", probes).out.splitlines()[0] == f"{first} already"


def test_a_commitment_that_is_refused_leaves_nothing_behind(
    a2ap: Run, node_key: Path, author: Agent, claimed: tuple[str, ...], tmp_path: Path
) -> None:
    document = a2ap("claim", f"Not for everybody, says {author.seed}.", *claimed, "--print").out
    file, probes = written(tmp_path / "claim.json", document.encode()), tmp_path / "probes.json"

    refused = a2ap("probe", "commit", "fail", file, "--probes", probes, "--key", author.key, status=1)

    assert "only urn:agent:a2ap-node:" in refused.only_error
    assert json.loads(probes.read_text()) == {"probes": [], "pending": []}


def test_what_is_refused_when_it_is_sent_again_is_dropped_only_on_demand(
    a2ap: Run, node_key: Path, author: Agent, claimed: tuple[str, ...], tmp_path: Path
) -> None:
    document = a2ap("claim", f"Refused later, says {author.seed}.", *claimed, "--print").out
    file, probes = written(tmp_path / "claim.json", document.encode()), tmp_path / "probes.json"
    options = ("--probes", probes, "--key", author.key, "--url", "http://127.0.0.1:9")
    a2ap("probe", "commit", "fail", file, *options, status=1)

    assert "only urn:agent:a2ap-node:" in a2ap("probe", "resume", "--probes", probes, status=1).only_error
    assert len(json.loads(probes.read_text())["probes"]) == 1
    assert "0 waiting; 0 pending, 0 committed" in a2ap("probe", "resume", "--probes", probes, "--drop").out


def test_a_file_of_probes_that_is_not_there_is_said(a2ap: Run, node_key: Path, tmp_path: Path) -> None:
    for command in ("queue", "reveal"):
        missing = a2ap("probe", command, "--probes", tmp_path / "no.json", "--key", node_key, status=1)
        assert "there is no file of probes" in missing.only_error


def test_a_file_of_probes_is_for_its_owner_alone(a2ap: Run, node_key: Path, tmp_path: Path) -> None:
    probes = written(tmp_path / "probes.json", b'{"probes": []}')
    probes.chmod(0o644)
    assert "others can read" in a2ap("probe", "queue", "--probes", probes, "--key", node_key, status=1).only_error


def test_what_is_no_statement_is_no_probe(a2ap: Run, node_key: Path, author: Agent, tmp_path: Path) -> None:
    file = written(tmp_path / "claim.json", b"{}")
    error = a2ap("probe", "commit", "fail", file, "--probes", tmp_path / "p.json", "--key", node_key, status=1)
    assert "@type is missing" in error.only_error


def test_a_recheck_finds_what_the_disk_has_lost(
    a2ap: Run, server: tuple[str, Path], node_key: Path, author: Agent, claimed: tuple[str, ...]
) -> None:
    statement = json.loads(a2ap("claim", f"It stays, says {author.seed}.", *claimed, "--json").out)["id"]
    digest = read_json(a2ap("claim", "Again.", *claimed, "--print").out.strip().encode())["evidence"][0]["documentHash"]
    name = digest.removeprefix("sha256:")
    lost = server[1] / ".ctx" / "objects" / name[:2] / name[2:]
    kept = lost.with_suffix(".kept")
    lost.rename(kept)

    first = json.loads(a2ap("recheck", "--data", server[1], "--json").out)
    assert (first["lost"], first["verdicts"]) == (1, 1)
    kept.rename(lost)
    second = a2ap("recheck", "--data", server[1], "--from-start").out
    assert "0 lost, 1 found again\n1 verdicts changed\n" in second
    assert statement.startswith("urn:uuid:")
    assert not (server[1] / "recheck.position").exists()
