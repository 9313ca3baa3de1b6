"""Opens the reader of one export: reads the size of the log, and finds everything that belongs to a selection."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from a2ap.boundary import Boundary
from a2ap.messages.message import MessageType
from graph.content.content_store import ContentStore
from graph.errors import InputError
from graph.export.closure import Closure
from graph.export.gathering import gather
from graph.export.pseudonyms import Pseudonyms
from graph.export.reader import ExportReader, Start
from graph.export.selection import EVERYTHING, Selection
from graph.log.entry import log_size
from graph.node import Node
from graph.store import Store

_ENTRIES = 1000
_TAKING = frozenset({MessageType.REDACTION, MessageType.SOURCE_REGISTRATION, MessageType.RECORD_REGISTRATION})


@dataclass(frozen=True, slots=True)
class Wanted:
    """The subject of an export, independent of its format.

    With `is_checked`, the triples of each message are compared with its JSON-LD expansion.
    """

    clearance: Boundary = Boundary.PUBLIC
    size: int | None = None
    selection: Selection = EVERYTHING
    since: int = 0
    pseudonym_key: bytes | None = field(default=None, repr=False)
    is_checked: bool = False

    def check(self) -> None:
        """Raise `InputError` if no export can have it."""
        self.selection.check()
        if self.size is not None and self.size < 0:
            raise InputError(f"size is {self.size}, not a number of log entries", "size")
        if self.since < 0:
            raise InputError(f"since is {self.since}, not a number of log entries", "since")
        named = self.selection.agents or self.selection.statements
        placed = (self.selection.entries_from, self.selection.entries_until) != (None, None)
        if self.pseudonym_key is not None and (named or placed):
            raise InputError("a selection by names or places in the log says whose the pseudonyms are", "pseudonymize")
        if self.since and not self.selection.is_everything:
            raise InputError("changes are those of the whole graph, not of a selection", "since")


@asynccontextmanager
async def open_reader(
    store: Store, content: ContentStore, wanted: Wanted, start: Start | None = None, *, node: Node | None = None
) -> AsyncIterator[ExportReader]:
    """Yield the reader of an export, from its beginning or from where an earlier one stopped. Raises `InputError`.

    `node` signs the parts of a format, or of the manifest, that are signed.
    """
    wanted.check()
    found = await log_size(store)
    size = found if wanted.size is None else min(wanted.size, found)
    if wanted.since > size:
        raise InputError(f"since is {wanted.since}, and the log has {size} entries", "since")
    pseudonyms = Pseudonyms(wanted.pseudonym_key) if wanted.pseudonym_key is not None else None
    open_at = partial(
        ExportReader,
        store,
        content,
        size,
        wanted.clearance,
        pseudonyms=pseudonyms,
        node=node,
        start=start,
        is_checked=wanted.is_checked,
    )
    if wanted.selection.is_everything:
        changed = bool(wanted.since) and await _quotes_changed(store, size, wanted.since)
        yield open_at(since=wanted.since, quotes_changed=changed)
        return
    with tempfile.TemporaryDirectory(prefix="a2ap-export-") as folder:
        closure = Closure(Path(folder) / "closure.db")
        try:
            await gather(store, closure, wanted.selection, size, wanted.clearance)
            yield open_at(closure=closure)
        finally:
            closure.close()


async def _quotes_changed(store: Store, size: int, since: int) -> bool:
    """Return whether these entries can have withdrawn quotes: a redaction, or a registration that sets a class."""
    for start in range(since, size, _ENTRIES):
        rows = await store.read("log_entries_from", start=start, first=min(_ENTRIES, size - start))
        if any(row["type"] in _TAKING for row in rows):
            return True
    return False
