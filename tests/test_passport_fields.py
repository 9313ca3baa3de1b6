"""The rules of §03 for members: each breach is found at its path, and the shipped schema says the same."""

import json
import re
from importlib.resources import files
from typing import Any

import pytest
from passports import AUTHOR, PAYLOAD, at, chain_of, codes, line, passport_id, read_one, spoilt
from vectors_file import load_vectors

from a2ap.passport.building import build_root
from a2ap.passport.check_chain import check_chain
from a2ap.passport.event_type import EventType
from a2ap.passport.field_rules import check_fields
from a2ap.passport.finding import FindingCode, Severity
from a2ap.passport.passport import read_chain

GOOD = build_root(passport_id(1), at(1), AUTHOR, PAYLOAD, trace_id="trc_1")
SCHEMA = json.loads((files("a2ap.passport") / "context-passport.schema.json").read_text("utf-8"))
GONE = object()

MISSING, TYPE, FORM = FindingCode.FIELD_MISSING, FindingCode.FIELD_TYPE, FindingCode.FIELD_FORM
ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

CASES = [
    ("$schema", 1, TYPE, WARNING),
    ("$schema", "https://example.org/schema", FORM, WARNING),
    ("schema_version", GONE, MISSING, ERROR),
    ("schema_version", 1.0, TYPE, ERROR),
    ("schema_version", "3.0", FindingCode.VERSION_UNKNOWN, ERROR),
    ("schema_version", "2.0\n", FindingCode.VERSION_UNKNOWN, ERROR),
    ("id", GONE, MISSING, ERROR),
    ("id", 7, TYPE, ERROR),
    ("id", "ctx_1_XYZ", FORM, ERROR),
    ("id", "ctx_1714402299411_a7c2f9", FORM, WARNING),
    ("parent_id", GONE, MISSING, WARNING),
    ("parent_id", 7, TYPE, ERROR),
    ("parent_id", "the one before", FORM, WARNING),
    ("trace_id", 7, TYPE, ERROR),
    ("trace_id", "run 7", FORM, NOTE),
    ("branch_key", GONE, MISSING, ERROR),
    ("branch_key", None, TYPE, ERROR),
    ("branch_key", "", FORM, ERROR),
    ("created_by", GONE, MISSING, ERROR),
    ("created_by", "somebody", TYPE, ERROR),
    ("created_by.agent_id", GONE, MISSING, ERROR),
    ("created_by.agent_id", "", FORM, ERROR),
    ("created_by.agent_name", GONE, MISSING, ERROR),
    ("created_by.agent_name", None, TYPE, ERROR),
    ("created_by.role", 1, TYPE, WARNING),
    ("created_by.role", "king", FindingCode.FIELD_UNLISTED, NOTE),
    ("created_by.provider", [], TYPE, WARNING),
    ("created_by.provider", "acme", FindingCode.FIELD_UNLISTED, NOTE),
    ("created_by.model", 4, TYPE, WARNING),
    ("created_by.shoe_size", 44, FindingCode.MEMBER_UNKNOWN, WARNING),
    ("event", GONE, MISSING, ERROR),
    ("event.type", GONE, MISSING, ERROR),
    ("event.type", "commit\n", FORM, ERROR),
    ("event.type", "Commit", FORM, ERROR),
    ("event.type", "myorg.custom_type", FindingCode.EVENT_CUSTOM, NOTE),
    ("event.type", "custom", FindingCode.EVENT_UNKNOWN, WARNING),
    ("event.to_agent_id", 1, TYPE, ERROR),
    ("event.timestamp", GONE, MISSING, ERROR),
    ("event.timestamp", 1767225600, TYPE, ERROR),
    ("event.timestamp", "yesterday", FORM, ERROR),
    ("event.timestamp", "2026-02-30T00:00:00Z", FORM, ERROR),
    ("event.timestamp", "2026-01-01T00:00:00", FORM, WARNING),
    ("payload", "just a string", TYPE, ERROR),
    ("payload.input", 5, TYPE, WARNING),
    ("payload.output", ["a"], TYPE, WARNING),
    ("payload.memory", "x", TYPE, ERROR),
    ("payload.variables", [1], TYPE, ERROR),
    ("integrity", GONE, MISSING, ERROR),
    ("integrity.payload_hash", GONE, MISSING, ERROR),
    ("integrity.payload_hash", "sha256:ABC", FORM, ERROR),
    ("integrity.payload_hash", "a" * 64, FindingCode.HASH_BARE, WARNING),
    ("integrity.parent_hash", GONE, MISSING, WARNING),
    ("integrity.parent_hash", "md5:1", FORM, ERROR),
    ("integrity.integrity_hash", GONE, MISSING, ERROR),
    ("integrity.integrity_hash", None, TYPE, ERROR),
    ("integrity.verification_status", GONE, MISSING, WARNING),
    ("integrity.verification_status", "fine", FORM, WARNING),
    ("lineage", "x", TYPE, ERROR),
    ("lineage.fork_of", 1, TYPE, ERROR),
    ("lineage.fork_point", "here", FORM, WARNING),
    ("lineage.lineage_root", False, TYPE, ERROR),
    ("created_at", GONE, MISSING, WARNING),
    ("created_at", "now", FORM, ERROR),
    ("signature", "x", TYPE, ERROR),
    ("acme.field", 1, FindingCode.MEMBER_EXTENSION, NOTE),
    ("field", 1, FindingCode.MEMBER_UNKNOWN, WARNING),
]


def changed(path: str, value: Any) -> dict[str, Any]:
    members: dict[str, Any] = json.loads(json.dumps(GOOD))
    *holders, name = [path] if path.startswith("acme.") else path.split(".")
    holder = members
    for one in holders:
        holder = holder[one]
    holder.pop(name, None)
    if value is not GONE:
        holder[name] = value
    return members


def test_a_good_record_has_nothing_to_say_of():
    assert list(check_fields(read_one(GOOD))) == []


@pytest.mark.parametrize(("path", "value", "code", "severity"), CASES)
def test_each_rule_has_its_finding(path: str, value: Any, code: FindingCode, severity: Severity):
    found = [(f.code, f.severity, f.path) for f in check_fields(read_one(changed(path, value)))]
    assert found == [(code, severity, path)]


def test_every_member_of_the_field_reference_has_a_case():
    reference = {
        path for path in paths(GOOD) if path not in ("payload.output.n", "payload.memory.a", "payload.variables.x")
    }
    assert reference <= {case[0] for case in CASES} | {"event.to_agent_id"}


def paths(value: dict[str, Any], path: str = "") -> set[str]:
    found = set()
    for name, member in value.items():
        place = f"{path}.{name}" if path else name
        found |= {place} | (paths(member, place) if isinstance(member, dict) else set())
    return found


@pytest.mark.parametrize("kind", ["checkpoint", "audit"])
def test_a_checkpoint_and_an_audit_have_no_recipient(kind: str):
    members = changed("event", {**GOOD["event"], "type": kind, "to_agent_id": "urn:agent:w"})
    (found,) = check_fields(read_one(members))
    assert (found.code, found.path) == (FindingCode.FIELD_FORBIDDEN, "event.to_agent_id")


@pytest.mark.parametrize("kind", EventType)
def test_all_fifteen_types_are_known(kind: EventType):
    assert list(check_fields(read_one(changed("event", {**GOOD["event"], "type": kind})))) == []


def test_the_fifteen_types_are_fifteen():
    assert len(EventType) == 15


def test_a_member_that_stands_twice_is_found():
    text = b'{"id": "a", "payload": {"x": 1, "x": 2}}'
    found = [f for f in check_fields(read_chain(text).passports[0]) if f.code is FindingCode.MEMBER_TWICE]
    assert [(f.path, f.severity) for f in found] == [("x", ERROR)]


def test_the_record_that_the_specification_prints_is_read_and_its_placeholders_are_named():
    report = check_chain(chain_of([load_vectors("passport_template.json")]))
    faults = {finding.path for finding in report.all_findings if finding.severity is ERROR}
    assert {"id", "event.type", "event.timestamp", "created_at", "integrity.payload_hash"} <= faults
    assert not any(finding.code is FindingCode.MEMBER_UNKNOWN for finding in report.all_findings)


def test_a_name_with_a_dot_is_not_taken_for_a_path():
    found = spoilt(lambda records: records[0].update({"created_by.role": 1}), line(1))
    assert FindingCode.MEMBER_EXTENSION in codes(found)


# What the schema can say, said by a few lines of JSON Schema's rules.
_TYPES = {"object": dict, "string": str, "null": type(None)}


def fits(schema: dict[str, Any], value: Any) -> bool:
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(type(value) is _TYPES[kind] for kind in kinds):
        return False
    if isinstance(value, str):
        # ECMA-262: $ is the end of the text, and not what stands before a last line feed.
        pattern = schema.get("pattern", "").replace("$", r"\Z")
        return re.search(pattern, value) is not None and len(value) >= schema.get("minLength", 0)
    if isinstance(value, dict):
        parts = schema.get("properties", {})
        return all(name in value for name in schema.get("required", [])) and all(
            fits(part, value[name]) for name, part in parts.items() if name in value
        )
    return True


# A schema's format is only a remark, and some of our warnings are about types.
NOT_IN_SCHEMA = {("event.timestamp", FORM), ("created_at", FORM), ("schema_version", FORM)}


@pytest.mark.parametrize(("path", "value", "code", "severity"), CASES)
def test_the_schema_refuses_what_the_rules_call_an_error(path: str, value: Any, code: FindingCode, severity: Severity):
    refused = not fits(SCHEMA, changed(path, value))
    if severity is ERROR and (path, code) not in NOT_IN_SCHEMA:
        assert refused
    if refused:
        assert severity is ERROR or code is TYPE


def test_the_schema_takes_every_good_record_of_the_vectors():
    for vector in load_vectors("passport_chains.json"):
        for record in vector["passports"]:
            assert fits(SCHEMA, record) == ("missing_schema_version" not in vector["name"])
