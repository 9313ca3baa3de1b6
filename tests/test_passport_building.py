"""Making records: the profiles, what is refused, and bytes that stay as they were."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from passports import AUTHOR, BEGIN, PAYLOAD, Maker, at, chain_of, line, passport_id, read_one
from patience import PATIENT

from a2ap.passport.building import WRITTEN_PROFILES, Event, build_commit, build_root, new_passport_id, write_passport
from a2ap.passport.check_chain import check_chain
from a2ap.passport.errors import BuildError, NoFormError, PassportTextError
from a2ap.passport.finding import Status
from a2ap.passport.json_text import MAX_BYTES, read_value, write_value
from a2ap.passport.passport import append_passport, read_chain
from a2ap.passport.profile import PayloadProfile, payload_bytes


def test_an_id_is_milliseconds_and_six_bytes_of_chance():
    assert new_passport_id(BEGIN, bytes.fromhex("a7c2f9000102")) == "ctx_1767225600000_a7c2f9000102"
    with pytest.raises(ValueError, match="6 bytes"):
        new_passport_id(BEGIN, b"\x00")


def test_a_root_of_version_2_has_every_member_of_the_specification():
    made = build_root(passport_id(1), at(1), AUTHOR, {"input": "hello", "output": "world"})
    assert list(made) == [
        "$schema", "schema_version", "id", "parent_id", "trace_id", "branch_key", "created_by", "event", "payload",
        "integrity", "lineage", "created_at",
    ]  # fmt: skip
    # The vectors flat_ascii and v2.0_linear_3.
    assert made["integrity"]["integrity_hash"] == (
        "sha256:4dd235f0e5eb22441e8d6ac67e01b560a4db986bccb8d8aa117cbd00679ba691"
    )
    assert (made["schema_version"], made["branch_key"], made["parent_id"]) == ("2.0", "main", None)


@pytest.mark.parametrize(
    ("profile", "version"),
    [("v2", "2.0"), ("v1-python", "1.0"), ("v1-typescript", "1.0"), ("v1-literal", "1.0")],
)
def test_what_is_written_under_a_profile_is_found_under_it(profile: str, version: str):
    payload = {"input": "café", "output": {"10": 1.0, "9": 2}}
    made = build_root(passport_id(1), at(1), AUTHOR, payload, profile=PayloadProfile(profile))
    (record,) = check_chain(chain_of([made])).records
    assert made["schema_version"] == version
    assert record.match is not None
    assert record.match.profile == profile
    assert (record.status is Status.VALID) == (profile != "v1-literal")


def test_a_chain_of_mixed_versions_holds():
    maker = Maker(PayloadProfile.V1_PYTHON)
    maker.root({"output": "é"})
    maker.profile = PayloadProfile.V2
    maker.commit(0, {"output": "é"})
    assert check_chain(maker.chain).status is Status.VALID


def test_a_commit_stays_on_the_branch_and_in_the_run_of_its_parent():
    parent = build_root(passport_id(1), at(1), AUTHOR, PAYLOAD, branch="side", trace_id="trc_9")
    made = build_commit(passport_id(2), at(2), AUTHOR, PAYLOAD, read_one(parent))
    assert (made["branch_key"], made["trace_id"]) == ("side", "trc_9")
    assert made["parent_id"] == parent["id"]
    assert made["integrity"]["parent_hash"] == parent["integrity"]["integrity_hash"]


@pytest.mark.parametrize(
    ("payload", "more", "error"),
    [
        ("text", {}, BuildError),
        ({"memory": "x"}, {}, BuildError),
        ({"n": 2**53}, {}, NoFormError),
        ({"s": "\ud800"}, {}, NoFormError),
        ({}, {"event": Event("custom")}, BuildError),
        ({}, {"event": Event("commit\n")}, BuildError),
        ({}, {"event": Event("audit", "urn:agent:w")}, BuildError),
        ({}, {"branch": ""}, BuildError),
        ({}, {"profile": PayloadProfile.V2_PYTHON}, BuildError),
    ],
)
def test_what_would_be_no_good_record_is_not_made(payload: Any, more: dict[str, Any], error: type[Exception]):
    with pytest.raises(error):
        build_root(passport_id(1), at(1), AUTHOR, payload, **more)


def test_nothing_follows_a_record_without_hash():
    parent = read_one({"id": passport_id(1)})
    with pytest.raises(BuildError):
        build_commit(passport_id(2), at(2), AUTHOR, {}, parent)


def test_all_bytes_of_a_file_stay_when_a_record_is_added():
    records = line(3)
    for text in (
        b" " + json.dumps(records[:2]).encode() + b"\n\n",
        json.dumps(records[0], indent=7).encode(),
        b"\t" + json.dumps(records[0], ensure_ascii=False).encode() + b"\n",
        b"[ ]",
    ):
        before = read_chain(text)
        after = read_chain(append_passport(before, write_passport(records[2])))
        kept = [one.data for one in before.passports]
        assert [one.data for one in after.passports] == [*kept, write_passport(records[2])]
        assert all(data in text for data in kept)
        assert before.data == text


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@PATIENT
@given(values)
def test_what_is_read_is_written_with_the_same_bytes(value: Any):
    data = write_value(value)
    piece = read_value(data)
    assert piece.data == data == write_value(piece.value)
    indented = write_value(value, indent=2)
    assert read_value(b" \n" + indented + b"\t").data == indented


payloads = st.dictionaries(st.sampled_from(["input", "output", "acme.x"]), values, max_size=3)


@PATIENT
@given(payloads, payloads, st.sampled_from(WRITTEN_PROFILES))
def test_what_is_made_of_any_payload_holds_and_does_not_for_another(payload: Any, other: Any, profile: PayloadProfile):
    try:
        made = build_root(passport_id(1), at(1), AUTHOR, payload, profile=profile)
    except NoFormError:
        return
    (record,) = check_chain(read_chain(write_passport(made))).records
    assert record.match is not None
    assert (record.status is Status.VALID) == (not record.match.uncovered)
    if write_value(payload) != write_value(other):
        try:
            same = payload_bytes(PayloadProfile.V2, payload) == payload_bytes(PayloadProfile.V2, other)
        except NoFormError:
            return
        changed = check_chain(chain_of([{**made, "payload": other}]))
        # 1.0 and 1 are one number to RFC 8785, and to whoever reads JSON.
        assert same or changed.status is not Status.VALID


def test_numbers_keep_their_kind_and_lone_surrogates_their_escapes():
    data = b'{"a":1.0,"b":123456789012345678901234567890,"c":"\\ud800","d":-0.0}'
    assert write_value(read_value(data).value) == data


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[1,]",
        b"[{} {}]",
        b"{} {}",
        b"\xff",
        b"\xef\xbb\xbf{}",
        b'{"a": NaN}',
        b"[" * 100_000,
        b'{"a":' * 70 + b"1" + b"}" * 70,
        b'{"n": ' + b"9" * 500 + b"}",
        b"7",
        b'[{}, "x"]',
        b" " * (MAX_BYTES + 1),
    ],
    ids=range(14),
)
def test_what_is_no_chain_is_one_clear_error(data: bytes):
    with pytest.raises(PassportTextError):
        read_chain(data)
