"""Pages of lists: the cases of Relay's connections, and cursors that stay where they are."""

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import InputError
from graph.graphql.connection import Connection, connect, connect_known
from graph.graphql.context import Budget
from graph.graphql.node import decode_global_id, encode_global_id
from graph.lists.cursor import Key, Ordering, decode_cursor, encode_cursor
from graph.lists.ordered import read_from_end
from graph.lists.span import MAX_COUNTED, MAX_PAGE, Span
from graph.store import Row

LETTERS = Ordering("letters", (int,))
ENTRIES = [((number,), letter) for number, letter in enumerate("ABCDE")]
A, B, C, D, E = (encode_cursor(LETTERS, key) for key, _ in ENTRIES)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
KEYS: dict[type, st.SearchStrategy[Any]] = {
    int: st.integers(-(2**63), 2**63 - 1),
    float: st.floats(-1e15, 1e15) | st.integers(-(2**53), 2**53),
    str: TEXTS,
}


def page(first: int | None = None, after: str | None = None, last: int | None = None, before: str | None = None) -> Any:
    found = connect_known(Span.asked(LETTERS, first, after, last, before), ENTRIES)
    info = found.page_info
    ends = (found.edges[0].cursor, found.edges[-1].cursor) if found.edges else (None, None)
    assert (info.start_cursor, info.end_cursor) == ends
    return "".join(edge.node for edge in found.edges), info.has_previous_page, info.has_next_page


# After the cases of graphql-relay; there a page says nothing of what is ahead of `after` and behind `before`.
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, ("ABCDE", False, False)),
        ({"first": 2}, ("AB", False, True)),
        ({"first": 10}, ("ABCDE", False, False)),
        ({"last": 2}, ("DE", True, False)),
        ({"last": 10}, ("ABCDE", False, False)),
        ({"first": 2, "after": B}, ("CD", True, True)),
        ({"first": 10, "after": B}, ("CDE", True, False)),
        ({"last": 2, "before": D}, ("BC", True, True)),
        ({"last": 10, "before": D}, ("ABC", False, True)),
        ({"first": 2, "after": A, "before": E}, ("BC", True, True)),
        ({"first": 4, "after": A, "before": E}, ("BCD", True, False)),
        ({"first": 3, "after": A, "before": E}, ("BCD", True, False)),
        ({"last": 2, "after": A, "before": E}, ("CD", True, True)),
        ({"last": 4, "after": A, "before": E}, ("BCD", False, True)),
        ({"last": 3, "after": A, "before": E}, ("BCD", False, True)),
        ({"before": C, "after": E}, ("", True, False)),
        ({"after": E}, ("", True, False)),
        ({"last": 1, "before": A}, ("", False, True)),
    ],
)
def test_a_page_is_what_its_arguments_say(arguments: dict[str, Any], expected: tuple[str, bool, bool]) -> None:
    assert page(**arguments) == expected


@pytest.mark.parametrize(
    ("arguments", "message", "path"),
    [
        ({"first": 0}, "first is 0, not from 1 to 200", "first"),
        ({"last": MAX_PAGE + 1}, "last is 201, not from 1 to 200", "last"),
        ({"first": 1, "last": 1}, "first and last are given, not one of them", "last"),
        ({"after": "!"}, "after is no cursor of this node", "after"),
        ({"before": encode_cursor(LETTERS, (7,))}, "before is the cursor of nothing in this list", "before"),
        (
            {"after": encode_cursor(Ordering("letters", descending=True), (1,))},
            "after is a cursor of letters DESC, not of letters ASC",
            "after",
        ),
    ],
)
def test_arguments_that_make_no_page_are_refused(arguments: dict[str, Any], message: str, path: str) -> None:
    with pytest.raises(InputError) as refused:
        page(**arguments)
    assert (str(refused.value), refused.value.path) == (message, path)


@given(
    st.lists(st.sampled_from([int, float, str]), min_size=1, max_size=3).flatmap(
        lambda types: st.tuples(st.just(tuple(types)), st.tuples(*(KEYS[one] for one in types)))
    )
)
def test_a_cursor_holds_its_key(case: tuple[tuple[type, ...], Key]) -> None:
    types, key = case
    ordering = Ordering("things", types)
    cursor = encode_cursor(ordering, key)
    assert set(cursor) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    assert decode_cursor(ordering, cursor, "after") == key
    with pytest.raises(InputError):
        decode_cursor(Ordering("other things", types), cursor, "after")


@given(TEXTS | st.binary().map(lambda data: base64.urlsafe_b64encode(data).decode()))
def test_what_is_no_cursor_is_refused_in_one_way(text: str) -> None:
    with pytest.raises(InputError, match=r"^after is no cursor of this node$"):
        decode_cursor(LETTERS, text, "after")


@pytest.mark.parametrize(
    "inside",
    [
        [1, "letters ASC"],
        [1, "letters ASC", "1"],
        [1, "letters ASC", True],
        [1, "letters ASC", 1.0],
        [1, "letters ASC", 2**63],
        [1, "letters ASC", 1, 2],
        [2, "letters ASC", 1],
        [True, "letters ASC", 1],
        {"letters": 1},
        "[" * 1500,
    ],
)
def test_a_cursor_that_was_changed_is_refused(inside: Any) -> None:
    text = inside if isinstance(inside, str) else json.dumps(inside, separators=(",", ":"))
    with pytest.raises(InputError, match=r"^after is no cursor of this node$"):
        decode_cursor(LETTERS, base64.urlsafe_b64encode(text.encode()).decode().rstrip("="), "after")


def test_a_cursor_has_one_spelling() -> None:
    spaced = base64.urlsafe_b64encode(b'[1, "letters ASC", 1]').decode().rstrip("=")
    for text in (f"{B}=", f" {B}", spaced):
        with pytest.raises(InputError):
            decode_cursor(LETTERS, text, "after")


class Shelf:
    """A list in memory that is read as one in the graph is: by keys, from one end."""

    def __init__(self, numbers: set[int], ordering: Ordering) -> None:
        self.numbers = numbers
        self.ordering = ordering

    async def find(self, span: Span) -> list[Row]:
        low = -1 if span.low is None else int(span.low[0])
        high = 2**53 if span.high is None else int(span.high[0])

        async def read(start: int, end: int, limit: int) -> list[Row]:
            between = [one for one in self.numbers if start < one < end]
            return [{"log_index": one} for one in sorted(between, reverse=span.sign < 0)][:limit]

        top = max(self.numbers, default=-1) + 1
        return await read_from_end(read, read, low, min(high, top), span.sign, span.limit, places=3)

    async def show(self, rows: Any) -> list[int]:
        return [row["log_index"] for row in rows]

    async def page(self, **arguments: Any) -> Connection[int]:
        asked = {name: arguments.get(name) for name in ("first", "after", "last", "before")}
        return await connect(Span.asked(self.ordering, **asked), self.find, self.show)


SHELVES = st.builds(
    Shelf,
    st.sets(st.integers(0, 3000), max_size=60),
    st.builds(Ordering, st.just("numbers"), st.just((int,)), st.booleans()),
)


async def walked(shelf: Shelf, size: int, *, forward: bool) -> list[int]:
    found: list[int] = []
    arguments: dict[str, Any] = {"first" if forward else "last": size}
    while True:
        shown = await shelf.page(**arguments)
        part = [edge.node for edge in shown.edges]
        found = found + part if forward else part + found
        info = shown.page_info
        if not (info.has_next_page if forward else info.has_previous_page):
            return found
        arguments["after" if forward else "before"] = info.end_cursor if forward else info.start_cursor


@given(SHELVES, st.integers(1, MAX_PAGE), st.booleans())
async def test_walking_by_any_page_gives_the_whole_list_once_each(shelf: Shelf, size: int, forward: bool) -> None:
    assert await walked(shelf, size, forward=forward) == sorted(shelf.numbers, reverse=shelf.ordering.descending)
    assert await (await shelf.page()).counted(Budget().spend) == len(shelf.numbers)


@given(SHELVES, st.sets(st.integers(0, 3000), max_size=20), st.integers(1, 20))
async def test_what_is_added_meanwhile_moves_no_cursor(shelf: Shelf, added: set[int], size: int) -> None:
    before = await shelf.page(first=size)
    shelf.numbers = shelf.numbers | added
    if before.page_info.end_cursor is None:
        return
    last = before.edges[-1].node
    behind = await shelf.page(first=MAX_PAGE, after=before.page_info.end_cursor)
    expected = sorted(shelf.numbers, reverse=shelf.ordering.descending)
    assert [edge.node for edge in behind.edges] == expected[expected.index(last) + 1 :]


async def test_a_long_list_is_not_counted_to_its_end() -> None:
    for size, expected in ((MAX_COUNTED, MAX_COUNTED), (MAX_COUNTED + 1, None)):
        shelf = Shelf(set(range(size)), Ordering("numbers"))
        assert await (await shelf.page(first=1)).counted(Budget().spend) == expected


async def test_what_counting_costs_is_spent() -> None:
    spent: list[int] = []
    await (await Shelf(set(range(1000)), Ordering("numbers")).page(first=1)).counted(spent.append)
    assert spent == [50, 100]


@given(st.sampled_from(["Statement", "Agent"]), TEXTS)
def test_a_global_id_holds_type_and_key(type_name: str, key: str) -> None:
    assert decode_global_id(encode_global_id(type_name, key)) == (type_name, key)


@given(TEXTS)
def test_what_is_no_global_id_is_refused(text: str) -> None:
    try:
        type_name, key = decode_global_id(text)
    except InputError as error:
        assert str(error) == "id is no globalId of this node"
    else:
        assert encode_global_id(type_name, key) == text
