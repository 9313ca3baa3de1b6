"""Many documents as one body: as a sequence they keep every byte, as lines all but their line ends."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from a2ap.client.documents import batches, is_element, sequence_of
from a2ap.json_text import MAX_BYTES
from graph.http.document_stream import JSON_SEQUENCE, NDJSON, read_documents

DOCUMENTS = st.lists(st.binary(max_size=40).map(lambda data: data.replace(b"\x1e", b"")), max_size=12)
LINES = st.lists(st.binary(min_size=1, max_size=40).map(lambda data: b"x" + data.translate(None, b"\r\n")), max_size=12)


def read(body: bytes, media_type: str = JSON_SEQUENCE) -> list[bytes]:
    return list(read_documents(io.BytesIO(body), media_type))


@given(DOCUMENTS)
def test_what_is_sent_as_a_sequence_arrives_byte_for_byte(documents: list[bytes]) -> None:
    assert read(sequence_of(documents)) == documents


@given(LINES, st.sampled_from([b"\n", b"\r\n", b"\n\n \n"]))
def test_lines_are_documents_and_white_space_is_none(lines: list[bytes], end: bytes) -> None:
    assert read(end.join(lines), NDJSON) == lines


@pytest.mark.parametrize("length", [65_535, 65_536, MAX_BYTES])
def test_a_document_may_end_anywhere_in_what_is_read_at_once(length: int) -> None:
    documents = [b"1" * length, b"{}\n\n", b"2" * length]
    assert read(sequence_of(documents)) == documents


@pytest.mark.parametrize("media_type", [JSON_SEQUENCE, NDJSON])
def test_of_what_is_too_long_no_more_is_kept_than_shows_it(media_type: str) -> None:
    bodies = {
        JSON_SEQUENCE: sequence_of([b"{}", b" " * (3 * MAX_BYTES), b"[]"]),
        NDJSON: b"{}\n" + b"x" * (3 * MAX_BYTES) + b"\n[]",
    }
    first, long, last = read(bodies[media_type], media_type)
    assert (first, last) == (b"{}", b"[]") and MAX_BYTES < len(long) <= MAX_BYTES + 2


def test_what_stands_ahead_of_the_first_separator_is_not_lost() -> None:
    assert read(b"{}\n\x1e[]\n") == [b"{}", b"[]"]
    assert read(b"") == []


def test_a_batch_has_a_thousand_documents_or_sixteen_mebibytes() -> None:
    assert [len(batch) for batch in batches([b"{}"] * 2500)] == [1000, 1000, 500]
    assert [len(batch) for batch in batches([b"x" * MAX_BYTES] * 20)] == [16, 4]
    assert list(batches([])) == []


def test_what_cannot_be_in_a_sequence_is_sent_alone() -> None:
    assert list(batches([b"a", b"\x1e", b"b", b"c"])) == [[b"a"], [b"\x1e"], [b"b", b"c"]]
    assert not is_element(b"\x1e") and is_element(b"\r\n")
