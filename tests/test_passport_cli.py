"""`a2ap passport` on files: made, gone on with, verified, shown and replayed."""

import json
from pathlib import Path

import pytest
from cli_agents import Agent, author
from cli_runner import Ended, Run, a2ap
from passports import chain_of, line
from vectors_file import load_vectors

from a2ap.key_file import read_key_file
from a2ap.passport.building import write_passport
from a2ap.passport.passport import read_chain

__all__ = ["a2ap", "author"]

BY = ("--agent", "urn:agent:r")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "run.passports.json"


def made(ended: Ended) -> str:
    return ended.out.split()[0]


def test_a_chain_is_begun_gone_on_with_forked_merged_verified_and_replayed(a2ap: Run, file: Path, tmp_path: Path):
    payload = tmp_path / "payload.json"
    payload.write_text('{"output": {"n": 1.0}, "memory": {"a": 1}, "variables": {"x": "y"}}')
    root = made(a2ap("passport", "init", file, *BY, "--role", "researcher", "--input", "hi", "--output", "there"))
    first = file.read_bytes()
    main = made(a2ap("passport", "commit", file, *BY, "--payload", payload))
    side = made(a2ap("passport", "fork", file, *BY, "--branch", "side", "--parent", root, "--output", "alt"))
    assert "--parent" in a2ap("passport", "commit", file, *BY, "--output", "x", status=1).only_error
    joined = made(a2ap("passport", "commit", file, *BY, "--parent", main, "--merge", side, "--output", "both"))
    chain = read_chain(file.read_bytes())
    assert [one.id for one in chain.passports] == [root, main, side, joined]
    assert chain.passports[0].data == first.strip()
    assert b"1.0" in chain.passports[1].data
    assert chain.passports[2].members["lineage"]["fork_of"] == root

    verified = json.loads(a2ap("passport", "verify", file, "--json").out)
    assert verified["status"] == "valid"
    assert [record["profile"] for record in verified["records"]] == ["v2"] * 4
    assert a2ap("passport", "verify", file).out.splitlines()[-1] == "4 records: valid"
    shown = a2ap("passport", "show", file, root).out
    assert shown.splitlines()[0] == f"{root}  root, valid"
    assert "researcher" in shown
    assert a2ap("passport", "show", file, main, "--raw").out.encode() == chain.passports[1].data
    (step,) = json.loads(a2ap("passport", "replay", file, "--at", joined, "--json").out)["steps"]
    assert (step["output"], step["memory"], step["variables"]) == ("both", {"a": 1}, {"x": "y"})


def test_a_redacted_payload_is_neither_shown_nor_replayed(a2ap: Run, file: Path):
    root = made(a2ap("passport", "init", file, *BY, "--output", "a secret"))
    a2ap("passport", "commit", file, *BY, "--type", "redact", "--target", root, "--input", "asked to")
    for command in (("show",), ("show", "--json"), ("replay",), ("replay", "--json")):
        assert "a secret" not in a2ap("passport", command[0], file, *command[1:]).out
    assert "payload-redacted" in a2ap("passport", "verify", file).out


def test_a_signed_record_holds_under_a_known_key_and_for_somebody_without(a2ap: Run, file: Path, author: Agent):
    a2ap("passport", "init", file, "--key", author.key, "--output", "signed")
    key = read_key_file(author.key)
    known = f"{key.key_id}={key.key.public_key.did_key}"
    assert "signature holds\n" in a2ap("passport", "verify", file, "--known-key", known).out
    assert "signature holds-for-somebody" in a2ap("passport", "verify", file).out
    other = a2ap("passport", "commit", file, "--key", author.key, *BY, "--output", "x", status=1)
    assert "and --agent is urn:agent:r" in other.only_error
    changed = file.read_bytes().replace(b'"event": {\n    "type": "commit"', b'"event": {\n    "type": "consent"')
    file.write_bytes(changed)
    assert "signature-invalid" in a2ap("passport", "verify", file, status=1).out


def test_what_does_not_hold_ends_with_1_and_says_where(a2ap: Run, file: Path):
    records = line(3)
    file.write_bytes(chain_of(records).data)
    a2ap("passport", "verify", file, "--head", records[2]["integrity"]["integrity_hash"])
    assert "head-missing" in a2ap("passport", "verify", file, "--head", "sha256:" + "0" * 64, status=1).out
    copy = file.with_name("seen.json")
    copy.write_bytes(file.read_bytes().replace(b"Researcher", b"Somebody else"))
    found = a2ap("passport", "verify", file, "--seen", copy, status=1).out
    assert "unbound-altered: differs from the copy seen elsewhere" in found
    records[1]["payload"] = {"output": "changed"}
    file.write_bytes(chain_of(records).data)
    assert a2ap("passport", "verify", file, status=1).out.splitlines()[-1] == "3 records: broken"
    assert "is broken" in a2ap("passport", "commit", file, *BY, "--output", "x", status=1).only_error


def test_the_literal_formula_warns_of_what_it_leaves_out(a2ap: Run, file: Path, tmp_path: Path):
    payload = tmp_path / "payload.json"
    payload.write_text('{"input": "transfer", "memory": {"amount": 10}}')
    begun = a2ap("passport", "init", file, *BY, "--payload", payload, "--profile", "v1-literal")
    assert "payload.memory.amount is not covered" in begun.err
    found = json.loads(a2ap("passport", "verify", file, "--json", status=1).out)
    assert (found["status"], found["records"][0]["notCovered"]) == ("unverified", ["payload.memory.amount"])


def test_files_of_others_are_verified_by_the_profile_that_they_have(a2ap: Run, file: Path):
    for vector in load_vectors("passport_chains.json"):
        if vector["name"] == "mixed_v1_then_v2":
            file.write_text(json.dumps(vector["passports"]))
    found = json.loads(a2ap("passport", "verify", file, "--json").out)
    assert [record["profile"] for record in found["records"]] == ["v1-python", "v2"]


def test_what_cannot_be_done_is_one_line(a2ap: Run, file: Path, tmp_path: Path):
    file.write_bytes(b"nonsense")
    assert "not JSON" in a2ap("passport", "verify", file, status=1).only_error
    assert "is there already" in a2ap("passport", "init", file, *BY, "--output", "x", status=1).only_error
    file.write_bytes(write_passport(line(1)[0]))
    assert "--agent" in a2ap("passport", "commit", file, "--output", "x", status=1).only_error
    assert "--payload" in a2ap("passport", "commit", file, *BY, status=1).only_error
    assert "not in the chain" in a2ap("passport", "show", file, "ctx_1_ab", status=1).only_error
    assert (
        "a2ap passport fork" in a2ap("passport", "commit", file, *BY, "--type", "fork", "--output", "x", status=1).err
    )
    before = file.read_bytes()
    file.with_name(file.name + ".new").write_bytes(b"")
    assert "another command" in a2ap("passport", "commit", file, *BY, "--output", "x", status=1).only_error
    assert file.read_bytes() == before
