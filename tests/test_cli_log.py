"""`a2ap log` and the log beside `a2ap serve`, on the embedded engine."""

import json
from pathlib import Path

import httpx
from builders import agent_id, signed_registration
from cli_runner import Run, a2ap, serving

from a2ap.log.checkpoint import open_checkpoint
from a2ap.log.log_key import follow_successions
from a2ap.log.receipt import verify_receipt
from a2ap.log.signed_note import VerifierKey

__all__ = ["a2ap"]


def test_the_log_of_a_server_that_runs_is_exported_and_its_key_changed(a2ap: Run, tmp_path: Path) -> None:
    data, documents, receipts = tmp_path / "data", tmp_path / "documents.ndjson", tmp_path / "receipts.ndjson"
    documents.write_bytes(b"".join(signed_registration(number) + b"\n" for number in range(1, 6)))
    missing = a2ap("log", "key", "--data", data, status=1).only_error
    assert "there is no log key" in missing
    with serving(data) as (_, address):
        key = a2ap("log", "key", "--data", data).out.strip()
        assert a2ap("log", "key", "--url", address).out.strip() == key
        submit = ("submit", documents, "--url", address, "--receipts", receipts, "--log-key", key)
        assert "5 accepted, 0 known already, 0 refused" in a2ap(*submit).out
        (line,) = a2ap("log", "entries", agent_id(2), "--url", address).out.splitlines()
        place, _, kind, *_ = line.split()
        assert (place, kind) == (str(json.loads(receipts.read_text().splitlines()[1])["logIndex"]), "AgentRegistration")
        assert not a2ap("log", "entries", agent_id(2), "--after", place, "--url", address).out
        new_key = a2ap("log", "rotate", "--data", data).out.strip()
        assert new_key != key
        assert "0 accepted, 5 known already, 0 refused" in a2ap(*submit).out
        assert a2ap("log", "key", "--url", address).out.strip() == new_key
        log = httpx.post(f"{address}/graphql", json={"query": "{ log { checkpoint successions } }"}).json()["data"][
            "log"
        ]
        keys = follow_successions(VerifierKey.parse(key), log["successions"])
        assert open_checkpoint(log["checkpoint"], keys).tree_size == 8
    kept = [json.loads(line) for line in receipts.read_text().splitlines()]
    for number, receipt in enumerate(kept):
        document = json.loads(documents.read_text().splitlines()[number % 5])
        verify_receipt(receipt["entry"], receipt["proof"], document, keys)

    assert "8 entries are in" in a2ap("log", "export", tmp_path / "static", "--data", data).out
    assert (tmp_path / "static" / "checkpoint").read_text() == log["checkpoint"]
    assert (tmp_path / "static" / "tile" / "entries" / "000.p" / "8").stat().st_mode & 0o444 == 0o444


def test_a_log_that_was_ahead_of_the_graph_is_not_served(a2ap: Run, tmp_path: Path) -> None:
    with serving(tmp_path) as (_, address):
        httpx.post(f"{address}/agents", content=signed_registration(1)).raise_for_status()
    file = tmp_path / "log" / "checkpoint"
    file.write_text(file.read_text().replace("\n3\n", "\n4\n"))
    error = a2ap("serve", "--port", 0, "--data", tmp_path, status=1).err.splitlines()[-1]
    assert error.startswith("a2ap: entry 3 is missing from the graph: it has 3 entries, and the checkpoint kept in")
