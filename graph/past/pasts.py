"""Graphs of the past, made on a request about a size of the log, and kept while there is room.

Rules:

- A graph is made by replaying the log from its first entry, or from a smaller graph that gives way
  (`graph.past.places`).
- Making a graph goes on for a minute after the last waiting reader has left, so that a repeated request finds more.
- A reader of one graph does not wait for room for another: two such readers would wait for each other.
- After an erasure the graphs that were made before are dropped, whichever server took it in, and none of them grows:
  that server drops them first of all, another as soon as it sees the erasure, and before they are read again. If the
  class of a source may have become stricter, it is raised before that.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from contextvars import Context
from typing import Any

from graph.content.content_store import ContentStore
from graph.errors import InputError, PastNotReadyError
from graph.log.watch import LogWatch
from graph.past.engine import FOLDER, PastEngine
from graph.past.erasures import Erasures
from graph.past.past_graph import PastGraph
from graph.past.places import Kept, Places
from graph.past.score_history import FILE, ScoreHistory
from graph.requests.share import UNNAMED, Share
from graph.settings import Settings
from graph.store import Store

logger = logging.getLogger(__name__)


class Pasts:
    """The graphs of the past of one platform, up to `A2AP_PAST_GRAPHS`; in an `engine` of the caller, or in its own."""

    def __init__(
        self, store: Store, content: ContentStore, settings: Settings, watch: LogWatch, engine: PastEngine | None = None
    ) -> None:
        self.most = settings.past_graphs
        self._store = store
        self._content = content
        self._patience = settings.graphql_timeout / 2
        self._own_engine = PastEngine(settings)
        self._engine = engine or self._own_engine
        self._erasures = Erasures(store, watch, self.forget)
        self.scores = ScoreHistory(store, content, self._database, settings.data / FOLDER / FILE)
        self._places = Places(self.most)
        self._aside: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Condition()

    @property
    def sizes(self) -> list[int]:
        """The sizes of the graphs that are kept or being made."""
        return sorted(kept.size for kept in self._places)

    @asynccontextmanager
    async def at(self, size: int, share: Share = UNNAMED, *, reads_another: bool = False) -> AsyncIterator[Store]:
        """Yield a store on the graph of the first `size` entries, which does not change while it is read.

        It is made in this share; a caller that `reads_another` graph meanwhile does not wait for room. Raises
        `InputError` if this node keeps no such graphs, `TooManySizesError`, and `PastNotReadyError` if making it takes
        longer than a request may wait.
        """
        if not self.most:
            raise InputError("this node keeps no graphs of the past", "asOf")
        try:
            async with asyncio.timeout(self._patience):
                kept, graph = await self._take(size, share, waits=not reads_another)
        except TimeoutError as error:
            raise PastNotReadyError(f"the graph of the first {size} entries is being made") from error
        try:
            yield graph.store
        finally:
            await self._give_back(kept)

    def forget(self, size: int | None = None) -> None:
        """Drop all graphs, or those last updated when the log had fewer than `size` entries; failures are logged.

        A graph that is being read is removed afterwards.
        """
        for kept in self._places:
            if size is None or (kept.graph is not None and kept.graph.seen < size):
                self._places.drop(kept)
        self._remove_dropped()
        self._begin_aside(self.scores.forget())

    async def aclose(self) -> None:
        """Cancel the graphs that are being made, and stop the engine."""
        for kept in self._places:
            if kept.made is not None:
                kept.made.cancel()
                await asyncio.wait([kept.made])
            kept.users = 0
            self._places.drop(kept)
        self._remove_dropped()
        while self._aside:
            await asyncio.wait(self._aside)
        await self.scores.aclose()
        await self._own_engine.aclose()

    async def _take(self, size: int, share: Share, *, waits: bool) -> tuple[Kept, PastGraph]:
        """Return the graph of a size with one more user, made and not outdated."""
        while True:
            kept = await self._choose(size, share, waits=waits)
            try:
                assert kept.made is not None
                await asyncio.wait([kept.made])
                if kept.failure is not None and not isinstance(kept.failure, PastNotReadyError):
                    raise kept.failure
                if kept.graph is not None and not await kept.graph.is_outdated() and not kept.is_dropped:
                    return kept, kept.graph
            except BaseException:
                await self._give_back(kept)
                raise
            self._places.drop(kept)
            await self._give_back(kept)

    async def _choose(self, size: int, share: Share, *, waits: bool) -> Kept:
        """Return the graph of a size with one more user, made or not; wait until there is room for it."""
        async with self._changed:
            while (kept := self._places.take(size, share, _now())) is None:
                if not waits:
                    raise PastNotReadyError(
                        f"there is no room for the graph of the first {size} entries beside another"
                    )
                await self._changed.wait()
            if kept.made is None:
                kept.made = asyncio.create_task(self._make(kept), context=Context())
            self._remove_dropped()
            return kept

    async def _make(self, kept: Kept) -> None:
        """Make a graph, or have it grow, in a context of its own: it does not end with the operation that waits."""
        try:
            if kept.graph is not None and await kept.graph.is_outdated():
                kept.graph = None
                await kept.stack.aclose()
            if kept.graph is None:
                store = await kept.stack.enter_async_context(self._database())
                kept.graph = PastGraph(store, self._store, self._content)
            await kept.graph.grow(kept.size, lambda: kept.is_wanted(_now()))
        except BaseException as error:
            kept.failure = error
            self._places.drop(kept)
            if not isinstance(error, PastNotReadyError | asyncio.CancelledError):
                logger.error("the graph of the first %s entries is not made", kept.size, exc_info=error)
        finally:
            kept.is_making = False
            await self._note()

    async def _give_back(self, kept: Kept) -> None:
        kept.users -= 1
        kept.used = _now()
        await self._note()

    async def _note(self) -> None:
        """Note that a user has finished with a graph, or that it was made."""
        self._remove_dropped()
        async with self._changed:
            self._changed.notify_all()

    @asynccontextmanager
    async def _database(self) -> AsyncIterator[Store]:
        """Yield a separate store; while there is one, erasures are watched for."""
        async with self._erasures.followed(), self._engine.database() as store:
            yield store

    def _remove_dropped(self) -> None:
        for kept in self._places.removable():
            self._begin_aside(kept.stack.aclose())

    def _begin_aside(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, context=Context())
        self._aside.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._aside.discard(task)
        if not task.cancelled() and task.exception() is not None:
            logger.error("a graph of the past was not removed", exc_info=task.exception())


def _now() -> float:
    return asyncio.get_running_loop().time()
