"""The graph, label by label and type by type, in pages of bounded size, without the parts that a reader may not see.

Rules:

- Data of entries behind `size` is left out: agents, keys, statements, requests, verifications, policies and their
  relationships. A chunk, document or source that appears while an export runs may be in it, without its citations.
  Scores, the states of keys, and whether a source is held, are as they are when they are read.
- Since a size, data that is written once is read from there on; data that may have changed is read again whole
  (`graph.export.steps`), and if it may also be gone, an empty page comes first that says so.
- Every node and relationship has `properties` alone; texts that a reader is not cleared for are taken out before.
- The subjects of a packet, the packets that it supersedes, and the records about it are in its text: without clearance
  for a packet and for a record of one, these relationships are left out, and so is a document that nothing else leads
  to. They are counted.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from a2ap.boundary import Boundary
from graph.dictionary.labels import NODE_KEYS
from graph.export.closure import Closure
from graph.export.paging import Pages
from graph.export.steps import EDGE_STEPS, NODE_STEPS, WITH_QUOTES, Change, EdgeStep, NodeStep, Paging
from graph.export.withheld_rows import WithheldRows
from graph.store import Row, Store

Properties = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Nodes:
    """Some nodes of a label."""

    label: str
    properties: Sequence[Properties]


@dataclass(frozen=True, slots=True)
class Edge:
    """A relationship between two nodes that their keys name."""

    start: Any
    end: Any
    properties: Properties


@dataclass(frozen=True, slots=True)
class Edges:
    """Some relationships of a type, all between the same two labels.

    `is_instead` says that in an export of changes the earlier relationships go, and that those of this page and of the
    following ones replace them; `is_again` that they may have been there.
    """

    type: str
    start_label: str
    end_label: str
    edges: Sequence[Edge]
    is_instead: bool = False
    is_again: bool = False


@dataclass(frozen=True, slots=True)
class Cursor:
    """The place where a page begins: the number of the reading step, and the place in it, None for the first page."""

    step: int
    at: int | str | None = None


class GraphReader:
    """Reads the graph as it was at `size` log entries, for a reader with a clearance.

    With `since`, the changes from that size on; with a closure, its contents. `done` is where the page after the
    written pages begins, and where reading begins if it is set before; `done_tally` holds the counts by then.
    """

    def __init__(
        self,
        store: Store,
        size: int,
        clearance: Boundary,
        *,
        since: int = 0,
        closure: Closure | None = None,
        quotes_changed: bool = False,
        tally: dict[str, int] | None = None,
    ) -> None:
        self._store = store
        self._size = size
        self._since = since
        self._closure = closure
        self._quotes_changed = quotes_changed
        self._pages = Pages(store, size, closure)
        self._withheld = WithheldRows(store, clearance)
        self._tally = {} if tally is None else tally
        self.done: Cursor | None = None
        self.done_tally = dict(self._tally)

    @property
    def left_out(self) -> Mapping[str, int]:
        """Return the numbers of nodes of a label and relationships of a type, of those read, that are withheld."""
        return self._withheld.left_out

    @property
    def part_done(self) -> float:
        """Return the part of the steps that is done, from 0 to 1."""
        if self.done is None:
            return 0.0
        within = self.done.at / self._size if isinstance(self.done.at, int) and self._size else 0.0
        return (self.done.step + within) / (len(NODE_STEPS) + len(EDGE_STEPS))

    @property
    def replaced(self) -> list[tuple[str, str, str]]:
        """Return the types and labels of relationships that replace the earlier ones."""
        return [(step.type, step.start, step.end) for step in EDGE_STEPS if self._is_instead(step)]

    async def nodes(self) -> AsyncIterator[Nodes]:
        """Yield the nodes, in the order of `NODE_KEYS`."""
        for number, step in enumerate(NODE_STEPS):
            if self.done is not None and number < self.done.step:
                continue
            async for at, rows in self._read(number, step):
                if page := await self._node_page(step, rows):
                    yield Nodes(step.label, page)
                self.finish(number, at)
            self.finish(number + 1)

    async def edges(self) -> AsyncIterator[Edges]:
        """Yield the relationships, in the order of `EDGE_STEPS`."""
        for number, step in enumerate(EDGE_STEPS, start=len(NODE_STEPS)):
            if self.done is not None and number < self.done.step:
                continue
            is_instead = self._is_instead(step)
            if is_instead and (self.done is None or self.done.at is None):
                yield Edges(step.type, step.start, step.end, (), is_instead)
            async for at, rows in self._read(number, step):
                if page := await self._edge_page(step, rows):
                    is_again = bool(self._since) and step.change is Change.AGAIN
                    yield Edges(step.type, step.start, step.end, page, is_instead, is_again)
                self.finish(number, at)
            self.finish(number + 1)

    def finish(self, step: int, at: int | str | None = None) -> None:
        """Note that everything up to a place was written."""
        self.done, self.done_tally = Cursor(step, at), dict(self._tally)

    async def _read(self, number: int, step: NodeStep | EdgeStep) -> AsyncIterator[tuple[int | str, list[Row]]]:
        at = self.done.at if self.done is not None and self.done.step == number else None
        if step.paging is Paging.ONCE:
            if self._closure is None:
                statements = self._tally.get("statements", 0)
                yield "", await self._store.read(step.query, size=self._size, statements=statements)
            return
        if at is None and step.paging is Paging.LOGGED and self._is_new_only(step):
            at = self._since
        since = 0 if isinstance(step, EdgeStep) and self._is_instead(step) else self._since
        async for next_at, rows in self._pages.of(step, at, since):
            yield next_at, rows

    def _is_new_only(self, step: NodeStep | EdgeStep) -> bool:
        """Return whether an export of changes has of this only the data of new entries, found by their log indices."""
        return step.change is Change.NONE and not (
            isinstance(step, EdgeStep) and (step.since or self._is_instead(step))
        )

    def _is_instead(self, step: EdgeStep) -> bool:
        if not self._since:
            return False
        return step.change is Change.REPLACED or (self._quotes_changed and step.type in WITH_QUOTES)

    async def _node_page(self, step: NodeStep, rows: list[Row]) -> list[Properties]:
        """Return the properties of a page of nodes as this reader may have them."""
        label = step.label
        if label == "Statement":
            self._tally["statements"] = self._tally.get("statements", 0) + len(rows)
        if self._since and step.change is Change.NONE:
            rows = [row for row in rows if row["properties"]["log_index"] >= self._since]
        rows = self._selected_nodes(label, rows)
        if not rows:
            return []
        return [row["properties"] for row in await self._withheld.nodes(label, rows)]

    def _selected_nodes(self, label: str, rows: list[Row]) -> list[Row]:
        if self._closure is None or not rows:
            return rows
        name = NODE_KEYS[label]
        if label == "LogEntry":
            places = self._closure.kept_places(row["properties"][name] for row in rows)
            return [row for row in rows if row["properties"][name] in places]
        kept = self._closure.kept(label, (row["properties"][name] for row in rows))
        return [row for row in rows if row["properties"][name] in kept]

    async def _edge_page(self, step: EdgeStep, rows: list[Row]) -> list[Edge]:
        rows = self._selected_edges(step, _with_ends(rows))
        rows = await self._withheld.edges(step.type, rows) if rows else rows
        return [Edge(row["start"], row["end"], row["properties"]) for row in rows]

    def _selected_edges(self, step: EdgeStep, rows: list[Row]) -> list[Row]:
        if self._closure is None or not rows:
            return rows
        starts = self._closure.kept(step.start, (row["start"] for row in rows))
        ends = self._closure.kept(step.end, (row["end"] for row in rows))
        return [row for row in rows if row["start"] in starts and row["end"] in ends]


def _with_ends(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["start"] is not None and row["end"] is not None]
