"""The reader that a format is written from: the graph at a size of the log, as selected and as far as cleared.

Rules:

- Everything comes in pages of bounded size, in an order that is the same for the same graph.
- `mark` is where the next page begins, once the format requests it: all pages before have been written by then. A
  resumed export begins there, with the `tally` of then.
- Clearance is decided below this (`graph.withholding`), for every format in one place.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field

from a2ap.boundary import Boundary
from a2ap.log.entry import LogEntry
from a2ap.messages.message import read_message
from graph.content.content_store import ContentStore
from graph.export.closure import Closure
from graph.export.documents import StoredMessage, stored_page
from graph.export.graph_reader import Cursor, Edges, GraphReader, Nodes
from graph.export.pseudonyms import Pseudonyms
from graph.export.renamed import renamed_edges, renamed_nodes
from graph.log.entry import entry_from_row
from graph.node import Node
from graph.store import Row, Store
from graph.withholding import Withholding

_MESSAGES = 50
"""Documents in memory at once; one has a mebibyte at most."""

_ENTRIES = 1000


@dataclass(frozen=True, slots=True)
class FilePart:
    """A piece of one of several files, which are written one after the other and each from its beginning."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Start:
    """The place where an export that was broken off goes on."""

    cursor: Cursor
    tally: dict[str, int] = field(default_factory=dict)


class ExportReader:
    """Reads the subject of one export; `graph.export.open_reader` makes it.

    `since` is the size of the log that an earlier export had: data of its entries is left out, as far as it cannot have
    changed. `closure` has the keys of a selection, None if everything is exported. With pseudonyms the reader gives
    nodes and relationships alone. `node` signs, None if its key is absent. If `is_checked`, the triples of each message
    are compared with its JSON-LD expansion.
    """

    def __init__(
        self,
        store: Store,
        content: ContentStore,
        size: int,
        clearance: Boundary,
        *,
        since: int = 0,
        closure: Closure | None = None,
        quotes_changed: bool = False,
        pseudonyms: Pseudonyms | None = None,
        node: Node | None = None,
        start: Start | None = None,
        is_checked: bool = False,
    ) -> None:
        self.store = store
        self.content = content
        self.size = size
        self.since = since
        self.clearance = clearance
        self.node = node
        self.tally: dict[str, int] = dict(start.tally) if start else {}
        self._is_fresh = start is None
        self._in_entries: int | None = None
        self._closure = closure
        self._pseudonyms = pseudonyms
        self._begun = start
        self._is_checked = is_checked
        self._graph = GraphReader(
            store,
            size,
            clearance,
            since=since,
            closure=closure,
            quotes_changed=quotes_changed,
            tally=self.tally,
        )
        self._graph.done = start.cursor if start else None

    @property
    def mark(self) -> Start | None:
        """Return where the page after the written pages begins; None at the beginning."""
        if self._pseudonyms is not None:
            return self._begun
        return Start(self._graph.done, self._graph.done_tally) if self._graph.done is not None else None

    @property
    def part_done(self) -> float:
        """Return the part of the export that was read, from 0 to 1."""
        if self._in_entries is not None:
            return self._in_entries / max(self.size, 1)
        return self._graph.part_done

    @property
    def left_out(self) -> Mapping[str, int]:
        """Return the numbers of nodes of a label and relationships of a type, of those read, that are withheld."""
        return self._graph.left_out

    @property
    def is_fresh(self) -> bool:
        """Return whether it reads from the beginning, so that the head of the file has to be written."""
        return self._is_fresh

    @property
    def is_whole(self) -> bool:
        """Return whether nothing is left out but the parts that the reader is not cleared for."""
        return self._closure is None and not self.since

    @property
    def subject(self) -> str:
        """Return the subject of the export in words, for the head of a file."""
        if self.since:
            return f"what changed while its log grew from {self.since} to {self.size} entries"
        what = "the graph" if self._closure is None else "a selection of the graph"
        return f"{what} when its log had {self.size} entries"

    @property
    def replaced(self) -> list[tuple[str, str, str]]:
        """Return the types of relationship, with their labels, that replace earlier ones in an export of changes."""
        return self._graph.replaced

    def count(self, name: str, number: int = 1) -> None:
        """Add to a count that is kept across pages."""
        self.tally[name] = self.tally.get(name, 0) + number

    async def nodes(self) -> AsyncIterator[Nodes]:
        """Yield the nodes, label by label."""
        pages = self._graph.nodes()
        async for page in renamed_nodes(pages, self._pseudonyms, self._begin) if self._pseudonyms else pages:
            yield page

    async def edges(self) -> AsyncIterator[Edges]:
        """Yield the relationships, type by type; to be read after the nodes."""
        pages = self._graph.edges()
        async for page in renamed_edges(pages, self._pseudonyms, self._begin) if self._pseudonyms else pages:
            yield page

    def _begin(self) -> None:
        """Note that everything read from here on is not written yet: it is sorted before."""
        done = self._graph.done
        self._begun = Start(Cursor(done.step), dict(self.tally)) if done is not None else None

    async def messages(self) -> AsyncIterator[list[StoredMessage]]:
        """Yield the messages in log order, some at a time. Raises ContentError, and if checked `ExpansionError`."""
        withholding = Withholding(self.store, self.clearance)
        async for entries in self.entries(_MESSAGES):
            page = await stored_page(self.store, self.content, entries, withholding)
            if self._is_checked:
                await asyncio.to_thread(_verify_triples, page)
            yield page

    async def entries(self, most: int | None = None) -> AsyncIterator[list[LogEntry]]:
        """Yield the entries of the log in order, up to `most` at a time."""
        most = most or _ENTRIES
        done = self._graph.done
        at = self.since if done is None else int(done.at or 0)
        while at < self.size:
            rows = await self._entry_rows(at, most)
            if not rows:
                return
            at = rows[-1]["log_index"] + 1
            yield [entry_from_row(row) for row in rows]
            self._in_entries = at
            self._graph.finish(0, at)

    async def _entry_rows(self, at: int, most: int) -> list[Row]:
        if self._closure is None:
            return await self.store.read("log_entries_from", start=at, first=min(most, self.size - at))
        places = self._closure.places(at, self.size, most)
        return await self.store.read("log_entries_at", places=places) if places else []


def _verify_triples(page: Sequence[StoredMessage]) -> None:
    # pyld takes a while to load, and few exports need it.
    from a2ap.rdf.expansion import verify_triples

    for stored in page:
        # The expansion has the names that the author signed, those of a peer's agents too.
        verify_triples(read_message(stored.message.envelope.received))
