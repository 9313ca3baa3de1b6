"""Loads the stores that SPARQL queries read, one for each boundary class, from the log.

Rules:

- A class has a store of its own, with the triples that a reader of that class gets in an export: no query can reach
  anything outside the store.
- A store of another log, or made by another version of this software, is made anew (`graph.sparql.folder`); whether it
  is of this log is checked on the first query.
- After an entry that changes the triples of earlier ones (an erasure, a source's class, a key of a passport's agent)
  the store is made anew. After an erasure it is removed at once (`graph.sparql.folder.remove_stores`), without a query.
- A load continues when its query has stopped waiting, so that the next query finds more.
"""

import asyncio
import json
import logging
from dataclasses import asdict
from pathlib import Path

from a2ap.boundary import Boundary
from a2ap.message import MessageType
from graph.content.content_store import ContentStore
from graph.errors import NotReadyError
from graph.export.log_root import LogRoot
from graph.export.nanopublications import nquads
from graph.export.reader import ExportReader
from graph.log.entry import entry_from_row
from graph.log.state_loader import log_size
from graph.sparql.folder import Held, generation_of, held_size, read_held
from graph.sparql.process import end_worker, start_worker
from graph.store import Store

logger = logging.getLogger(__name__)

_ENTRIES = 1000
_STALE = 3  # the worker's exit status

# What these give changes when the classes of sources, or whose keys are whose, become known later.
_CHANGING = frozenset(
    {
        MessageType.REDACTION,
        MessageType.SOURCE_REGISTRATION,
        MessageType.RECORD_REGISTRATION,
        MessageType.AGENT_REGISTRATION,
        MessageType.KEY_REGISTRATION,
        MessageType.KEY_REVOCATION,
    }
)


class StoreLoader:
    """Keeps the store of each class up to the log, in subfolders of a folder."""

    def __init__(self, store: Store, content: ContentStore, folder: Path) -> None:
        self._store = store
        self._content = content
        self._folder = folder
        self._loads: dict[Boundary, asyncio.Task[None]] = {}
        self._roots = {clearance: LogRoot(store) for clearance in Boundary}
        self._known: set[Boundary] = set()  # whose store was seen to be of this log

    def path(self, clearance: Boundary) -> Path:
        """Return the folder of the store of a class."""
        return self._folder / clearance.value

    async def bring_up(self, clearance: Boundary, size: int) -> None:
        """Load the store up to `size` entries; a load continues if its caller is cancelled. Raises NotReadyError."""
        while clearance not in self._known or held_size(self.path(clearance)) < size:
            if not self._is_loading(clearance):
                self._loads[clearance] = asyncio.create_task(self._load(clearance), name=f"a2ap-sparql-{clearance}")
            await asyncio.shield(self._loads[clearance])

    async def aclose(self) -> None:
        """Cancel all loads."""
        loads = list(self._loads.values())
        for task in loads:
            task.cancel()
        await asyncio.gather(*loads, return_exceptions=True)

    def _is_loading(self, clearance: Boundary) -> bool:
        task = self._loads.get(clearance)
        return task is not None and not task.done()

    async def _load(self, clearance: Boundary) -> None:
        """Load the entries of the log that the store lacks."""
        folder = self.path(clearance)
        generation, size = generation_of(folder), await log_size(self._store)
        since = await self._reusable(clearance, size)
        if since == size:
            self._known.add(clearance)
            return
        held = Held(size, await self._origin(), (await self._roots[clearance].at(size)).hex())
        reader = ExportReader(self._store, self._content, size, clearance, since=since)
        process = await start_worker("load", folder, str(since), json.dumps(asdict(held)), generation, output=None)
        assert process.stdin is not None
        try:
            async for quads in nquads(reader):
                process.stdin.write(quads)
                await process.stdin.drain()
            process.stdin.close()
            status = await process.wait()
        except ConnectionError:
            status = await process.wait()
        finally:
            await end_worker(process)
        if status not in (0, _STALE):
            logger.error("loading %s entries for %s readers ended with status %s", size - since, clearance, status)
            raise NotReadyError(f"the store for {clearance} readers cannot be loaded")
        if status == 0:
            self._known.add(clearance)

    async def _reusable(self, clearance: Boundary, size: int) -> int:
        """Return the number of the store's entries that are this log's and still valid, 0 if it must be made anew."""
        held = read_held(self.path(clearance))
        if held is None or not 0 < held.size <= size or held.origin != await self._origin():
            return 0
        if (await self._roots[clearance].at(held.size)).hex() != held.root_hash:
            return 0
        return held.size if _CHANGING.isdisjoint(await self._types_from(held.size)) else 0

    async def _origin(self) -> str:
        first = await self._store.read("log_entries_from", start=0, first=1)
        return str(first[0]["agent"]) if first else ""

    async def _types_from(self, start: int) -> set[str]:
        """Return the types of the entries from `start` on."""
        types: set[str] = set()
        size = await log_size(self._store)
        for first in range(start, size, _ENTRIES):
            rows = await self._store.read("log_entries_from", start=first, first=_ENTRIES)
            types |= {entry_from_row(row).type for row in rows}
        return types
