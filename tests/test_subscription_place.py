"""Places in the log as cursors: what is written is read, and nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENT

from graph.errors import InputError
from graph.graphql.subscriptions.last_seen import NOT_SEEN, LastSeen, Seen, seen_as
from graph.graphql.subscriptions.place import Place, read_place, write_place
from graph.lists.span import MAX_PAGE

ORIGIN = "urn:agent:a2ap-node:0123456789abcdef"
WORDS = st.text(st.characters(codec="utf-8"), max_size=40)
HASHES = st.binary(min_size=32, max_size=32).map(lambda data: f"sha256:{data.hex()}")
SCORES = st.builds(seen_as, st.floats(0, 1), st.booleans())


@given(WORDS, st.integers(0, 2**40), WORDS)
@PATIENT
def test_a_place_is_read_as_it_was_written(origin: str, size: int, told: str) -> None:
    cursor = write_place(origin, Place(size, told))
    assert read_place(origin, size, cursor, "after") == Place(size, told)
    assert cursor.isascii() and "\n" not in cursor


@given(WORDS)
@PATIENT
def test_nothing_else_is_a_cursor(text: str) -> None:
    with pytest.raises(InputError, match="after is no cursor"):
        read_place(ORIGIN, 10, text, "after")


def test_a_cursor_of_another_log_or_behind_its_end_is_told_apart() -> None:
    with pytest.raises(InputError, match="after is a cursor of the log of urn:other, and this is the log of urn:agent"):
        read_place(ORIGIN, 10, write_place("urn:other", Place(3)), "after")
    with pytest.raises(InputError, match="Last-Event-ID is a cursor behind 11 entries, and this log has 10"):
        read_place(ORIGIN, 10, write_place(ORIGIN, Place(11)), "Last-Event-ID")
    with pytest.raises(InputError, match="behind -1 entries"):
        read_place(ORIGIN, 10, write_place(ORIGIN, Place(-1)), "after")


@given(st.dictionaries(HASHES, SCORES, max_size=20), HASHES)
@PATIENT
def test_what_was_seen_of_scores_is_read_as_it_was_written(scores: dict[str, Seen], unseen: str) -> None:
    seen, read = LastSeen(100), LastSeen(100)
    for name, score in scores.items():
        seen.put(name, score)
    read.read(seen.written([*scores, unseen]), "after")
    assert [read.put(name, NOT_SEEN) for name in scores] == list(scores.values())
    assert read.knows(unseen) is (unseen in scores)


def test_what_was_seen_of_a_whole_page_fits_into_a_cursor() -> None:
    seen, names = LastSeen(10 * MAX_PAGE), [f"sha256:{number:064x}" for number in range(1, 16 * MAX_PAGE, 16)]
    wide = [f"sha256:{name[-4:]}{name[11:]}" for name in names[:MAX_PAGE]]
    for name in wide:
        seen.put(name, Seen(0.5, True))
    cursor = write_place("urn:agent:" + "x" * 500, Place(2**40, seen.written(wide)))
    assert read_place("urn:agent:" + "x" * 500, 2**40, cursor, "after").size == 2**40


@pytest.mark.parametrize("text", ["AAAA", "é", "A" * 7])
def test_what_was_seen_is_whole_records(text: str) -> None:
    with pytest.raises(InputError, match="after is no cursor"):
        LastSeen(9).read(text, "after")
