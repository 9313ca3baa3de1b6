"""Loads the stores that SPARQL queries read, one for each boundary class, from the log.

Rules:

- A class has a store of its own, with the triples that a reader of that class gets in an export: no query can reach
  anything outside the store.
- A store of another log, or made by another version of this software, is made anew (`graph.sparql.folder`); whether it
  is of this log is checked on the first query.
- Messages that later entries have changed for the readers of the class (a source's class, a key of a passport's agent)
  are replaced (`graph.sparql.outdated`). After an erasure the store is made anew; it is removed at once
  (`graph.sparql.folder.remove_stores`), without a query.
- A load continues when its query has stopped waiting, so that the next query finds more.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from a2ap.boundary import Boundary
from a2ap.log.entry import LogEntry
from a2ap.messages.message import MessageType
from a2ap.rdf.nanopublication import RECORDS_GRAPH, graph_names
from a2ap.rdf.nquads import nquads_block
from graph.content.content_store import ContentStore
from graph.database.pages import pages_of
from graph.errors import NotReadyError
from graph.export.documents import stored_page
from graph.export.nanopublications import named_graphs, nquads
from graph.export.reader import ExportReader
from graph.log.entry import entry_from_row, log_size
from graph.sparql.folder import Held, generation_of, held_size, is_unfinished, read_closed, read_held
from graph.sparql.outdated import OutdatedMessages, closed_sources, outdated_since
from graph.sparql.process import end_worker, start_worker
from graph.sparql.worker import STALE, Load
from graph.store import Store
from graph.transparency.log_root import LogRoot
from graph.withholding import Withholding

logger = logging.getLogger(__name__)

_ENTRIES = 1000
_MESSAGES = 50
"""Documents in memory at once; one has a mebibyte at most."""


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
        folder = self.path(clearance)
        while clearance not in self._known or is_unfinished(folder) or held_size(folder) < size:
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
        """Load the entries of the log that the store lacks, and replace the messages that these have changed."""
        folder = self.path(clearance)
        generation, size, node = generation_of(folder), await log_size(self._store), await self._origin()
        since, types = await self._reusable(clearance, size, node)
        if since == size:
            self._known.add(clearance)
            return
        # Before the quads are read: a document that is closed meanwhile counts as changed in the next load.
        closed, before = await closed_sources(self._store, clearance), read_closed(folder)
        outdated = OutdatedMessages()
        if since and before is not None:
            outdated = await outdated_since(self._store, since, types, node, before, closed)
        entries = await self._entries_at(outdated.places)
        replaced = [name for entry in entries for name in graph_names(entry.signed_hash)]
        held = Held(size, node, (await self._roots[clearance].at(size)).hex())
        task = Load(since, held, closed, generation, [*replaced, RECORDS_GRAPH] if outdated.records else replaced)
        reader = ExportReader(self._store, self._content, size, clearance, since=since)
        if await self._run(folder, task, self._quads(reader, entries)) == 0:
            self._known.add(clearance)

    async def _run(self, folder: Path, task: Load, quads: AsyncIterator[bytes]) -> int:
        """Run the worker of a load and return its status, 0 or STALE. Raises NotReadyError."""
        process = await start_worker("load", folder, output=None)
        assert process.stdin is not None
        try:
            process.stdin.write(task.line())
            async for some in quads:
                process.stdin.write(some)
                await process.stdin.drain()
            process.stdin.close()
            status = await process.wait()
        except ConnectionError:
            status = await process.wait()
        finally:
            await end_worker(process)
        if status not in (0, STALE):
            logger.error("loading %s entries into %s ended with status %s", task.held.size - task.since, folder, status)
            raise NotReadyError(f"the store for {folder.name} readers cannot be loaded")
        return status

    async def _quads(self, reader: ExportReader, replaced: Sequence[LogEntry]) -> AsyncIterator[bytes]:
        """Yield the quads of the replaced messages, and then those of the entries that the store lacks."""
        withholding = Withholding(self._store, reader.clearance)
        for some in pages_of(replaced, _MESSAGES):
            page = await stored_page(self._store, self._content, some, withholding)
            yield nquads_block(await named_graphs(reader, page)).encode()
        async for quads in nquads(reader):
            yield quads

    async def _reusable(self, clearance: Boundary, size: int, node: str) -> tuple[int, set[str]]:
        """Return the number of entries in the store, 0 if it must be made anew, and the types of the later entries."""
        folder = self.path(clearance)
        held = read_held(folder)
        if held is None or read_closed(folder) is None or not 0 < held.size <= size or held.origin != node:
            return 0, set()
        if (await self._roots[clearance].at(held.size)).hex() != held.root_hash:
            return 0, set()
        types = await self._types_from(held.size)
        return 0 if MessageType.REDACTION in types else held.size, types

    async def _entries_at(self, places: Sequence[int]) -> list[LogEntry]:
        rows = [
            row for some in pages_of(places, _ENTRIES) for row in await self._store.read("log_entries_at", places=some)
        ]
        return [entry_from_row(row) for row in rows]

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
