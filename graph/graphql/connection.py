"""Connections: pages of lists that grow, as the GraphQL Cursor Connections Specification has them.

`strawberry.relay` has the same types, over offsets: its cursors move when the list does, and its ids take the place of
ours. Here a cursor is the key of an entry (`graph.lists.cursor`).
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
"""So many rows that are only counted are one object of the answer."""

Entry = TypeVar("Entry")
Shown = TypeVar("Shown")
Count = Callable[[], Awaitable[int]]

FirstOf = Annotated[
    int | None,
    strawberry.argument(
        description=f"How many at most from the front, from 1 to {MAX_PAGE}; {DEFAULT_PAGE} where neither is given."
    ),
]
AfterOf = Annotated[str | None, strawberry.argument(description="A cursor: only what comes behind it in this order.")]
LastOf = Annotated[
    int | None, strawberry.argument(description=f"How many at most from the end, from 1 to {MAX_PAGE}; not with first.")
]
BeforeOf = Annotated[
    str | None, strawberry.argument(description="A cursor: only what comes ahead of it in this order.")
]


@strawberry.type(description="Where a page is in its list.")
class PageInfo:
    """What a client needs to turn the page."""

    has_next_page: bool = strawberry.field(description="Whether there is more behind this page.")
    has_previous_page: bool = strawberry.field(description="Whether there is more ahead of this page.")
    start_cursor: str | None = strawberry.field(description="The cursor of its first entry, for `before`.")
    end_cursor: str | None = strawberry.field(description="The cursor of its last entry, for `after`.")


@strawberry.type(description="An entry of a list, and where it is.")
class Edge(Generic[Entry]):
    """One entry of a page."""

    cursor: str = strawberry.field(
        description="Its place in this order of the list, as opaque text: it stays where it is when others come."
    )
    node: Entry = strawberry.field(description="The entry.")


@strawberry.type(description="A page of a list.")
class Connection(Generic[Entry]):
    """What `page_of` makes; `count` is asked for `totalCount` alone."""

    edges: list[Edge[Entry]] = strawberry.field(description="The entries of this page with their cursors.")
    page_info: PageInfo = strawberry.field(description="Where this page is in the list.")
    count: strawberry.Private[Count]

    @resolved
    def nodes(self) -> list[Entry]:
        """The entries of this page without their cursors."""
        return [edge.node for edge in self.edges]

    @resolved
    async def total_count(self, info: Info) -> int | None:
        """How many there are in the whole list; null where they are more than 10,000."""
        return await self.counted(info.context.loaders.spend)

    async def counted(self, spend: Callable[[int], None]) -> int | None:
        """Count the whole list, and spend what that costs; None where there are more than `MAX_COUNTED`."""
        # Lists are counted together: what each may cost is spent before, what more it came to behind.
        spend(COUNT_SIZE)
        found = await self.count()
        spend(found // _COUNTED_OF_AN_OBJECT)
        return found if found <= MAX_COUNTED else None


def page_of(span: Span, entries: Sequence[tuple[Key, Entry]], more: bool, count: Count) -> Connection[Entry]:
    """Return the page of a span, of its entries in the order in which they were read; `more` lie beyond the last."""
    ordered = list(reversed(entries)) if span.backward else list(entries)
    edges = [Edge(cursor=encode_cursor(span.ordering, key), node=entry) for key, entry in ordered]
    return Connection(
        edges=edges,
        page_info=PageInfo(
            # What a cursor was given for is on the other side of it.
            has_next_page=span.before is not None if span.backward else more,
            has_previous_page=more if span.backward else span.after is not None,
            start_cursor=edges[0].cursor if edges else None,
            end_cursor=edges[-1].cursor if edges else None,
        ),
        count=count,
    )


def by_log_index(row: Row) -> Key:
    """Return the key of a row in the order of the log."""
    return (row["log_index"],)


async def connect(
    span: Span,
    find: Callable[[Span], Awaitable[Sequence[Row]]],
    show: Callable[[Sequence[Row]], Awaitable[Sequence[Entry | None]]],
    key: Callable[[Row], Key] = by_log_index,
) -> Connection[Entry]:
    """Return the page of a span: `find` reads its rows from one end, and `show` gives what each of them is."""
    rows = await find(span)
    kept = rows[: span.count]
    shown = zip(kept, await show(kept), strict=True)

    async def count() -> int:
        return len(await find(span.whole(MAX_COUNTED + 1)))

    return page_of(span, [(key(row), one) for row, one in shown if one is not None], len(rows) > span.count, count)


def connect_known(span: Span, entries: Sequence[tuple[Key, Entry]]) -> Connection[Entry]:
    """Return the page of a span of a list that is known as a whole; raise `InputError` where a cursor is of none."""
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
    """Return a page of what its entries stand for."""
    edges = [Edge(cursor=edge.cursor, node=show(edge.node)) for edge in page.edges]
    return Connection(edges=edges, page_info=page.page_info, count=page.count)


def _place(places: Mapping[Key, int], key: Key, argument: str) -> int:
    if key not in places:
        raise InputError(f"{argument} is the cursor of nothing in this list", argument)
    return places[key]
