"""Batched reads: what one request asks of one relation, for any number of parents, is one database query."""

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
"""Keys in one query."""


def rows_by(store: Store, query: str, parameter: str, column: str, **others: Any) -> DataLoader[Any, list[Row]]:
    """Return a loader of all rows whose `column` is the key, in the query's order; `others` it is always given."""

    async def load(keys: list[Any]) -> Sequence[list[Row]]:
        return _grouped(keys, await store.read(query, **{parameter: keys}, **others), column)

    return DataLoader(load_fn=load, max_batch_size=MAX_BATCH)


@dataclass(frozen=True, slots=True)
class Part:
    """So many of what lies between two places of the log, both exclusive, from one end: 1 is the oldest."""

    start: int
    end: int
    sign: int
    limit: int

    @classmethod
    def of(cls, span: Span) -> "Part":
        """Return the part of a list in log order that is to be read for a span."""
        start, end = numbers_of(span)
        return cls(start, end, span.sign, span.limit)

    @classmethod
    def first(cls, number: int, *, newest: bool = False) -> "Part":
        """Return the first so many of a list."""
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
        """Return the rows of a part of what a parent has."""
        return await self._rows.load((parent, part))

    async def rows_of_all(self, parents: Sequence[str], part: Part) -> list[list[Row]]:
        """Return the rows of a part of what each of these parents has."""
        return await self._rows.load_many([(parent, part) for parent in parents])

    async def count(self, parent: str) -> int:
        """Return how many there are in all, or one more than is counted."""
        if not self._counts:
            return len(await self.rows(parent, Part.first(MAX_COUNTED + 1)))
        rows = await self._counts.load(parent)
        return int(rows[0]["number"]) if rows else 0

    async def connect(
        self, parent: str, span: Span, show: Callable[[Sequence[Row]], Awaitable[Sequence[Entry]]]
    ) -> Connection[Entry]:
        """Return the page of a span of what a parent has; `show` gives what each row is."""
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
    """Return a loader of one value a key, None where `load` gives none."""

    async def load_in_order(keys: list[str]) -> Sequence[Any]:
        found = await load(keys)
        return [found.get(key) for key in keys]

    return DataLoader(load_fn=load_in_order, max_batch_size=MAX_BATCH)


def _grouped(keys: Sequence[Any], rows: Sequence[Row], column: str) -> list[list[Row]]:
    by_key: defaultdict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        by_key[row[column]].append(row)
    return [by_key[key] for key in keys]
