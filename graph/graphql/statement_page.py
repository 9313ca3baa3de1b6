"""The latest statements: found by their places in the log, window by window.

An index on the place is looked up place by place, because the embedded engine sorts a whole range before it takes the
first of it. Between two statements stand their verdicts, so a page of n is looked for among the last 8 n places, and
where that is not enough among twice as many more.
"""

from graph.store import Row, Store

_PLACES_PER_STATEMENT = 8
_MAX_PLACES = 50_000


async def latest_statements(store: Store, first: int, before: int) -> list[Row]:
    """Return the rows of `first` statements whose log index is less than `before`, newest first."""
    places = first * _PLACES_PER_STATEMENT
    rows = await store.read("list_statements", before=before, places=places, first=first)
    if len(rows) == first:
        return rows
    (head,) = await store.read("log_size") or [{"size": 0}]
    before = min(before, head["size"]) - places
    while len(rows) < first and before > 0:
        places = min(places * 2, _MAX_PLACES)
        rows += await store.read("list_statements", before=before, places=places, first=first - len(rows))
        before -= places
    return rows
