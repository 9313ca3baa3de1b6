"""Connections: pages of growing lists, by the GraphQL Cursor Connections Specification.

`strawberry.relay` has the same types over offsets: its cursors move with the list, and its ids would replace A2AP's. A
cursor of this module is the key of an entry (`graph.lists.cursor`).
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Generic, TypeVar

import strawberry

from graph.errors import InputError
from graph.graphql.context import Info
from graph.graphql.cost import COUNT_SIZE
from graph.graphql.fields import resolved
from graph.lists.cursor import Key, encode_cursor
from graph.lists.span import DEFAULT_PAGE, MAX_COUNTED, MAX_PAGE, Span
from graph.store import Row

_COUNTED_OF_AN_OBJECT = 10
"""The number of rows, only counted, that cost as much as one object of the answer."""

Entry = TypeVar("Entry")
Shown = TypeVar("Shown")
Count = Callable[[], Awaitable[int]]

FirstOf = Annotated[
    int | None,
    strawberry.argument(
        description=f"Maximum number of items from the front, from 1 to {MAX_PAGE}; {DEFAULT_PAGE} if first and last "
        "are omitted."
    ),
]
AfterOf = Annotated[str | None, strawberry.argument(description="A cursor; only items after it in this order.")]
LastOf = Annotated[
    int | None,
    strawberry.argument(
        description=f"Maximum number of items from the end, from 1 to {MAX_PAGE}; not together with first."
    ),
]
BeforeOf = Annotated[str | None, strawberry.argument(description="A cursor; only items before it in this order.")]


@strawberry.type(description="The position of a page in its list.")
class PageInfo:
    """The flags and cursors that a client needs to request the next page."""

    has_next_page: bool = strawberry.field(description="Whether there are items after this page.")
    has_previous_page: bool = strawberry.field(description="Whether there are items before this page.")
    start_cursor: str | None = strawberry.field(description="The cursor of the first entry of the page, for `before`.")
    end_cursor: str | None = strawberry.field(description="The cursor of the last entry of the page, for `after`.")


@strawberry.type(description="An entry of a list, with its cursor.")
class Edge(Generic[Entry]):
    """One entry of a page."""

    cursor: str = strawberry.field(
        description="The position of the entry in this order of the list, as opaque text; it is stable when entries "
        "are added."
    )
    node: Entry = strawberry.field(description="The entry.")


@strawberry.type(description="A page of a list.")
class Connection(Generic[Entry]):
    """The result of `page_of`; `count` is called for `totalCount` only."""

    edges: list[Edge[Entry]] = strawberry.field(description="The entries of this page with their cursors.")
    page_info: PageInfo = strawberry.field(description="The position of this page in the list.")
    count: strawberry.Private[Count]

    @resolved
    def nodes(self) -> list[Entry]:
        """The entries of this page without their cursors."""
        return [edge.node for edge in self.edges]

    @resolved
    async def total_count(self, info: Info) -> int | None:
        """The number of entries in the whole list; null above 10,000."""
        return await self.counted(info.context.loaders.spend)

    async def counted(self, spend: Callable[[int], None]) -> int | None:
        """Count the whole list, and spend the cost of that; return None above `MAX_COUNTED`."""
        # Lists are counted concurrently: the estimate of each is spent before counting, the excess afterwards.
        spend(COUNT_SIZE)
        found = await self.count()
        spend(found // _COUNTED_OF_AN_OBJECT)
        return found if found <= MAX_COUNTED else None


def page_of(span: Span, entries: Sequence[tuple[Key, Entry]], more: bool, count: Count) -> Connection[Entry]:
    """Return the page of a span; `entries` are in the order of reading, and `more` says that others follow."""
    ordered = list(reversed(entries)) if span.backward else list(entries)
    edges = [Edge(cursor=encode_cursor(span.ordering, key), node=entry) for key, entry in ordered]
    return Connection(
        edges=edges,
        page_info=PageInfo(
            # The entry of a given cursor lies beyond that end of the page.
            has_next_page=span.before is not None if span.backward else more,
            has_previous_page=more if span.backward else span.after is not None,
            start_cursor=edges[0].cursor if edges else None,
            end_cursor=edges[-1].cursor if edges else None,
        ),
        count=count,
    )


def by_log_index(row: Row) -> Key:
    """Return the key of a row in log order."""
    return (row["log_index"],)


async def connect(
    span: Span,
    find: Callable[[Span], Awaitable[Sequence[Row]]],
    show: Callable[[Sequence[Row]], Awaitable[Sequence[Entry | None]]],
    key: Callable[[Row], Key] = by_log_index,
) -> Connection[Entry]:
    """Return the page of a span: `find` reads the rows from one end, and `show` makes the entries from the rows."""
    rows = await find(span)
    kept = rows[: span.count]
    shown = zip(kept, await show(kept), strict=True)

    async def count() -> int:
        return len(await find(span.whole(MAX_COUNTED + 1)))

    return page_of(span, [(key(row), one) for row, one in shown if one is not None], len(rows) > span.count, count)


def connect_known(span: Span, entries: Sequence[tuple[Key, Entry]]) -> Connection[Entry]:
    """Return the page of a span of a completely known list; raise `InputError` if a cursor is not in the list."""
    places = {key: place for place, (key, _) in enumerate(entries)}
    start = 0 if span.after is None else _place(places, span.after, "after") + 1
    end = len(entries) if span.before is None else _place(places, span.before, "before")
    left = list(entries[start:end])
    if span.backward:
        left.reverse()

    async def count() -> int:
        return len(entries)

    return page_of(span, left[: span.count], len(left) > span.count, count)


def replaced(page: Connection[Entry], show: Callable[[Entry], Shown]) -> Connection[Shown]:
    """Return the same page with each entry replaced by the result of `show`."""
    edges = [Edge(cursor=edge.cursor, node=show(edge.node)) for edge in page.edges]
    return Connection(edges=edges, page_info=page.page_info, count=page.count)


def _place(places: Mapping[Key, int], key: Key, argument: str) -> int:
    if key not in places:
        raise InputError(f"{argument} is the cursor of nothing in this list", argument)
    return places[key]
