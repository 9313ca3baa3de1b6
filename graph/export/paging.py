"""The pages of an export's steps: by a stretch of the log, by the last key, or by a range of keys.

No read stays open while the receiver waits: each page is a query of its own. A page whose rows are longer than the
bound on memory is dropped, and read in halves.
"""

from collections.abc import AsyncIterator
from contextlib import aclosing
from itertools import pairwise
from typing import Any

from cypher import load_query
from graph.errors import StoreError
from graph.export.closure import Closure
from graph.export.steps import EdgeStep, NodeStep, Paging
from graph.store import Row, Store

STRETCH = 500
"""Log entries, keys of small labels, or chunks (on average) that are read at once."""

MOST_BYTES = 16 * 2**20
"""The approximate number of characters in the texts of a page of more than one row."""

Page = tuple[int | str, list[Row]]
"""The place of the next page, and the rows of this one."""

_LAST = "g"  # behind every hexadecimal key
_DIGITS = 16  # of a key, as far as ranges are halved


class Pages:
    """Reads the rows of steps, as they were at `size` log entries.

    With a closure, stretches and ranges without any of its keys are passed over.
    """

    def __init__(self, store: Store, size: int, closure: Closure | None = None) -> None:
        self._store = store
        self._size = size
        self._closure = closure

    async def of(self, step: NodeStep | EdgeStep, at: int | str | None, since: int = 0) -> AsyncIterator[Page]:
        """Yield pages of a step from a place on, or from the beginning, each with the place of the next.

        `since` is for queries that leave out the earlier rows themselves.
        """
        read = {Paging.LOGGED: self._logged, Paging.RANGES: self._ranges}.get(step.paging, self._paged)
        async for page in read(step, at, since):
            yield page

    async def _logged(self, step: NodeStep | EdgeStep, at: int | str | None, since: int) -> AsyncIterator[Page]:
        start = at if isinstance(at, int) else 0
        while start < self._size:
            if self._closure is not None:
                place = self._closure.next_place(start)
                if place is None or place >= self._size:
                    return
                start = place
            end = min(start + STRETCH, self._size)
            while (rows := await self._read(step, since, alone=end == start + 1, start=start, end=end)) is None:
                end = start + (end - start) // 2
            yield end, rows
            start = end

    async def _paged(self, step: NodeStep | EdgeStep, at: int | str | None, since: int) -> AsyncIterator[Page]:
        after = str(at or "")
        first = STRETCH
        while (rows := await self._read(step, since, alone=first == 1, after=after, first=first)) != []:
            if rows is None:
                first //= 2
                continue
            after, first = rows[-1]["key"], STRETCH
            yield after, rows

    async def _ranges(self, step: NodeStep | EdgeStep, at: int | str | None, since: int) -> AsyncIterator[Page]:
        (counted,) = await self._store.read("count_chunks")
        parts = min(-(-counted["number"] // STRETCH), 0x10000)
        bounds = [f"{0x10000 * part // parts:04x}" for part in range(parts)] + [_LAST] if parts else []
        for begin, end in pairwise(bounds):
            start = begin
            # The number of chunks, and so the ranges, may be others than when the export broke off.
            if at is not None:
                if end <= str(at):
                    continue
                start = max(start, str(at))
            if self._closure is None or self._closure.has_between("Chunk", start, end):
                async for page in self._range(step, since, start, end):
                    yield page

    async def _range(self, step: NodeStep | EdgeStep, since: int, start: str, end: str) -> AsyncIterator[Page]:
        """Yield the rows of a range of keys, in parts of the range if they are too long together."""
        while start < end:
            part, middle = end, _middle(start, end)
            while (rows := await self._read(step, since, alone=middle is None, start=start, end=part)) is None:
                assert middle is not None
                part, middle = middle, _middle(start, middle)
            yield part, rows
            start = part

    async def _read(
        self, step: NodeStep | EdgeStep, since: int, *, alone: bool, **parameters: int | str
    ) -> list[Row] | None:
        """Return the rows of a page; None if they are too long together, unless the page cannot be halved."""
        known: dict[str, int | str] = {"size": self._size, "since": since}
        if isinstance(step, EdgeStep):
            known["type"] = step.type
        wanted = load_query(step.query).parameters
        asked = {**parameters, **{name: value for name, value in known.items() if name in wanted}}
        rows: list[Row] = []
        length = 0
        try:
            async with aclosing(self._store.stream(step.query, **asked)) as found:
                async for row in found:
                    rows.append(row)
                    length += _length(row)
                    if length > MOST_BYTES and not alone:
                        return None
        except StoreError:
            # As every read is, and a stream is not, it is tried again.
            return await self._store.read(step.query, **asked)
        return rows


def _length(value: Any) -> int:
    """Return the number of characters in the texts of a value."""
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, dict):
        return sum(map(_length, value.values()))
    return sum(map(_length, value)) if isinstance(value, list) else 0


def _middle(start: str, end: str) -> str | None:
    """Return a key between two others; None if they are next to each other, to 16 digits."""
    low = int(start[:_DIGITS].ljust(_DIGITS, "0"), 16)
    high = 16**_DIGITS if end == _LAST else int(end[:_DIGITS].ljust(_DIGITS, "0"), 16)
    middle = (low + high) // 2
    return f"{middle:0{_DIGITS}x}" if middle > low else None
