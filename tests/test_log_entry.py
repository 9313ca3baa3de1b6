"""The leaf of an entry: RFC 8785 bytes that read back, and no other bytes for the same entry."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from a2ap.canonical import canonicalize
from a2ap.errors import LogFormatError
from a2ap.log.entry import LogEntry, entry_bytes, read_entry

ENTRY = LogEntry(
    log_index=7,
    v=1,
    origin="urn:agent:a2ap-node:0123456789abcdef",
    type="ProvenanceStatement",
    id="urn:uuid:00000000-0000-4000-8000-000000000001",
    document_hash="sha256:" + "0" * 64,
    signed_hash="sha256:" + "1" * 64,
    agent="urn:agent:test-1",
    key="urn:agent:test-1#key-1",
    received_at=datetime(2026, 1, 2, 3, 4, 5, 600, tzinfo=UTC),
)
LEAF = (
    b'{"agent":"urn:agent:test-1","documentHash":"sha256:' + b"0" * 64 + b'",'
    b'"id":"urn:uuid:00000000-0000-4000-8000-000000000001","key":"urn:agent:test-1#key-1",'
    b'"origin":"urn:agent:a2ap-node:0123456789abcdef","receivedAt":"2026-01-02T03:04:05.0006Z",'
    b'"signedHash":"sha256:' + b"1" * 64 + b'","type":"ProvenanceStatement","v":1}'
)

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
entries = st.builds(
    LogEntry,
    log_index=st.integers(0, 2**53),
    v=st.sampled_from([1, 2]),
    origin=words,
    type=words,
    id=words,
    document_hash=words,
    signed_hash=words,
    agent=words,
    key=words,
    received_at=st.datetimes(timezones=st.just(UTC)),
) | st.builds(
    replace,
    st.just(ENTRY),
    origin_index=st.integers(0, 2**53 - 1),
    origin_received_at=st.none() | st.datetimes(timezones=st.just(UTC)),
)


def changed(**members: Any) -> bytes:
    return canonicalize({**json.loads(LEAF), **members})


def test_the_leaf_of_an_entry_is_pinned() -> None:
    assert entry_bytes(ENTRY) == LEAF


@given(entries)
def test_an_entry_reads_back_from_its_leaf(entry: LogEntry) -> None:
    assert read_entry(entry_bytes(entry), entry.log_index) == entry


def test_the_place_of_an_entry_is_not_in_its_leaf() -> None:
    assert read_entry(LEAF, 8) != ENTRY
    assert entry_bytes(read_entry(LEAF, 8)) == LEAF


def test_the_place_at_a_peer_is_in_the_leaf() -> None:
    entry = read_entry(changed(originIndex=0), 7)
    assert (entry.origin_index, entry.first_received_at) == (0, ENTRY.received_at)
    assert entry_bytes(entry) != LEAF


def test_when_a_peer_received_it_is_in_the_leaf() -> None:
    entry = read_entry(changed(originIndex=0, originReceivedAt="2026-01-01T00:00:00Z"), 7)
    assert entry.first_received_at == datetime(2026, 1, 1, tzinfo=UTC)


def test_a_time_in_another_zone_gives_the_same_leaf() -> None:
    moved = ENTRY.received_at.astimezone(timezone(timedelta(hours=-5)))
    assert entry_bytes(LogEntry(**{n: getattr(ENTRY, n) for n in LogEntry.__slots__} | {"received_at": moved})) == LEAF


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "cannot be read"),
        (b"[]", "not a JSON object"),
        (LEAF + b"\n", "canonical form"),
        (LEAF.replace(b":", b": ", 1), "canonical form"),
        (json.dumps({"v": 1, **json.loads(LEAF)}, separators=(",", ":")).encode(), "canonical form"),
        (LEAF.replace(b"agent", b"\\u0061gent", 1), "canonical form"),
        (LEAF.replace(b'"v":1', b'"v":1.0'), "canonical form"),
        (LEAF.replace(b'"v":1', b'"v":1,"v":1'), "twice"),
        (changed(v=3), "v is 3"),
        (changed(v=2, originIndex=1), "a proof that was made to this one"),
        (changed(v=True), "v is true"),
        (changed(log_index=7), "unknown member 'log_index'"),
        (changed(agent=None), "agent is null"),
        (changed(key=["k"]), "key is"),
        (LEAF.replace(b'"id"', b'"ie"'), "unknown member 'ie'"),
        (changed(receivedAt="2026-01-02T03:04:05.000600Z"), "canonical form"),
        (changed(receivedAt="2026-01-02T03:04:05.0006001Z"), "canonical form"),
        (changed(receivedAt="2026-01-02T04:04:05.0006+01:00"), "canonical form"),
        (changed(receivedAt="2026-01-02T03:04:05.0006"), "without a zone"),
        (changed(receivedAt=1), "receivedAt"),
        (changed(originIndex=-1), "originIndex is -1"),
        (changed(originIndex=None), "originIndex is null"),
        (changed(originIndex="1"), "originIndex is"),
        (changed(originReceivedAt="2026-01-01T00:00:00Z"), "originReceivedAt without originIndex"),
        (changed(originIndex=0, originReceivedAt=None), "originReceivedAt"),
        (changed(originIndex=0, originReceivedAt="2026-01-01T00:00:00.0Z"), "canonical form"),
        (changed(id="x" * 65_535), "more than 65535"),
        (b"\xff", "not UTF-8"),
        (b'{"agent":"\\ud800"}', "lone surrogate"),
        (b"[" * 100_000, "levels deep"),
    ],
)
def test_other_bytes_are_no_leaf(data: bytes, problem: str) -> None:
    with pytest.raises(LogFormatError, match=problem):
        read_entry(data, 7)


def test_each_member_is_needed() -> None:
    for name in json.loads(LEAF):
        members = json.loads(LEAF)
        del members[name]
        with pytest.raises(LogFormatError, match=f"entry 7 cannot be read: {name}"):
            read_entry(canonicalize(members), 7)


def test_an_entry_longer_than_a_bundle_can_hold_is_not_written() -> None:
    long = LogEntry(**{n: getattr(ENTRY, n) for n in LogEntry.__slots__} | {"id": "x" * 65_535})
    with pytest.raises(ValueError, match="more than 65535"):
        entry_bytes(long)


@given(entries)
def test_the_leaf_is_in_the_canonical_form_of_json(entry: LogEntry) -> None:
    leaf = entry_bytes(entry)
    assert leaf == canonicalize(json.loads(leaf))
