"""Signatures of records: every vector, every member that a signature binds, and keys that somebody knows or nobody."""

import base64
import json
from typing import Any

import pytest
from passports import AUTHOR, PAYLOAD, at, chain_of, codes, line, passport_id, read_one
from vectors_file import load_vectors

from a2ap.passport.building import Author, build_root, sign_record
from a2ap.passport.check_chain import RecordReport, check_chain
from a2ap.passport.finding import FindingCode, Status
from a2ap.passport.passport import read_chain
from a2ap.passport.profile import PayloadProfile
from a2ap.passport.signature import Signing, check_signature, signed_bytes
from a2ap.signing.keys import PublicKey, SigningKey

SIGNED = {vector["name"]: vector for vector in load_vectors("passport_signatures.json")}
KEY = SigningKey(bytes(range(32)))
OTHER = SigningKey(bytes(32))
KNOWN = {"test-key-1": KEY.public_key}
OWN = {f"{AUTHOR.agent_id}#1": KEY.public_key}

GOOD = {"v1.0_signed_float_1_0", "v2.0_signed_unicode", "v1.0_signed_but_integrity_wrong"}


def checked(members: dict[str, Any], known: dict[str, PublicKey]) -> RecordReport:
    return check_chain(chain_of([members]), known_keys=known).records[0]


def signed(profile: PayloadProfile = PayloadProfile.V2) -> dict[str, Any]:
    made = build_root(passport_id(1), at(1), AUTHOR, PAYLOAD, profile=profile)
    return sign_record({**made, "acme.note": {"kept": True}}, KEY, f"{AUTHOR.agent_id}#1")


@pytest.mark.parametrize("name", SIGNED)
def test_a_signature_holds_where_its_version_s_library_says_so_and_the_key_is_the_known_one(name: str):
    found = checked(SIGNED[name]["passport"], KNOWN)
    assert (found.signing is Signing.HOLDS) == (name in GOOD)
    assert (found.signing is Signing.FAILS) == (name not in GOOD)
    # The library of the record's own version agrees, but that it takes any key that a record carries.
    library = "py_1_0_1" if name.startswith("v1.0") else "py_2_0_0"
    assert SIGNED[name]["libraries"][library] == (name in GOOD or "resigned" in name)


def test_the_vectors_are_all_there():
    assert len(SIGNED) == 12


def test_a_record_signed_again_by_another_is_told_by_a_known_key_and_by_nothing_else():
    for version in ("v1.0", "v2.0"):
        members = SIGNED[f"{version}_resigned_by_other_key_same_key_id"]["passport"]
        assert checked(members, {}).signing is Signing.HOLDS_FOR_SOMEBODY
        assert FindingCode.SIGNATURE_KEY_UNKNOWN in {f.code for f in checked(members, {}).findings}
        assert checked(members, {}).not_bound
        assert FindingCode.SIGNATURE_KEY_OTHER in {f.code for f in checked(members, KNOWN).findings}


def test_a_good_signature_does_not_excuse_a_wrong_hash():
    found = checked(SIGNED["v1.0_signed_but_integrity_wrong"]["passport"], KNOWN)
    assert found.signing is Signing.HOLDS
    assert found.status is Status.BROKEN
    assert FindingCode.PAYLOAD_HASH_MISMATCH in {f.code for f in found.findings}


@pytest.mark.parametrize("name", ["v1.0_sig_unpadded_base64", "v2.0_sig_unpadded_base64", "v2.0_sig_trailing_byte"])
def test_one_spelling_of_a_signature_is_taken(name: str):
    assert FindingCode.SIGNATURE_ENCODING in {f.code for f in checked(SIGNED[name]["passport"], KNOWN).findings}


def test_a_signature_under_a_known_key_binds_every_member():
    for profile in (
        PayloadProfile.V2,
        PayloadProfile.V1_PYTHON,
        PayloadProfile.V1_TYPESCRIPT,
        PayloadProfile.V1_LITERAL,
    ):
        found = checked(signed(profile), OWN)
        assert (found.signing, found.not_bound) == (Signing.HOLDS, ())


def test_a_signature_covers_what_the_literal_formula_leaves_out():
    found = checked(signed(PayloadProfile.V1_LITERAL), OWN)
    assert found.status is Status.VALID
    assert FindingCode.PAYLOAD_NOT_COVERED in {f.code for f in found.findings}
    assert checked(signed(PayloadProfile.V1_LITERAL), {}).status is Status.UNVERIFIED


def leaves(value: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if isinstance(value, dict) and value:
        return [leaf for name, member in value.items() for leaf in leaves(member, (*path, name))]
    return [path]


@pytest.mark.parametrize("path", leaves(signed()), ids=".".join)
def test_a_change_of_any_member_breaks_the_signature(path: tuple[str, ...]):
    members = json.loads(json.dumps(signed()))
    holder = members
    for name in path[:-1]:
        holder = holder[name]
    holder[path[-1]] = "changed"
    found = check_signature(read_one(members), OWN)
    assert found.signing not in (Signing.HOLDS, Signing.NONE)
    del holder[path[-1]]
    assert check_signature(read_one(members), OWN).signing not in (Signing.HOLDS, Signing.NONE)


def test_a_key_of_one_agent_does_not_sign_for_another():
    members = build_root(passport_id(1), at(1), Author("urn:agent:other", "Other"), PAYLOAD)
    found = checked(sign_record(members, KEY, f"{AUTHOR.agent_id}#1"), OWN)
    assert found.signing is Signing.FAILS
    assert FindingCode.SIGNATURE_AGENT_OTHER in {f.code for f in found.findings}


def test_an_agent_that_is_named_by_its_key_needs_nobody_to_vouch_for_it():
    author = Author(KEY.public_key.did_key, "Itself")
    members = build_root(passport_id(1), at(1), author, PAYLOAD)
    assert checked(sign_record(members, KEY, "any"), {}).signing is Signing.HOLDS
    assert checked(sign_record(members, OTHER, "any"), {}).signing is Signing.FAILS


def test_a_key_may_be_known_and_not_carried():
    members = signed()
    block = members["signature"]
    unsigned = {**members, "signature": {**block, "public_key": None, "signature": ""}}
    value = base64.b64encode(KEY.sign(signed_bytes(unsigned, PayloadProfile.V2))).decode()
    unsigned["signature"]["signature"] = value
    assert checked(unsigned, OWN).signing is Signing.HOLDS
    assert checked(unsigned, {}).signing is Signing.UNCHECKED
    assert checked(unsigned, {}).status is Status.UNVERIFIED


def test_other_algorithms_are_said_not_to_be_checked():
    members = signed()
    members["signature"]["algorithm"] = "ecdsa-p256"
    found = checked(members, OWN)
    assert (found.signing, found.status) == (Signing.UNCHECKED, Status.UNVERIFIED)


def test_a_typescript_form_that_drops_a_member_signs_nothing():
    members = build_root(passport_id(1), at(1), AUTHOR, {"input": "pay"}, profile=PayloadProfile.V1_TYPESCRIPT)
    data = json.dumps(sign_record(members, KEY, f"{AUTHOR.agent_id}#1")).encode()
    added = data.replace(b'"input": "pay"', b'"input": "pay", "__proto__": {"amount": 9}')
    report = check_chain(read_chain(added), known_keys=OWN).records[0]
    assert report.signing is Signing.FAILS
    assert FindingCode.PAYLOAD_NOT_COVERED in {f.code for f in report.findings}


def test_an_unsigned_chain_says_what_nothing_binds():
    report = check_chain(chain_of(line(2)))
    assert FindingCode.NOT_BOUND in codes(report, 0)
    assert {"id", "created_by", "event", "trace_id", "branch_key", "lineage", "created_at"} <= set(
        report.records[0].not_bound
    )
    assert "payload" not in report.records[0].not_bound
