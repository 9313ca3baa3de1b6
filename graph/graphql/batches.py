"""Batched reads: what one request asks of one relation, for any number of parents, is one database query."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Any, TypeVar

from strawberry.dataloader import DataLoader

from graph.store import Store

Row = dict[str, Any]
Key = TypeVar("Key", bound=Hashable)

MAX_BATCH = 1_000
"""Keys in one query."""

PageKey = tuple[str, int, int | None]
"""A parent, the size of the page, and the place in the log before which it begins (None where that has no meaning)."""


def rows_by(store: Store, query: str, parameter: str, column: str) -> DataLoader[str, list[Row]]:
    """Return a loader of all rows whose `column` is the key, in the query's order."""

    async def load(keys: list[str]) -> Sequence[list[Row]]:
        return _grouped(keys, await store.read(query, **{parameter: keys}), column)

    return DataLoader(load_fn=load, max_batch_size=MAX_BATCH)


def pages_by(store: Store, query: str, parameter: str, column: str) -> DataLoader[PageKey, list[Row]]:
    """Return a loader of pages of rows whose `column` is the parent; one query for each shape of page in a batch."""

    async def load(keys: list[PageKey]) -> Sequence[list[Row]]:
        by_shape: defaultdict[tuple[int, int | None], list[str]] = defaultdict(list)
        for parent, first, before in keys:
            by_shape[first, before].append(parent)
        pages: dict[PageKey, list[Row]] = {}
        for (first, before), parents in by_shape.items():
            place = {} if before is None else {"before": before}
            rows = await store.read(query, **{parameter: parents}, first=first, **place)
            for parent, page in zip(parents, _grouped(parents, rows, column), strict=True):
                pages[parent, first, before] = page
        return [pages[key] for key in keys]

    return DataLoader(load_fn=load, max_batch_size=MAX_BATCH)


def values_by(load: Callable[[list[str]], Awaitable[dict[str, Any]]]) -> DataLoader[str, Any]:
    """Return a loader of one value a key, None where `load` gives none."""

    async def load_in_order(keys: list[str]) -> Sequence[Any]:
        found = await load(keys)
        return [found.get(key) for key in keys]

    return DataLoader(load_fn=load_in_order, max_batch_size=MAX_BATCH)


def _grouped(keys: Sequence[str], rows: Sequence[Row], column: str) -> list[list[Row]]:
    by_key: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_key[row[column]].append(row)
    return [by_key[key] for key in keys]
