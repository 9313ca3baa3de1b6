"""What one operation asks about the past: for each root field with `asOf` a context on the graph of that size.

A root field is known by its name in the answer, so that two aliases can ask about two sizes. The graphs stay as they
are until the operation is over.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from copy import copy
from datetime import datetime
from typing import TYPE_CHECKING

from graphql.pyutils import Path

from graph.errors import InputError
from graph.search.search import Search
from graph.store import Store

if TYPE_CHECKING:
    from graph.graphql.context import Context


class Past:
    """The contexts of one operation that are not of now."""

    def __init__(self) -> None:
        self._by_root: dict[str | int, Context] = {}
        self._contexts: dict[tuple[int, datetime], Context] = {}
        self._stores: dict[int, Store] = {}
        self._stack = AsyncExitStack()
        self._turn = asyncio.Lock()

    def context_of(self, path: Path) -> Context | None:
        """Return the context of the root field that a path begins with; None for one that asks about now."""
        return self._by_root.get(_root_of(path)) if self._by_root else None

    async def travel(self, now: Context, path: Path, size: int, at: datetime) -> None:
        """Have the root field that a path begins with answered as of a size of the log, which was last at some time.

        Raises `InputError` where an operation asks about more sizes than there may be graphs.
        """
        async with self._turn:
            if (size, at) not in self._contexts:
                self._contexts[size, at] = _context_on(now, await self._store_of(now, size), at)
            self._by_root[_root_of(path)] = self._contexts[size, at]

    async def aclose(self) -> None:
        """Let go of the graphs: the operation is over."""
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


def _context_on(now: Context, store: Store, at: datetime) -> Context:
    """Return the context of a reader of now who asks the graph in a store what it said at some time."""
    platform = copy(now.platform)
    platform.store = store
    platform.search = Search(store)  # vectors are of now
    platform.clock = lambda: at
    platform.asking = now.platform.asking.on(platform.search)
    context = copy(now)
    context.platform = platform
    context.loaders = type(now.loaders)(store, now.reader, now.loaders.budget)
    return context


def _root_of(path: Path) -> str | int:
    while path.prev is not None:
        path = path.prev
    return path.key
