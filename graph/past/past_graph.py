"""One graph of the past: the first entries of the log, with some properties as they are today.

The entries are written as by `a2ap log rebuild`, so that the graph has the content that it had when the log had that
size. These properties are as today, as far as `live`, the graph of the whole log, has them:

- Erased content stays erased, and `withheld` says by which agent and why.
- A document whose class has become stricter has the stricter class; so has a document without a class of its own whose
  name stands for such a document now.
- Whether the bytes of a source are held: the log does not say when they came.
"""

from collections.abc import Callable, Sequence
from functools import partial

from a2ap.log.entry import LogEntry
from a2ap.messages.message import MessageType
from graph.clearance import boundary_of
from graph.content.content_store import ContentStore
from graph.database.pages import pages_of
from graph.errors import LogMismatchError, PastNotReadyError
from graph.kinds.record import blanking_rows
from graph.log.entry import log_size
from graph.log.row_lists import Rows
from graph.past.erasures import ERASING
from graph.past.redacted import redacted_in_log
from graph.retention.erasing import all_redactions
from graph.retention.redactions import removal_rows
from graph.store import Row, Store, Transaction
from graph.submission.rebuild import BatchWriter, batches_of, find_sources
from graph.submission.row_writer import write_rows
from graph.transparency.graph_entries import entries_between
from graph.transparency.key_history import KeyHistory

CLASSING = frozenset({MessageType.SOURCE_REGISTRATION.value, MessageType.RECORD_REGISTRATION.value})
"""Kinds of messages that can make the class of an earlier document stricter."""

# A passage that cites a source by its name cites that of a registration that may have come later.
_OF_NAMES = frozenset({"write_redacted_chunks", "write_redacted_search_passages", "write_redacted_passages"})

_PAGE = 500


class PastGraph:
    """A graph of the first `size` entries in its own store; present-day properties are those at log size `seen`."""

    def __init__(self, store: Store, live: Store, content: ContentStore) -> None:
        self.store = store
        self.size = 0
        self.seen = 0
        self._live = live
        self._content = content
        self._redacted: dict[str, str] = {}
        self._writer: BatchWriter | None = None

    async def grow(self, size: int, is_wanted: Callable[[], bool] = lambda: True) -> None:
        """Write the entries up to a size that the log has, and update the properties that are as today.

        Raises `PastNotReadyError` as soon as the graph is no longer wanted. Content erased since its beginning is not
        removed from the entries written before: the reader must check `is_outdated` first.
        """
        if not self.size:
            self.seen = await log_size(self._live)
            await self.store.write(lambda transaction: transaction.run("open_log"))
        self._redacted |= await redacted_in_log(self._live, self._content)
        while self.size < size:
            if not is_wanted():
                raise PastNotReadyError(f"nobody asks for the graph of the first {size} entries any more")
            await self._write(await entries_between(self._live, self.size, min(size, self.size + _PAGE)))
        await self._erase()
        await self._raise_classes(since=self.size)
        await find_sources(self.store, self._content, self._live)

    async def is_outdated(self) -> bool:
        """Return whether something was erased since; raise the classes that have become stricter since."""
        now = await log_size(self._live)
        types = await self._types(self.seen, now)
        if not ERASING.isdisjoint(types):
            return True
        if not CLASSING.isdisjoint(types):
            await self._raise_classes(since=self.seen)
        self.seen = now
        return False

    async def _types(self, start: int, end: int) -> set[str]:
        if end - start > _PAGE:
            return {row["type"] for row in await self._live.read("kinds_between", start=start, end=end)}
        return {entry.type for entry in await entries_between(self._live, start, end)}

    async def _write(self, entries: Sequence[LogEntry]) -> None:
        if not entries:
            raise LogMismatchError(f"entry {self.size} is missing from the graph", self.size)
        for batch in batches_of(entries, ()):
            if self._writer is None:
                keys = KeyHistory(batch[0].agent)
                self._writer = BatchWriter(self.store, self._content, keys, self._redacted)
            await self._writer.write(batch)
            self.size = batch[-1].log_index + 1

    async def _erase(self) -> None:
        """Remove the content that redactions after these entries removed."""
        rows = Rows()
        async for record in all_redactions(self._live, start=self.size):
            named = await self._live.read("sources_of", keys=[record.document_hash], readable=[])
            for query, row in (*removal_rows(record), *blanking_rows(record.document_hash)):
                rows.add(query, row)
                if query in _OF_NAMES:
                    for source in named:
                        rows.add(query, row | {"document_hash": source["source_id"]})
        if rows.by_query:
            await self.store.write(partial(write_rows, rows=rows))

    async def _raise_classes(self, *, since: int) -> None:
        """Give each document the class that it has now by the registrations of the log from `since` on."""
        found = await self._live.read("classes_since", start=since)
        if not found:
            return
        for page in pages_of(found, _PAGE):
            await self.store.write(partial(_write_classes, rows=page))
        nameless = await self.store.read("documents_without_class")
        for page in pages_of(nameless, _PAGE):
            names = sorted({name for row in page for name in _names(row)})
            classes: dict[str, list[str]] = {}
            for row in await self._live.read("boundaries_of_sources", ids=names):
                classes.setdefault(row["source_id"], []).append(row["boundary"])
            rows = [
                {
                    "document_key": row["document_key"],
                    "boundary": boundary_of(None, [one for name in _names(row) for one in classes.get(name, ())]),
                }
                for row in page
            ]
            await self.store.write(partial(_write_classes, rows=rows))


def _names(row: Row) -> set[str]:
    """Return the names of a document."""
    return {name for name in (row["doc_id"], *row["cited_as"]) if name is not None}


async def _write_classes(transaction: Transaction, rows: Sequence[Row]) -> None:
    texts = [{"document_hash": row["document_key"], "boundary": row["boundary"]} for row in rows]
    await transaction.run("move_search_passages", rows=texts)
    await transaction.run("write_classes", rows=list(rows))
    await transaction.run("write_search_titles", rows=texts)
