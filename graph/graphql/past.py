"""The past contexts of one operation: for each root field with `asOf`, a context on the graph of that size.

A root field is identified by its response name, so that two aliases can ask about two sizes. The graphs stay unchanged
until the end of the operation.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from copy import copy
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from graphql.pyutils import Path

from graph.errors import InputError
from graph.search.search import Search
from graph.store import Store

if TYPE_CHECKING:
    from graph.graphql.context import Context


class Past:
    """The contexts of one operation that are as of an earlier moment."""

    def __init__(self) -> None:
        self._by_root: dict[str | int, Context] = {}
        self._contexts: dict[tuple[int, datetime], Context] = {}
        self._stores: dict[int, Store] = {}
        self._stack = AsyncExitStack()
        self._turn = asyncio.Lock()

    def context_of(self, path: Path) -> Context | None:
        """Return the context of the root field at the start of a path; None if the field asks about the present."""
        return self._by_root.get(_root_of(path)) if self._by_root else None

    async def travel(self, now: Context, path: Path, size: int, at: datetime) -> None:
        """Answer the root field at the start of a path as of a size of the log; `at` is the last time of that size.

        Raises `InputError` if an operation asks about more sizes than the permitted number of graphs.
        """
        async with self._turn:
            if (size, at) not in self._contexts:
                self._contexts[size, at] = _context_on(now, await self._store_of(now, size), size, at)
            self._by_root[_root_of(path)] = self._contexts[size, at]

    async def aclose(self) -> None:
        """Release the graphs at the end of the operation."""
        self._by_root.clear()
        await self._stack.aclose()

    async def _store_of(self, now: Context, size: int) -> Store:
        if size not in self._stores:
            pasts = now.platform.pasts
            if pasts.most and len(self._stores) == pasts.most:
                raise InputError(f"an operation asks about {pasts.most} sizes of the log at most", "asOf")
            graph = pasts.at(size, now.share, reads_another=bool(self._stores))
            self._stores[size] = await self._stack.enter_async_context(graph)
        return self._stores[size]


def _context_on(now: Context, store: Store, size: int, at: datetime) -> Context:
    """Return the context of a present reader on the graph of a log size in a store, with the clock stopped at `at`."""
    platform = copy(now.platform)
    platform.store = store
    platform.search = Search(store)  # vectors are of now
    platform.clock = lambda: at
    platform.asking = now.platform.asking.on(platform.search)
    context = copy(now)
    context.platform = platform
    context.loaders = type(now.loaders)(
        store, now.reader, partial(now.platform.names.look_alikes, size=size), now.loaders.budget
    )
    return context


def _root_of(path: Path) -> str | int:
    while path.prev is not None:
        path = path.prev
    return path.key
