"""`a2ap log audit`, `a2ap statement bundle`, and `a2ap verify` of a bundle, against a platform that runs."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import SOURCE, envelope_of, signed_registration, signed_response, signed_source, signed_statement
from cli_runner import Run, a2ap, serving
from scenario import AUTHOR, VERIFIER_A

from a2ap.canonical import canonicalize, sha256_digest
from a2ap.client import Client
from a2ap.key_file import read_key_file
from a2ap.log.checkpoint import Checkpoint, sign_checkpoint
from a2ap.log.merkle import hash_leaf, root_hash
from a2ap.log.tiles import read_entry_bundle, write_entry_bundle

__all__ = ["a2ap"]

STATEMENT = signed_statement(AUTHOR)
DOCUMENTS = (
    signed_registration(AUTHOR),
    signed_registration(VERIFIER_A),
    signed_source(AUTHOR),
    STATEMENT,
    signed_response(STATEMENT, VERIFIER_A),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    data = tmp_path_factory.mktemp("node") / "data"
    with serving(data) as (_, url):
        with Client(url) as client:
            for outcome in client.submit_many(DOCUMENTS):
                assert not isinstance(outcome, Exception), outcome
            client.put_source(sha256_digest(SOURCE), SOURCE)
        yield url, data


@pytest.fixture
def log_key(a2ap: Run, server: tuple[str, Path]) -> str:
    return a2ap("log", "key", "--data", server[1]).out.strip()


def test_a_bundle_is_fetched_and_verified_without_the_platform(
    a2ap: Run, server: tuple[str, Path], log_key: str, tmp_path: Path
) -> None:
    file = tmp_path / "bundle.json"
    assert "a2ap verify" in a2ap("bundle", envelope_of(STATEMENT).id, "-o", file, "--url", server[0]).only_error
    said = a2ap("verify", file, "--log-key", log_key, status=3).out
    for line in (
        "not proved   that no later entry replaces the policy in the bundle: the latest here is sha256:",
        "not proved   that the log has no redactions at the checkpoint: the bundle has none",
        "holds        evidence[0] is bytes",
        "holds        the score 0.",
        "not proved   that no other of the log's",
    ):
        assert line in said
    assert ", verified," not in said
    report = json.loads(a2ap("verify", file, "--log-key", log_key, "--json", status=3).out)
    assert report["status"] == "in-force-not-proved" and "verified" not in report["score"]
    policy = report["inForce"][0]
    assert (policy["item"], policy["proved"], policy["restsOn"][-1]["type"]) == ("policy", False, "Policy")
    assert json.loads(a2ap("bundle", envelope_of(STATEMENT).signed_hash, "--url", server[0]).out)["score"]
    file.write_text(file.read_text().replace('"verified": false', '"verified": true'))
    (failed,) = a2ap("verify", file, "--log-key", log_key, status=1).out.splitlines()
    stated, made = failed.removeprefix("FAILS        score: the bundle states ").split(
        "; its verdicts and its policy make "
    )
    assert stated.endswith("and the statement verified") and made.endswith("and the statement not verified")
    assert "--log-key" in a2ap("verify", file, status=1).only_error
    assert "is not a verifier key" in a2ap("verify", file, "--log-key", "x", status=1).only_error
    assert "no statement" in a2ap("bundle", "urn:uuid:none", "--url", server[0], status=1).only_error


def test_a_platform_is_audited_and_its_checkpoint_is_remembered(
    a2ap: Run, server: tuple[str, Path], log_key: str, tmp_path: Path
) -> None:
    mine = tmp_path / "auditor"
    said = a2ap("audit", server[0], "--data", mine, "--log-key", log_key).out
    assert "holds        the graph, scores included, is the one that the log makes" in said
    assert said.splitlines()[-1].endswith(
        "entries: no fault was found in documents, log entries, nodes, relationships, signatures, sources and tiles"
    )
    (kept,) = (mine / "audit").glob("*.json")
    assert json.loads(kept.read_text())["logKey"] == log_key
    report = json.loads(a2ap("audit", server[0], "--data", mine, "--json", "--no-graph").out)
    assert report["passed"] and report["checked"]["documents"] == report["treeSize"]
    assert any("continues its earlier checkpoint" in what for what in report["holds"])


def test_an_export_is_audited_and_what_was_edited_in_it_is_named(
    a2ap: Run, server: tuple[str, Path], log_key: str, tmp_path: Path
) -> None:
    folder, file = tmp_path / "node", tmp_path / "kept.json"
    a2ap("log", "export", folder, "--documents", "--graph", "--data", server[1])
    options = ("--data", tmp_path / "auditor", "--checkpoint", file)
    assert "no fault was found" in a2ap("audit", folder, *options).out
    rows = folder / "graph.ndjson"
    rows.write_text(rows.read_text().replace('"claim_text":"The council', '"claim_text":"No council'))
    said = a2ap("audit", folder, *options, status=1).out
    assert f"FAILS        graph: Statement {envelope_of(STATEMENT).signed_hash} (log entry " in said
    assert 'claim_text is "No council' in said


def test_a_log_that_contradicts_itself_ends_the_audit_with_a_status_of_its_own(
    a2ap: Run, server: tuple[str, Path], tmp_path: Path
) -> None:
    folder, mine = tmp_path / "node", tmp_path / "auditor"
    a2ap("log", "export", folder, "--data", server[1])
    assert "export with --documents" in a2ap("audit", folder, "--data", mine, status=4).out
    assert not (mine / "audit").exists()
    a2ap("log", "export", folder, "--documents", "--graph", "--data", server[1])
    assert a2ap("audit", folder, "--data", mine).out
    (bundle,) = (folder / "tile/entries/000.p").iterdir()
    leaves = list(read_entry_bundle(bundle.read_bytes()))
    leaves[4] = canonicalize(json.loads(leaves[4]) | {"receivedAt": "2020-01-01T00:00:00Z"})
    hashes = [hash_leaf(leaf) for leaf in leaves]
    bundle.write_bytes(write_entry_bundle(leaves))
    (folder / "tile/0/000.p" / bundle.name).write_bytes(b"".join(hashes))
    found = read_key_file(server[1] / "log.key")
    checkpoint = Checkpoint(found.agent_id, len(leaves), root_hash(hashes))
    (folder / "checkpoint").write_text(sign_checkpoint(checkpoint, found.key), encoding="utf-8")
    ended = a2ap("audit", folder, "--no-graph", "--data", mine, status=3)
    assert "the log contradicts itself; the proof is " in ended.err
    (proof,) = (mine / "audit" / "equivocations").iterdir()
    assert json.loads(proof.read_text())["origin"] == found.agent_id


def test_what_is_no_node_is_an_error(a2ap: Run, tmp_path: Path) -> None:
    options = ("--data", tmp_path)
    assert "is neither" in a2ap("audit", tmp_path / "missing", "--no-graph", *options, status=1).only_error
    assert "is not answered" in a2ap("audit", "http://127.0.0.1:9", "--no-graph", *options, status=1).only_error
    assert "--log-key" in a2ap("audit", tmp_path, "--log-key", "x", *options, status=1).only_error
    (tmp_path / "token").write_text("\n")
    assert "is empty" in a2ap("audit", tmp_path, "--token-file", tmp_path / "token", *options, status=1).only_error
    policy = tmp_path / "policy"
    policy.write_text("quorum x\n")
    assert "line 1" in a2ap("audit", tmp_path, "--witness-policy", policy, *options, status=1).only_error
