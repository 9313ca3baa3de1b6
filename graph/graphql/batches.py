"""Batched reads: one database query per relation and request, for any number of parents."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from strawberry.dataloader import DataLoader

from graph.graphql.connection import Connection, page_of
from graph.lists.ordered import END, numbers_of
from graph.lists.span import MAX_COUNTED, Span
from graph.store import Store

Row = dict[str, Any]
Key = TypeVar("Key", bound=Hashable)
Entry = TypeVar("Entry")

MAX_BATCH = 1_000
"""The maximum number of keys in one query."""


def rows_by(store: Store, query: str, parameter: str, column: str, **others: Any) -> DataLoader[Any, list[Row]]:
    """Return a loader of all rows with the key in `column`, in the query's order; `others` are constant parameters."""

    async def load(keys: list[Any]) -> Sequence[list[Row]]:
        return _grouped(keys, await store.read(query, **{parameter: keys}, **others), column)

    return DataLoader(load_fn=load, max_batch_size=MAX_BATCH)


@dataclass(frozen=True, slots=True)
class Part:
    """A page of up to `limit` rows between two log indices, both exclusive; `sign` 1 reads from the oldest."""

    start: int
    end: int
    sign: int
    limit: int

    @classmethod
    def of(cls, span: Span) -> "Part":
        """Return the part of a list in log order that must be read for a span."""
        start, end = numbers_of(span)
        return cls(start, end, span.sign, span.limit)

    @classmethod
    def first(cls, number: int, *, newest: bool = False) -> "Part":
        """Return the part with the first `number` rows of a list."""
        return cls(-1, END, -1 if newest else 1, number)


class Parts:
    """A loader of parts of one relation, for any number of parents; one query for each shape of part in a batch."""

    def __init__(
        self, store: Store, query: str, parameter: str, column: str, *, count: str | None = None, **others: Any
    ) -> None:
        self._store, self._others = store, others
        self._query, self._parameter, self._column = query, parameter, column
        self._rows: DataLoader[tuple[str, Part], list[Row]] = DataLoader(load_fn=self._load, max_batch_size=MAX_BATCH)
        self._counts = count and rows_by(store, count, parameter, column, most=MAX_COUNTED + 1)

    async def rows(self, parent: str, part: Part) -> list[Row]:
        """Return the rows of a part of a parent's list."""
        return await self._rows.load((parent, part))

    async def rows_of_all(self, parents: Sequence[str], part: Part) -> list[list[Row]]:
        """Return the rows of a part of each parent's list, in the order of the parents."""
        return await self._rows.load_many([(parent, part) for parent in parents])

    async def count(self, parent: str) -> int:
        """Return the total number of rows of a parent, counted up to `MAX_COUNTED + 1`."""
        if not self._counts:
            return len(await self.rows(parent, Part.first(MAX_COUNTED + 1)))
        rows = await self._counts.load(parent)
        return int(rows[0]["number"]) if rows else 0

    async def connect(
        self, parent: str, span: Span, show: Callable[[Sequence[Row]], Awaitable[Sequence[Entry]]]
    ) -> Connection[Entry]:
        """Return the page of a span of a parent's list; `show` makes the entries from the rows."""
        rows = await self.rows(parent, Part.of(span))
        kept = rows[: span.count]
        entries = [((row["log_index"],), one) for row, one in zip(kept, await show(kept), strict=True)]
        return page_of(span, entries, len(rows) > span.count, lambda: self.count(parent))

    async def _load(self, keys: list[tuple[str, Part]]) -> Sequence[list[Row]]:
        by_part: defaultdict[Part, list[str]] = defaultdict(list)
        for parent, part in keys:
            by_part[part].append(parent)
        found: dict[tuple[str, Part], list[Row]] = {}
        for part, parents in by_part.items():
            rows = await self._store.read(self._query, **{self._parameter: parents}, **asdict(part), **self._others)
            for parent, page in zip(parents, _grouped(parents, rows, self._column), strict=True):
                found[parent, part] = page
        return [found[key] for key in keys]


def values_by(load: Callable[[list[str]], Awaitable[dict[str, Any]]]) -> DataLoader[str, Any]:
    """Return a loader of one value per key, None if `load` gives none."""

    async def load_in_order(keys: list[str]) -> Sequence[Any]:
        found = await load(keys)
        return [found.get(key) for key in keys]

    return DataLoader(load_fn=load_in_order, max_batch_size=MAX_BATCH)


def _grouped(keys: Sequence[Any], rows: Sequence[Row], column: str) -> list[list[Row]]:
    by_key: defaultdict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        by_key[row[column]].append(row)
    return [by_key[key] for key in keys]
