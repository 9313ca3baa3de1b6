"""The changes of all scores, kept once they were found: replaying a log takes long, and past changes never change.

They are in a small database that can be removed at any time. They are found in the background, by one task at a time,
which goes on when no request waits for it: after a start it replays the whole log. The separate store in which it is
replayed stays for the next entries; it is removed after any erasure, because it has the words of messages.
"""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from contextvars import Context
from pathlib import Path

from graph.content.content_store import ContentStore
from graph.content.shared_database import open_shared_database
from graph.errors import PastNotReadyError
from graph.past.erasures import ERASING
from graph.past.score_replay import ScoreChange, ScoreReplay
from graph.store import Store
from graph.transparency.log_root import LogRoot

FILE = "scores.db"
"""The name of the database in the folder of the past."""

OpenScratch = Callable[[], AbstractAsyncContextManager[Store]]
"""Opens an empty store, which is removed afterwards."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS changes (log_size INTEGER, kind TEXT, name TEXT, value TEXT,
  PRIMARY KEY (log_size, kind, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reached (size INTEGER, root TEXT);
"""
_PAGE = 1000


class ScoreHistory:
    """The changes of scores of one log from a size on; without a file they are kept for the lifetime of this object."""

    def __init__(
        self, live: Store, content: ContentStore, open_scratch: OpenScratch, file: Path | None = None, begin: int = 0
    ) -> None:
        self._live = live
        self._content = content
        self._open_scratch = open_scratch
        self._file = file
        self._size = begin
        self._root = LogRoot(live)
        self._finding: asyncio.Task[object] | None = None
        self._turn = asyncio.Lock()
        self._stack = AsyncExitStack()
        self._replay: ScoreReplay | None = None
        self._is_outdated = False
        self._database: sqlite3.Connection | None = None

    async def reach(self, since: int, until: int, most: int, patience: float) -> int:
        """Return the size up to which the changes after `since` are known, at most `until` and `since + most`.

        Raises `PastNotReadyError` if none are known after `patience` seconds; the search goes on.
        """
        clock = asyncio.get_running_loop().time
        end = clock() + patience
        while since < until and self._size <= since:
            if self._finding is None or self._finding.done():
                work = self._open() if self._database is None else self.extend(until, most)
                # In a context of its own: it does not end with the operation that waits (`graph.database.running`).
                self._finding = asyncio.create_task(work, context=Context())
            finding = self._finding
            await asyncio.wait({finding}, timeout=max(0.0, end - clock()))
            if not finding.done():
                raise PastNotReadyError(f"the scores behind {since} entries are being found")
            finding.result()
        return min(until, max(since, self._size), since + most)

    async def extend(self, size: int, most: int) -> int:
        """Find the changes up to a log size, for up to `most` entries; return the size up to which they are known."""
        async with self._turn:
            database = await self._opened()
            start, end = self._size, min(size, self._size + most)
            if end <= start:
                return min(start, size)
            kinds = await self._live.read("kinds_between", start=start, end=end)
            if not ERASING.isdisjoint(row["type"] for row in kinds):
                await self._drop()
            replay = await self._replaying()
            try:
                found = [change async for changes in replay.changes(start, end) for change in changes]
                await self._keep(database, found, end)
            except BaseException:
                # The store aside differs from the note about it.
                await self._drop()
                raise
            self._size = end
            if self._is_outdated:
                await self._drop()
            return end

    def between(self, since: int, until: int) -> Iterator[ScoreChange]:
        """Yield the known changes after one size and up to another, in the order of the log."""
        assert self._database is not None
        after = (since, "~", "")
        query = """SELECT log_size, kind, name, value FROM changes
                   WHERE (log_size, kind, name) > (?, ?, ?) AND log_size <= ? ORDER BY log_size, kind, name LIMIT ?"""
        while rows := self._database.execute(query, (*after, until, _PAGE)).fetchall():
            for log_size, kind, name, value in rows:
                yield ScoreChange(kind, name, log_size, tuple(json.loads(value)))
            after = rows[-1][:3]

    async def forget(self) -> None:
        """Remove the separate store, once no task writes into it; the found changes stay."""
        self._is_outdated = True
        if not self._turn.locked():
            async with self._turn:
                await self._drop()

    async def aclose(self) -> None:
        """Cancel the search, remove the separate store, and close the database."""
        if self._finding is not None:
            self._finding.cancel()
            await asyncio.wait({self._finding})
        async with self._turn:
            await self._drop()
        if self._database is not None:
            self._database.close()

    async def _open(self) -> None:
        async with self._turn:
            await self._opened()

    async def _opened(self) -> sqlite3.Connection:
        if self._database is None:
            database = await self._made()
            try:
                reached = database.execute("SELECT size, root FROM reached").fetchone()
                if reached is not None and await self._is_of(*reached):
                    (self._size, _) = reached
                else:
                    database.executescript("DELETE FROM changes; DELETE FROM reached;")
            except BaseException:
                database.close()
                raise
            self._database = database
        return self._database

    async def _made(self) -> sqlite3.Connection:
        if self._file is not None:
            return await asyncio.to_thread(open_shared_database, self._file, _SCHEMA)
        database = sqlite3.connect(":memory:", isolation_level=None)
        database.executescript(_SCHEMA)
        return database

    async def _is_of(self, size: int, root: str) -> bool:
        """Return whether the found changes are of this log."""
        (head,) = await self._live.read("log_size")
        return size <= head["size"] and (await self._root.at(size)).hex() == root

    async def _keep(self, database: sqlite3.Connection, found: list[ScoreChange], size: int) -> None:
        root = (await self._root.at(size)).hex() if self._file is not None else ""
        rows = [(one.log_size, one.kind, one.name, json.dumps(one.values)) for one in found]
        database.execute("BEGIN")
        database.executemany("INSERT OR REPLACE INTO changes VALUES (?, ?, ?, ?)", rows)
        database.execute("DELETE FROM reached")
        database.execute("INSERT INTO reached VALUES (?, ?)", (size, root))
        database.execute("COMMIT")

    async def _replaying(self) -> ScoreReplay:
        if self._replay is None:
            scratch = await self._stack.enter_async_context(self._open_scratch())
            self._replay = ScoreReplay(self._live, self._content, scratch)
        return self._replay

    async def _drop(self) -> None:
        self._replay, self._is_outdated = None, False
        await self._stack.aclose()


async def history_rows(history: ScoreHistory, since: int, size: int, most: int) -> AsyncIterator[ScoreChange]:
    """Yield all changes after one size and up to another, finding those that are not known yet."""
    reached = since
    while reached < size:
        before, reached = reached, await history.extend(size, most)
        for change in history.between(before, reached):
            yield change
