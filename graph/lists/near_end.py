"""Reads one end of a long numbered list: first the numbers near that end, then all the rest.

For a range, the embedded engine goes through all nodes of a label, and sorts all that it finds; a look-up by number
costs the same in a long list as in a short one. So most pages are a few look-ups, and no page costs more than these and
one look at everything.
"""

from collections.abc import Awaitable, Callable

from graph.store import Row

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
