"""The commands of `a2ap`, one by one, against a platform that really serves."""

import json
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer.main
from builders import (
    QUOTE,
    SOURCE,
    agent_id,
    agent_key,
    envelope_of,
    key_id,
    signed_registration,
    signed_request,
    signed_source,
    signed_statement,
    statement_message,
)
from cli_runner import Run, a2ap, serving
from rdflib import Graph

from a2ap.json_text import read_json, write_json
from a2ap.key_file import KeyFile, write_key_file
from a2ap.message import read_message
from a2ap.signature import sign_message
from graph.cli.main import app

__all__ = ["a2ap"]

ROOT = Path(__file__).resolve().parent.parent
SEEDS = iter(range(1000, 10_000))  # no two tests are the same agent: they share a platform


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent with a key file of its own."""

    seed: int
    key: Path

    @property
    def id(self) -> str:
        return agent_id(self.seed)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Yield the address and the data folder of a platform."""
    data = tmp_path_factory.mktemp("platform")
    with serving(data) as (_, address):
        yield address, data


@pytest.fixture
def url(server: tuple[str, Path], monkeypatch: pytest.MonkeyPatch, a2ap: Run) -> str:
    """Return the address, which is also in A2AP_URL."""
    monkeypatch.setenv("A2AP_URL", server[0])
    return server[0]


@pytest.fixture
def author(tmp_path: Path) -> Agent:
    return new_agent(tmp_path)


def new_agent(folder: Path) -> Agent:
    seed = next(SEEDS)
    path = folder / f"{seed}.key"
    write_key_file(path, KeyFile(agent_id(seed), key_id(seed), agent_key(seed)))
    return Agent(seed, path)


def registered(a2ap: Run, agent: Agent) -> Agent:
    a2ap("register", "--key", agent.key, "--name", "Clerk", "--version", "1", "--publisher", "City")
    return agent


def written(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def commands() -> dict[str, Any]:
    """Return every command by its full name."""
    found: dict[str, Any] = {}
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        found |= {name: command} if inner is None else {f"{name} {sub}": inner[sub] for sub in inner}
    return found


def test_every_command_and_option_is_documented() -> None:
    text = (ROOT / "docs" / "cli.md").read_text()
    sections = {
        match[1]: match[2] for match in re.finditer(r"^## `a2ap ([a-z ]+)`\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    }
    assert sorted(sections) == sorted(commands())
    for name, command in commands().items():
        for option in [option for parameter in command.params for option in parameter.opts if option.startswith("--")]:
            assert option == "--help" or f"`{option}" in sections[name], f"{name} {option}"


def test_every_command_has_help(a2ap: Run) -> None:
    listed = a2ap("--help").out
    for name, command in commands().items():
        assert f"a2ap {name} " in a2ap(*name.split(), "--help").out
        assert command.help and len(command.help.splitlines()[0]) < 60
        assert name.split()[0] in listed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["keygen", "--colour"], "No such option: --colour"),
        (["ask"], "Missing argument"),
        (["respond", "urn:uuid:x", "--key", "k", "--verdict", "MAYBE", "--confidence", "1"], "MAYBE"),
        (["export", "--format", "pdf"], "pdf"),
    ],
)
def test_what_is_not_understood_is_one_line_and_status_2(a2ap: Run, arguments: list[str], said: str) -> None:
    assert said in a2ap(*arguments, status=2).only_error


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["verify", "missing.json"], "missing.json: No such file or directory"),
        (["sign", "missing.json", "--key", "missing.key"], "No such file or directory"),
        (["ask", "Why?", "--url", "http://127.0.0.1:9"], "http://127.0.0.1:9 does not answer"),
        (["export", "--url", "http://127.0.0.1:9"], "http://127.0.0.1:9 does not answer"),
        (["export", "--url", "http://127.0.0.1:9", "--clearance", "private"], "token"),
        (["export", "--data", "/nowhere/at/all"], "there is no data folder /nowhere/at/all"),
        (["rebuild", "--log", "missing.ndjson"], "missing.ndjson: No such file or directory"),
        (["keygen", "--agent", "no colon"], "not an absolute IRI"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_status_1(
    a2ap: Run, arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in a2ap(*arguments, status=1).only_error


def test_a_wrong_setting_is_named(a2ap: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A2AP_PORT", "high")
    assert a2ap("serve", status=1).only_error == "a2ap: A2AP_PORT is 'high', not a port number"


def test_a_key_is_private_new_and_never_overwritten(a2ap: Run, tmp_path: Path) -> None:
    path = tmp_path / "agent.key"
    said = json.loads(a2ap("keygen", "--out", path, "--json").out)
    assert said["agent"] == said["publicKey"] and said["keyId"] == f"{said['publicKey']}#1"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    kept = path.read_bytes()
    assert a2ap("keygen", "--out", path, status=1).only_error == f"a2ap: {path} is there already"
    assert path.read_bytes() == kept
    assert (
        "agent       urn:agent:clerk" in a2ap("keygen", "--agent", "urn:agent:clerk", "--out", tmp_path / "b.key").out
    )


def test_a_key_that_others_can_read_is_refused(a2ap: Run, author: Agent, tmp_path: Path) -> None:
    author.key.chmod(0o644)
    document = written(tmp_path / "statement.json", write_json(statement_message(author.seed)))
    assert "has mode 0644" in a2ap("sign", document, "--key", author.key, status=1).only_error


def test_signing_adds_the_signature_and_nothing_else(a2ap: Run, author: Agent, tmp_path: Path) -> None:
    message = statement_message(author.seed)
    document = written(tmp_path / "statement.json", json.dumps(message, indent=2).encode())
    signed = read_json(a2ap("sign", document, "--key", author.key).out.encode())
    assert signed == sign_message(message, agent_key(author.seed), key_id(author.seed))


def test_signing_says_what_is_missing_and_whose_document_it_is(a2ap: Run, author: Agent, tmp_path: Path) -> None:
    message = statement_message(author.seed)
    del message["claim"]["contentHash"]
    document = written(tmp_path / "bare.json", write_json(message))
    assert a2ap("sign", document, "--key", author.key, status=1).only_error == "a2ap: claim.contentHash is missing"
    other = written(tmp_path / "other.json", write_json(statement_message(1)))
    said = a2ap("sign", other, "--key", author.key, status=1).only_error
    assert said == f"a2ap: the document is by {agent_id(1)}, and the key is that of {author.id}"


def test_a_signature_is_replaced_only_when_asked_to(a2ap: Run, author: Agent, tmp_path: Path) -> None:
    signed = signed_statement(author.seed)
    document = written(tmp_path / "signed.json", signed)
    assert "--replace" in a2ap("sign", document, "--key", author.key, status=1).only_error
    assert a2ap("sign", document, "--key", author.key, "--replace").out.encode().strip() == signed


def test_verify_says_what_holds_and_what_it_did_not_check(a2ap: Run, tmp_path: Path) -> None:
    document = written(tmp_path / "statement.json", signed_statement(1))
    said = a2ap("verify", document, "--key", agent_key(1).public_key.did_key).out.splitlines()
    assert [line.split("  ")[0] for line in said] == ["holds"] * 4 + ["not checked"] * 2 + [said[-1]]
    assert said[-1] == f"signed hash {envelope_of(signed_statement(1)).signed_hash}"
    registration = written(tmp_path / "agent.json", signed_registration(1))
    source = written(tmp_path / "council.vtt", SOURCE)
    said = a2ap("verify", document, "--registration", registration, "--source", source).out.splitlines()
    assert [line.split("  ")[0] for line in said] == ["holds"] * 8 + ["not checked", said[-1]]
    assert "by the key that it registers" in a2ap("verify", registration).out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "not checked  signature"),
        (["--key", agent_key(2).public_key.did_key], "FAILS        signature"),
        (["--key", agent_key(1).public_key.base64, "--source", "other.vtt"], None),
    ],
)
def test_verify_succeeds_only_where_the_signature_holds(
    a2ap: Run, arguments: list[str], said: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "other.vtt", SOURCE.replace(b"forty", b"fifty"))
    document = written(tmp_path / "statement.json", signed_statement(1))
    assert (said or "none of its sources") in a2ap("verify", document, *arguments, status=int(said is not None)).out


def test_verify_finds_what_was_altered(a2ap: Run, tmp_path: Path) -> None:
    altered = read_json(signed_statement(1))
    altered["generatedAtTime"] = "2025-10-15T10:30:00Z"
    document = written(tmp_path / "altered.json", write_json(altered))
    assert "FAILS        signature" in a2ap("verify", document, "--key", agent_key(1).public_key.did_key, status=1).out
    altered["claim"]["text"] = "The council drops the limit."
    document = written(tmp_path / "altered.json", write_json(altered))
    key = agent_key(1).public_key.did_key
    assert "claim.contentHash" in a2ap("verify", document, "--key", key, status=1).only_error
    lying = signed_statement(1, evidence=[{**statement_message(1)["evidence"][0], "byteRange": {"start": 0, "end": 6}}])
    document, source = written(tmp_path / "lying.json", lying), written(tmp_path / "council.vtt", SOURCE)
    assert "FAILS        evidence" in a2ap("verify", document, "--key", key, "--source", source, status=1).out


def test_the_life_of_a_statement(a2ap: Run, url: str, author: Agent, tmp_path: Path) -> None:
    verifier, operator = registered(a2ap, new_agent(tmp_path)), registered(a2ap, new_agent(tmp_path))
    registered(a2ap, author)
    source = written(tmp_path / "council.vtt", SOURCE + str(author.seed).encode())
    urn = f"urn:doc:test:{author.seed}"
    a2ap("source", "add", source, "--urn", urn, "--key", author.key, "--title", "Council")
    claim = f"The height limit stays, says {author.seed}."
    said = a2ap(
        "claim",
        claim,
        "--key",
        author.key,
        "--source",
        source,
        "--urn",
        urn,
        "--quote",
        QUOTE,
        "--confidence",
        0.9,
        "--json",
    )
    statement = json.loads(said.out)["id"]
    assert "is log entry" in a2ap("endorse", verifier.id, "--key", operator.key).out
    assert "is log entry" in a2ap("request", statement, "--key", author.key).out
    findings = ("--finding", "source-accuracy=PASS:it says so", "--finding", "evidence-sufficiency=pass")
    a2ap(
        "respond",
        statement,
        "--key",
        verifier.key,
        "--verdict",
        "validated",
        "--confidence",
        0.8,
        *findings,
        "--reason",
        "read it",
    )
    answer = a2ap("ask", f"What did they say about height limit {author.seed}?").out
    assert claim in answer and QUOTE in answer and "Clerk" in answer
    (found,) = [
        answer
        for answer in json.loads(a2ap("ask", claim, "--first", 100, "--json").out)["answers"]
        if answer["statement"] == statement
    ]
    assert [given["agent"] for given in found["verifications"]][1:] == [verifier.id]
    assert found["evidence"][0]["timestamp"] == {"start": "00:02:15", "end": "00:02:19"}


def test_what_would_be_sent_can_be_printed_instead(a2ap: Run, url: str, author: Agent, tmp_path: Path) -> None:
    name = ("--name", "Clerk", "--version", "2", "--publisher", "City", "--capability", "a", "--capability", "b")
    printed = a2ap("register", "--key", author.key, *name, "--alias", f"agent:{author.seed}:pubkey", "--print")
    message = read_message(printed.out.encode())
    assert message.envelope.document["agent"]["capabilities"] == ["a", "b"]
    document = written(tmp_path / "agent.json", printed.out.encode())
    assert a2ap("submit", document).out == "1 accepted, 0 known already, 0 refused\n"
    source = written(tmp_path / "council.vtt", SOURCE)
    claim = (
        "claim",
        "It says so.",
        "--source",
        source,
        "--urn",
        "urn:doc:x",
        "--quote",
        "outdoor tables",
        "--confidence",
        1,
    )
    statement = a2ap(*claim, "--key", author.key, "--registration", document, "--print").out
    assert read_message(statement.encode()).envelope.agent_id == author.id
    nobody = "urn:uuid:00000000-0000-4000-8000-000000000000"
    hashed = ("--target-hash", "sha256:" + "0" * 64, "--key", author.key, "--print")
    read_message(a2ap("request", nobody, *hashed).out.encode())
    read_message(a2ap("respond", nobody, "--verdict", "CHALLENGED", "--confidence", 0.5, *hashed).out.encode())


@pytest.mark.parametrize(
    ("quote", "said"),
    [("not there", "the source does not say 'not there'"), ("00:02:1", "quote more of it"), ("", "does not say ''")],
)
def test_a_quote_must_stand_in_the_source_once(a2ap: Run, author: Agent, tmp_path: Path, quote: str, said: str) -> None:
    source = written(tmp_path / "council.vtt", SOURCE)
    command = ("claim", "It says so.", "--source", source, "--urn", "urn:doc:x", "--quote", quote, "--confidence", 1)
    assert said in a2ap(*command, "--key", author.key, status=1).only_error


def test_a_refusal_of_the_platform_is_one_line(a2ap: Run, url: str, author: Agent, tmp_path: Path) -> None:
    source = written(tmp_path / "council.vtt", SOURCE)
    said = a2ap("source", "add", source, "--urn", "urn:doc:x", "--key", author.key, status=1).only_error
    assert "403" in said and author.id in said
    bad = ("--verdict", "VALIDATED", "--confidence", 1, "--target-hash", "sha256:" + "0" * 64, "--key", author.key)
    said = a2ap("respond", "urn:uuid:00000000-0000-4000-8000-000000000000", *bad, status=1).only_error
    assert "no finding is PASS" in said
    assert "--finding x: there is no =" in a2ap("respond", "x", *bad, "--finding", "x", status=1).only_error


def test_files_folders_and_lines_are_submitted_whatever_their_order(
    a2ap: Run, url: str, author: Agent, tmp_path: Path
) -> None:
    statement = signed_statement(author.seed)
    written(tmp_path / "in" / "a" / "1-request.json", signed_request(statement, author.seed))
    written(tmp_path / "in" / "a" / "2-statement.jsonld", json.dumps(read_json(statement), indent=2).encode())
    lines = [signed_registration(author.seed), b"", signed_source(author.seed), b"{nonsense"]
    ndjson = written(tmp_path / "in" / "b.ndjson", b"\n".join(lines))
    written(tmp_path / "in" / "ignored.txt", b"not a document")
    empty = written(tmp_path / "empty.json", b" \n")
    said = a2ap("submit", tmp_path / "in", empty, status=1)
    assert said.out == "4 accepted, 0 known already, 2 refused\n"
    first, second = sorted(said.err.splitlines())
    assert first == f"{empty}: is empty"
    assert second.startswith(f"{ndjson}:4: 400 ")
    assert a2ap("submit", ndjson, tmp_path / "in", status=1).out == "0 accepted, 6 known already, 2 refused\n"


def test_what_still_lacks_its_agent_is_refused_at_the_end(a2ap: Run, url: str, author: Agent, tmp_path: Path) -> None:
    document = written(tmp_path / "statement.json", signed_statement(author.seed))
    said = a2ap("submit", document, status=1)
    assert said.out == "0 accepted, 0 known already, 1 refused\n"
    assert said.only_error.startswith(f"{document}: ") and author.id in said.err


def test_an_export_comes_from_the_server_or_from_the_data_beside_it(
    a2ap: Run, url: str, server: tuple[str, Path], author: Agent, tmp_path: Path
) -> None:
    registered(a2ap, author)
    asked, opened = tmp_path / "asked.ttl", tmp_path / "opened.ttl"
    a2ap("export", "--format", "turtle", "--url", url, "--out", asked)
    a2ap("export", "--format", "turtle", "--data", server[1], "--out", opened)
    assert asked.read_bytes() == opened.read_bytes()
    assert author.id in {str(subject) for subject in Graph().parse(asked).subjects()}
    assert json.loads(a2ap("export", "--format", "json-ld", "--url", url).out)["@graph"]
    token = (server[1] / "operator.token").read_text().strip()
    assert "cleared for safety-sensitive" in a2ap("export", "--url", url, "--token", token).out
    assert "401" in a2ap("export", "--url", url, "--token", "x" * 20, status=1).only_error
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([f"{author.seed}.key", asked.name, opened.name])


def test_a_rebuild_in_another_folder_gives_the_same_graph(
    a2ap: Run, url: str, server: tuple[str, Path], author: Agent, tmp_path: Path
) -> None:
    registered(a2ap, author)
    log, new = tmp_path / "log.ndjson", tmp_path / "new"
    a2ap("export", "--format", "log", "--url", url, "--out", log)
    before = a2ap("export", "--data", server[1], "--clearance", "safety-sensitive").out
    size = len(log.read_text().splitlines())
    said = a2ap("rebuild", "--log", log, "--objects", server[1], "--data", new).out
    assert said == f"{size} log entries are in the graph again\n"
    after = a2ap("export", "--data", new, "--clearance", "safety-sensitive").out
    assert without_lock(after) == without_lock(before)
    assert "already has" in a2ap("rebuild", "--log", log, "--data", new, status=1).only_error
    assert "has no stored bytes" in a2ap("rebuild", "--log", log, "--objects", tmp_path, status=1).only_error


def without_lock(script: str) -> str:
    """Return a script without the nonce of the last writer, which no log has."""
    return re.sub(r"\['[0-9a-f]*', 'log', ", "['', 'log', ", script)
