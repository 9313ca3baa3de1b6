"""Evidence segments: ranges, cue times, hashes, quotes."""

from typing import Any

import pytest
from builders import QUOTE, SOURCE, SOURCE_ID, segment, statement_message
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENT
from refusals import (
    MISSING,
    NOT_HASHES,
    NOT_IDS,
    NOT_OBJECTS,
    NOT_SHARES,
    assert_refused,
    with_member,
)

from a2ap.canonical import sha256_digest
from a2ap.errors import FieldError
from a2ap.identifiers import generate_chunk_id
from a2ap.messages.evidence import ByteRange, CueRange, build_segment, read_segment

MESSAGE = statement_message()


def test_every_member_of_a_segment_is_read() -> None:
    read = read_segment(segment(), "evidence[0]", {})
    start = SOURCE.index(QUOTE.encode())
    assert read.source_document == SOURCE_ID
    assert read.document_hash == sha256_digest(SOURCE)
    assert read.chunk_id == generate_chunk_id(SOURCE_ID, start)
    assert read.content_hash == sha256_digest(QUOTE.encode())
    assert read.byte_range == ByteRange(start, start + len(QUOTE))
    assert read.timestamp == CueRange("00:02:15", "00:02:19", 135_400, 138_900)
    assert read.quote_text == QUOTE
    assert read.relevance_score == 0.88


def test_a_pointer_alone_is_evidence() -> None:
    read = read_segment(build_segment("urn:doc:d", 0, 1), "evidence[0]", {})
    assert (read.document_hash, read.content_hash, read.timestamp, read.quote_text, read.relevance_score) == (None,) * 5


def test_a_chunk_id_of_others_is_kept() -> None:
    wire = build_segment("urn:doc:d", 0, 1, chunk_id="urn:chunk:abc-def-123")
    assert read_segment(wire, "evidence[0]", {}).chunk_id == "urn:chunk:abc-def-123"


@PATIENT
@given(st.integers(0, 10**9), st.integers(0, 10**6))
def test_cue_times_are_widened_on_the_wire_and_exact_beside_it(start: int, length: int) -> None:
    wire = build_segment("urn:doc:d", 0, 1, start_ms=start, end_ms=start + length)
    cue = read_segment(wire, "evidence[0]", {}).timestamp
    assert cue is not None
    assert (cue.start_ms, cue.end_ms) == (start, start + length)
    assert len(cue.start) >= 8 and "." not in cue.start + cue.end


def test_cue_times_of_the_specification_are_whole_seconds() -> None:
    wire = {**segment(), "timestamp": {"start": "00:02:15", "end": "00:02:47"}}
    assert read_segment(wire, "evidence[0]", {}).timestamp == CueRange("00:02:15", "00:02:47", 135_000, 167_000)


def test_cue_times_may_have_milliseconds_in_the_text() -> None:
    wire = {**segment(), "timestamp": {"start": "00:02:15.250", "end": "00:02:15.250", "endMilliseconds": 135_250}}
    cue = read_segment(wire, "evidence[0]", {}).timestamp
    assert cue is not None and (cue.start_ms, cue.end_ms) == (135_250, 135_250)


BAD_RANGES: list[tuple[Any, str, str]] = [
    ({"start": 10, "end": 9}, "", "is 10 to 9; the end must come after the start"),
    ({"start": 10, "end": 10}, "", "is 10 to 10; the end must come after the start"),
    ({"start": -1, "end": 9}, ".start", "is -1, not an integer from 0 to 2147483647"),
    ({"start": 0, "end": 2**31}, ".end", "is 2147483648, not an integer from 0 to 2147483647"),
    ({"start": 2**31, "end": 2**31 + 1}, ".start", "not an integer from 0 to 2147483647"),
    ({"start": 0.5, "end": 9}, ".start", "is 0.5, not an integer"),
    ({"start": "0", "end": 9}, ".start", 'is "0", not an integer'),
    ({"start": False, "end": 9}, ".start", "is false, not an integer"),
    ({"start": 0, "end": None}, ".end", "is null, not an integer"),
    ({"start": 0}, ".end", "is missing"),
    ({"end": 9}, ".start", "is missing"),
]


@pytest.mark.parametrize(("value", "place", "problem"), BAD_RANGES)
def test_a_byte_range_is_half_open_ascending_and_below_2_to_the_31(value: Any, place: str, problem: str) -> None:
    assert_refused(MESSAGE, "evidence[0].byteRange", value, problem, at="evidence[0].byteRange" + place)


BAD_CUES: list[tuple[Any, str]] = [
    ({"start": "00:02:47", "end": "00:02:15"}, ""),
    ({"start": "00:02:15", "end": "00:02:47", "startMilliseconds": 134_999}, ".startMilliseconds"),
    ({"start": "00:02:15", "end": "00:02:47", "startMilliseconds": 136_000}, ".startMilliseconds"),
    ({"start": "00:02:15", "end": "00:02:47", "endMilliseconds": 167_001}, ".endMilliseconds"),
    ({"start": "00:02:15", "end": "00:02:47", "endMilliseconds": 166_000}, ".endMilliseconds"),
    ({"start": "00:02:15.250", "end": "00:02:47", "startMilliseconds": 135_251}, ".startMilliseconds"),
    ({"start": "00:02:15", "end": "00:02:47", "startMilliseconds": "135000"}, ".startMilliseconds"),
    ({"start": "00:02:15", "end": "00:02:15", "startMilliseconds": 135_900, "endMilliseconds": 135_000}, ""),
    ({"start": "2:15", "end": "00:02:47"}, ".start"),
    ({"start": "00:02:15", "end": 167}, ".end"),
    ({"start": "00:02:15"}, ".end"),
    ("00:02:15", ""),
    (None, ""),
]


@pytest.mark.parametrize(("value", "place"), BAD_CUES)
def test_cue_times_that_disagree_or_run_backwards_are_refused(value: Any, place: str) -> None:
    assert_refused(MESSAGE, "evidence[0].timestamp", value, at="evidence[0].timestamp" + place)


WRONG: list[tuple[str, list[Any]]] = [
    ("sourceDocument", NOT_IDS),
    ("chunkId", NOT_IDS),
    ("documentHash", NOT_HASHES),
    ("contentHash", NOT_HASHES),
    ("byteRange", NOT_OBJECTS),
    ("quoteText", [None, 1, True, [], {}]),
    ("relevanceScore", NOT_SHARES),
]


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG for value in values])
def test_a_wrong_value_is_refused_at_its_place(name: str, value: Any) -> None:
    assert_refused(MESSAGE, f"evidence[0].{name}", value)


@pytest.mark.parametrize("name", ["sourceDocument", "chunkId", "byteRange"])
def test_a_missing_member_is_named(name: str) -> None:
    assert_refused(MESSAGE, f"evidence[0].{name}", MISSING)


def test_the_place_names_the_segment() -> None:
    message = statement_message(evidence=[segment(), segment()])
    assert_refused(message, "evidence[1].quoteText", 5, "is 5, neither a text nor a digest of one")


def test_a_cue_is_built_with_both_ends_or_none() -> None:
    with pytest.raises(ValueError):
        build_segment("urn:doc:d", 0, 1, start_ms=5)


def test_a_segment_that_is_no_object_is_refused() -> None:
    with pytest.raises(FieldError, match=r"evidence\[3\] is not an object"):
        read_segment("x", "evidence[3]", {})
    assert with_member({"a": [1]}, "a[0]", 2) == {"a": [2]}
