"""Whose asking has a graph of the past made, which one gives way, and for how long one is made."""

import pytest

from graph.errors import TooManySizesError
from graph.past.places import INTEREST, MOST_SIZES, MOST_SIZES_WITHOUT_TOKEN, Kept, Places
from graph.requests.share import Share

A, B, C = (Share(name, has_token=True) for name in "abc")


def taken(places: Places, size: int, share: Share, now: float, *, is_made: bool = True) -> Kept:
    """Return the graph of a size that was asked for in a share, and, where it was made, given back."""
    kept = places.take(size, share, now)
    assert kept is not None
    if is_made:
        kept.is_making = False
        kept.users -= 1
    return kept


def sizes(places: Places) -> list[int]:
    return sorted(kept.size for kept in places)


def test_one_reader_has_one_graph_made_at_a_time() -> None:
    places = Places(2)
    first = taken(places, 9, A, 0, is_made=False)
    assert places.take(8, A, 1) is None
    assert places.take(9, A, 1) is first
    assert taken(places, 8, B, 1) is not first
    first.is_making = False
    first.users = 0
    assert taken(places, 7, A, 2).size == 7


def test_a_graph_of_another_reader_gives_way_after_those_of_ones_own() -> None:
    places = Places(2)
    taken(places, 50, A, 0)
    for now, size in enumerate((99, 98, 97, 96), start=1):
        taken(places, size, B, now)
        assert sizes(places) == [50, size]
    assert [kept.size for kept in places.removable()] == [99, 98, 97]
    assert not places.removable()


def test_what_nobody_has_asked_for_in_a_minute_gives_way_first() -> None:
    places = Places(2)
    taken(places, 50, A, 0)
    taken(places, 60, B, INTEREST)
    taken(places, 40, B, INTEREST + 1)
    assert sizes(places) == [40, 60]


def test_a_smaller_graph_grows_and_one_that_is_read_stays() -> None:
    places = Places(2)
    small = taken(places, 5, A, 0)
    read = taken(places, 9, A, 1)
    read.users = 1
    grown = places.take(20, B, 2)
    assert grown is small and (grown.size, grown.share, grown.made, grown.is_making) == (20, B, None, True)
    assert places.take(30, C, 3) is None
    assert sizes(places) == [9, 20]


def test_a_reader_has_so_many_graphs_made_within_a_minute() -> None:
    places = Places(2)
    for size in range(MOST_SIZES):
        taken(places, size + 1, A, size)
    taken(places, MOST_SIZES, A, MOST_SIZES)
    with pytest.raises(TooManySizesError, match="10 graphs of the past were made for this reader within a minute"):
        places.take(50, A, MOST_SIZES)
    taken(places, 51, B, MOST_SIZES)
    taken(places, 50, A, 60)


def test_a_graph_is_made_while_somebody_waits_or_may_ask_again() -> None:
    places = Places(1)
    kept = taken(places, 5, A, 10, is_made=False)
    assert kept.is_wanted(10 + 2 * INTEREST)
    kept.users = 0
    assert kept.is_wanted(10 + INTEREST) and not kept.is_wanted(11 + INTEREST)
    places.drop(kept)
    assert not kept.is_wanted(10)
    # What is dropped while it is made is removed once nobody writes into it.
    assert places.removable() == []
    kept.is_making = False
    assert places.removable() == [kept]


def address(number: int) -> Share:
    return Share(f"2001:db8:{number:x}::/64", has_token=False)


def test_all_readers_without_a_token_have_one_graph_made_at_a_time() -> None:
    places = Places(3)
    taken(places, 9, address(1), 0, is_made=False)
    assert places.take(8, address(2), 1) is None
    taken(places, 8, A, 1, is_made=False)
    assert sizes(places) == [8, 9]


def test_all_readers_without_a_token_have_so_many_graphs_made_within_a_minute() -> None:
    places = Places(2)
    for number in range(MOST_SIZES_WITHOUT_TOKEN):
        taken(places, number + 1, address(number), 0)
    with pytest.raises(TooManySizesError, match="30 graphs of the past were made for readers without a token"):
        places.take(50, address(99), 1)
    taken(places, 50, A, 1)
    taken(places, 51, address(99), 60)


def test_what_a_reader_with_a_token_asks_for_gives_way_to_no_reader_without() -> None:
    places = Places(2)
    taken(places, 50, address(1), 0)
    taken(places, 50, A, 1)  # it is that reader's from now on
    for number in range(5):
        taken(places, 99 - number, address(number), 2 + number)
        assert sizes(places) == [50, 99 - number]
    taken(places, 70, B, 10)
    assert sizes(places) == [50, 70]
    assert places.take(80, address(6), 11) is None
    taken(places, 80, address(6), 12 + INTEREST)
    assert sizes(places) == [70, 80]


def test_a_reader_with_a_token_waits_for_no_reader_without() -> None:
    places = Places(2)
    read = taken(places, 60, address(1), 0)
    read.users = 1
    making = taken(places, 50, address(2), 1, is_made=False)
    taken(places, 70, A, 2)
    assert sizes(places) == [50, 70] and places.removable() == []
    taken(places, 80, B, 3)
    assert sizes(places) == [70, 80] and not making.is_wanted(3)
    taken(places, 75, C, 4)
    assert sizes(places) == [75, 80]
    read.users, making.is_making, making.users = 0, False, 0
    assert places.removable() == [read, making]
