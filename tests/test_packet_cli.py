"""`a2ap packet` on files: validated, hashed, signed, verified, forwarded, and walked to the closure."""

import json
from pathlib import Path
from typing import Any

import pytest
from cli_agents import Agent, author
from cli_runner import Run, a2ap
from packets import CORE, EXAMPLES, GONE, GOVERNED, altered, sealed
from test_packet_signature import RECORDS
from vectors_file import load_vectors

from a2ap.key_file import read_key_file
from a2ap.packet.canon import HashDomain
from a2ap.packet.records import write_record
from a2ap.packet.rules import RULES

__all__ = ["a2ap", "author"]

CASES = load_vectors("context_packet_closure.json")


@pytest.fixture
def put(tmp_path: Path) -> Any:
    def write(name: str, members: dict[str, Any] | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(members if isinstance(members, bytes) else json.dumps(members).encode())
        return path

    return write


def test_a_packet_is_validated_at_the_level_that_is_asked(a2ap: Run, put: Any):
    core, governed = put("core.json", CORE), put("governed.json", GOVERNED)
    said = a2ap("packet", "validate", core).out.splitlines()
    assert said[-1] == "cpk_min_001 reaches CP-Core; asked for CP-Core, it conforms"
    assert (
        "error    CP-Governed  §12-governor: the packet names no governor, and no record of a human's in its place"
        in said
    )
    a2ap("packet", "validate", core, "--level", "CP-Governed", status=1)
    a2ap("packet", "validate", governed, "--level", "CP-Governed", "--at", "2026-07-04T17:00:00Z")
    a2ap("packet", "validate", governed, "--level", "CP-Audited", status=1)


def test_a_report_is_one_json_object_with_rules_and_requirements(a2ap: Run, put: Any):
    path = put(
        "p.json", altered(CORE, items__0__boundary="client-sensitive", ext={"a2ap.conformance_level": "CP-Core"})
    )
    report = json.loads(a2ap("packet", "validate", path, "--json", status=1).out)
    assert (report["level"], report["claimed"], report["conforms"]) == (None, "CP-Core", False)
    assert {one["rule"] for one in report["findings"] if one["severity"] == "error"} >= {"§6-1", "§6-2", "§18-6"}
    assert report["findings"][0]["requirements"]
    assert "no security guarantee" in report["disclaimer"]


def test_what_expired_is_judged_as_of_a_time(a2ap: Run, put: Any):
    path = put("p.json", GOVERNED)
    assert "§3-4" in a2ap("packet", "validate", path).out
    assert "§3-4" not in a2ap("packet", "validate", path, "--at", "2026-07-04T17:00:00Z").out
    assert "not a time" in a2ap("packet", "validate", path, "--at", "noon", status=1).only_error


def test_receipts_beside_a_packet_count(a2ap: Run, put: Any):
    packet = put("p.json", sealed().data)
    receipt = put("r.json", write_record(RECORDS[0]))
    alone = a2ap("packet", "validate", packet, "--level", "CP-Audited", status=1).out
    beside = a2ap("packet", "validate", packet, "--level", "CP-Audited", "--receipt", receipt).out
    assert "no receipt of its delivery" in alone and "no receipt of its delivery" not in beside


def test_a_packet_is_hashed_and_its_hash_compared(a2ap: Run, put: Any):
    plain, whole = put("p.json", GOVERNED), put("s.json", sealed().data)
    assert a2ap("packet", "hash", plain).out.strip() == sealed().packet_hash
    assert a2ap("packet", "hash", plain, "--algorithm", "sha-256").out.startswith("sha256:")
    assert "minus_packet_hash_and_receipts" in a2ap("packet", "hash", whole, "--check").out
    assert "not a hash" in a2ap("packet", "hash", plain, "--check", status=1).only_error
    found = json.loads(a2ap("packet", "hash", whole, "--json").out)
    assert set(found["domains"]) == set(HashDomain)
    assert found["matches"]["algorithm"] == "blake2b-256"


def test_a_packet_and_the_records_about_it_are_signed_and_verified(a2ap: Run, put: Any, author: Agent, tmp_path: Path):
    key = read_key_file(author.key)
    known = f"{key.key_id}={key.key.public_key.did_key}"
    for number, data in enumerate([json.dumps(GOVERNED).encode(), *map(write_record, RECORDS)]):
        signed = tmp_path / f"signed{number}.json"
        a2ap("packet", "sign", put("d.json", data), "--key", author.key, "--output", signed)
        assert "there already" in a2ap("packet", "sign", signed, "--key", author.key, "--output", signed, status=1).err
        assert "known" in a2ap("packet", "verify", signed, "--known-key", known).out
        found = json.loads(a2ap("packet", "verify", signed, "--json", status=1).out)
        assert (found["keyId"], found["known"]) == (key.key_id, False)
        members = json.loads(signed.read_bytes())
        broken = put("b.json", {**members, "ext": {**members["ext"], "acme.x": 1}})
        assert "does not hold" in a2ap("packet", "verify", broken, "--known-key", known, status=1).only_error
    assert "not signed" in a2ap("packet", "verify", put("d.json", GOVERNED), status=1).only_error


def test_what_is_forwarded_wider_is_said(a2ap: Run, put: Any):
    parent = put("parent.json", GOVERNED)
    same = altered(GOVERNED, packet_id="cpk_child", lineage__assembled_from=["cpk_build_001"])
    assert a2ap("packet", "forwarding", parent, put("c.json", same)).out == "0 findings: preserved or restricted\n"
    wider = put("w.json", altered(same, items__0__boundary="public"))
    assert "item itm_001 was internal and is public" in a2ap("packet", "forwarding", parent, wider, status=1).out
    assert json.loads(a2ap("packet", "forwarding", parent, wider, "--json", status=1).out)["state"] == "widened"


def test_a_return_is_held_against_its_contract(a2ap: Run, put: Any):
    packet, returned = put("p.json", sealed().data), put("r.json", write_record(RECORDS[1]))
    assert "within the contract" in a2ap("packet", "check-return", packet, returned).out
    forbidden = put("f.json", sealed(return_contract__may_propose_memory_updates=False).data)
    said = a2ap("packet", "check-return", forbidden, returned, "--json", status=1)
    assert json.loads(said.out)["state"] == "beyond the contract"
    assert (
        "is no return" in a2ap("packet", "check-return", packet, put("x.json", write_record(RECORDS[0])), status=1).err
    )


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_thread_is_walked_from_one_file(a2ap: Run, put: Any, case: dict[str, Any]):
    status, path = 0 if case["expect"] == "closed" else 1, put("thread.json", case)
    found = a2ap("packet", "closure", path, "--by-letter", status=status)
    assert found.out.splitlines()[-1] == case["expect"]
    said = json.loads(a2ap("packet", "closure", path, "--by-letter", "--json", status=status).out)
    assert said["state"] == case["expect"]
    # Nobody signed any of it: whose word it is, nothing shows.
    said = json.loads(a2ap("packet", "closure", path, "--json", status=1).out)
    assert said["state"] == "open at link 1 (returns)"
    assert any("nobody signed it" in one["words"] for one in said["breaks"])


def test_a_thread_is_walked_from_a_file_for_each_document(a2ap: Run, put: Any):
    first, second = (put(f"{number}.json", one) for number, one in enumerate(CASES[0]["packets"]))
    done = {
        **CASES[0]["dispositions"][0],
        "spec": "a2ap-packet-disposition/1",
        "disposition_id": "dsp_1",
        "at": "2026-07-04T18:00:00Z",
        "by": "human:demo_user",
    }
    thread = ("packet", "closure", first, second)
    assert a2ap(*thread, put("d.json", done), "--by-letter").out.splitlines()[-1] == "closed"
    said = a2ap(*thread, put("d.json", done), status=1).out
    assert "remark   the disposition dsp_1 does not count: nobody signed it in a way that holds" in said.splitlines()
    said = a2ap(*thread, "--by-letter", status=1).out
    assert said.startswith("open     link 2 (disposition) of cpk_chain_001: no return of it was dispositioned")


def test_the_rules_are_listed(a2ap: Run):
    listed = json.loads(a2ap("packet", "rules", "--json").out)
    assert [one["rule"] for one in listed["rules"]] == [f"§{number}" for number in RULES]
    assert "error    CP-Core      §6-2: no item is above the ceiling" in a2ap("packet", "rules").out.splitlines()


@pytest.mark.parametrize("data", [b"", b"nonsense", b"[]", b'{"a": 1, "a": 2}'])
def test_what_is_no_packet_is_one_line_and_a_status(a2ap: Run, put: Any, data: bytes):
    path = put("x.json", data)
    for command in ("validate", "hash", "verify", "closure"):
        assert a2ap("packet", command, path, status=1).only_error.startswith(
            ("a2ap: the document ", "a2ap: a is there twice")
        )


def test_a_file_that_is_neither_packet_nor_record_is_said(a2ap: Run, put: Any):
    assert (
        "spec is" in a2ap("packet", "closure", put("x.json", altered(EXAMPLES["09_receipt"], event=GONE)), status=1).err
    )
