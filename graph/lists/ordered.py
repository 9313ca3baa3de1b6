"""Reads a span of numbered nodes, by their numbers alone or by rank and number.

The queries take the parameters `start` and `end`, which bound the numbers, `sign` and `limit`; queries with ranks also
take `low_rank`, `low`, `high_rank` and `high`, which bound rank and number together. All bounds are exclusive.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from graph.lists.cursor import Key
from graph.lists.span import Span
from graph.store import Row, Store

ReadBetween = Callable[[int, int, int], Awaitable[list[Row]]]
"""Reads up to N rows between two numbers, both exclusive, the nearest to one end first; takes low, high and N."""


async def read_from_end(
    near: ReadBetween, everything: ReadBetween, low: int, high: int, sign: int, limit: int, *, places: int
) -> list[Row]:
    """Return up to `limit` rows whose numbers are above `low` and below `high`, the nearest to one end first.

    With a `sign` of 1 these are the smallest numbers, with -1 the largest. `near` looks at `places` numbers for each
    wanted row, one by one.
    """
    width = places * limit
    start, end = (low, min(high, low + width + 1)) if sign > 0 else (max(low, high - width - 1), high)
    rows = await near(start, end, limit) if start + 1 < end else []
    left = (end - 1, high) if sign > 0 else (low, start + 1)
    if len(rows) < limit and left[0] + 1 < left[1]:
        rows += await everything(*left, limit - len(rows))
    return rows


END = 2**53
"""A number above all others."""

_LEAST, _MOST = (-1e300, -1), (1e300, END)
_ALL_RANKS = {"low_rank": -1, "low": -1, "high_rank": 1, "high": END}
"""In an order by number alone every rank is 0."""


@dataclass(frozen=True, slots=True)
class Near:
    """A query that looks numbers up one by one, `places` of them for each row; all numbers are below `top`."""

    query: str
    places: int
    top: int


async def find_ordered(
    store: Store,
    query: str,
    span: Span,
    parameters: Mapping[str, object],
    *,
    between: tuple[int, int] = (-1, END),
    near: Near | None = None,
) -> list[Row]:
    """Return the rows of a span by a query with ranks, in the direction in which the span is read.

    `near` is for a query that looks at everything.
    """
    if len(span.ordering.types) == 1:
        return await find_numbered(store, query, span, {**parameters, **_ALL_RANKS}, between=between, near=near)
    (low_rank, low), (high_rank, high) = span.low or _LEAST, span.high or _MOST
    ranks = {"low_rank": low_rank, "low": low, "high_rank": high_rank, "high": high}
    start, end = between
    return await store.read(query, **parameters, **ranks, sign=span.sign, start=start, end=end, limit=span.limit)


async def find_numbered(
    store: Store,
    query: str,
    span: Span,
    parameters: Mapping[str, object],
    *,
    between: tuple[int, int] = (-1, END),
    near: Near | None = None,
) -> list[Row]:
    """Return the rows of a span in the order of their numbers, in the direction in which the span is read."""

    async def by(name: str, start: int, end: int, limit: int) -> list[Row]:
        return await store.read(name, **parameters, sign=span.sign, start=start, end=end, limit=limit)

    async def everything(start: int, end: int, limit: int) -> list[Row]:
        return await by(query, start, end, limit)

    start, end = numbers_of(span, between)
    if near is None:
        return await everything(start, end, span.limit)
    looked_up = near.query

    async def look_up(start: int, end: int, limit: int) -> list[Row]:
        return await by(looked_up, start, end, limit)

    top = min(end, near.top)
    return await read_from_end(look_up, everything, start, top, span.sign, span.limit, places=near.places)


def numbers_of(span: Span, between: tuple[int, int] = (-1, END)) -> tuple[int, int]:
    """Return the numbers between which a span in the order of numbers lies, both exclusive."""
    low, high = (_number(span.low, -1), _number(span.high, END))
    return max(low, between[0]), min(high, between[1])


def _number(key: Key | None, otherwise: int) -> int:
    return otherwise if key is None else int(key[-1])
