"""Connections between two things: the shortest paths of provenance between them.

A search from both ends, level by level, each by the same number of queries for any width. The end with fewer things on
its edge goes on; each side may read up to `MAX_ROWS` rows. A level that would take more is left out as a whole and its
side stays in place, while the other goes on: a source with very many citations is met from the other end. The result is
still the shortest. Things that a reader may not see are in no path (`graph.lineage.names`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cypher import load_query
from graph.clearance import OPERATOR, Reader
from graph.errors import InputError
from graph.lineage.links import PATHS, RELATIONS, Link
from graph.lineage.names import Thing, find_things, not_found, readable_of
from graph.lineage.shortest import Crossing, ShortestPaths, Side
from graph.lineage.walk import NO_BYTES, Identity, Kind, Relation, size_of
from graph.store import Store

MAX_ROWS = 10_000
"""The maximum number of rows that each side reads."""

MAX_LENGTH = 24
"""The maximum number of steps of a path."""

DEFAULT_LENGTH = 12
"""The number of steps by default."""


@dataclass(frozen=True, slots=True)
class PathChoice:
    """The wanted paths: their maximum length, relations, and direction; None means any.

    Each step of an `onward` path goes from the later thing to the one that it rests on; if `onward` is false, no step
    does.
    """

    length: int = DEFAULT_LENGTH
    relations: frozenset[Relation] | None = None
    onward: bool | None = None

    def check(self) -> None:
        """Raise `InputError` if no path can have this length or a relation of these."""
        if not 1 <= self.length <= MAX_LENGTH:
            raise InputError(f"maxLength is {self.length}, not from 1 to {MAX_LENGTH}", "maxLength")
        if strange := sorted((self.relations or frozenset()) - RELATIONS):
            known = ", ".join(sorted(RELATIONS))
            raise InputError(f"no path goes by {', '.join(strange)}, but by {known}", "relations")

    def allows(self, relation: Relation, onward: bool) -> bool:
        """Return whether a path may take a step by this relation in this direction."""
        return (self.relations is None or relation in self.relations) and self.onward in (None, onward)


@dataclass(frozen=True, slots=True)
class Found:
    """The paths, their things, and whether no path was left out because of its length or the limit of rows."""

    as_of: int
    paths: ShortestPaths
    things: Mapping[Identity, Thing]
    complete: bool


async def find_paths(
    store: Store,
    start: tuple[str, Kind | None],
    end: tuple[str, Kind | None],
    choice: PathChoice,
    as_of: int | None = None,
    reader: Reader = OPERATOR,
) -> Found:
    """Return the shortest paths between two things, each given by its name and optionally its kind.

    `as_of` is a tree size of the log; later entries are ignored. Raises `NotFoundError` if there is nothing of such a
    name that `reader` may see, and `InputError` for a size that the log has not had, too long paths, or a relation that
    no path uses.
    """
    choice.check()
    size = await size_of(store, as_of)
    search = _Search(store, choice, size, reader)
    ahead = _End(Side.at(await search.begin(*start)), True)
    behind = _End(Side.at(await search.begin(*end)), False)
    complete = await search.run(ahead, behind)
    return Found(size, ShortestPaths(ahead.side, behind.side), search.things, complete)


@dataclass(slots=True)
class _End:
    """A side of a search: its end, the number of rows read, and whether it may go on."""

    side: Side
    is_start: bool
    rows: int = 0
    stuck: bool = False

    @property
    def exhausted(self) -> bool:
        return not self.side.frontier

    @property
    def width(self) -> tuple[bool, int]:
        return self.stuck, len(self.side.frontier)


@dataclass(slots=True)
class _Search:
    store: Store
    choice: PathChoice
    as_of: int
    reader: Reader
    things: dict[Identity, Thing] = field(default_factory=dict)

    async def begin(self, name: str, kind: Kind | None) -> set[Identity]:
        """Return the things of a name that the reader may see."""
        found = await find_things(self.store, name, self.as_of, self.reader, kind)
        ways_out = [thing.identity for thing in found if thing.kind is not Kind.KEY]
        ends = await readable_of(self.store, ways_out, self.reader)
        if not ends:
            raise not_found(name)
        self.things |= {thing.identity: thing for thing in found if thing.identity in ends}
        return ends

    async def run(self, ahead: _End, behind: _End) -> bool:
        """Extend the sides until they meet or cannot go on; return whether the result is complete."""
        while ahead.side.depths.keys().isdisjoint(behind.side.depths):
            if ahead.exhausted or behind.exhausted:
                return True
            end = min(ahead, behind, key=lambda one: one.width)
            if end.stuck or ahead.side.depth + behind.side.depth == self.choice.length:
                return False
            await self._go_on(end)
        return True

    async def _go_on(self, end: _End) -> None:
        found: list[tuple[Thing, Crossing]] = []
        for link in PATHS:
            for onward in (True, False):
                # From the end a path is crossed against the way that it goes.
                if not end.stuck and self.choice.allows(link.relation, onward is end.is_start):
                    found += await self._cross(end, link, onward)
        if end.stuck:
            return
        fresh = {thing.identity for thing, _ in found if thing.name != NO_BYTES} - end.side.depths.keys()
        kept = await readable_of(self.store, fresh, self.reader)
        for thing, _ in found:
            if thing.identity in kept:
                self.things.setdefault(thing.identity, thing)
        end.side.take((thing.identity, crossing) for thing, crossing in found if thing.identity in kept)

    async def _cross(self, end: _End, link: Link, onward: bool) -> list[tuple[Thing, Crossing]]:
        """Return all things joined to the edge of a side by one relation, one way; nothing if they exceed the limit."""
        near, far = (link.later, link.earlier) if onward else (link.earlier, link.later)
        query = link.onward if onward else link.back
        names = [name for kind, name in end.side.frontier if kind is near and name != NO_BYTES]
        if not names:
            return []
        within = {"readable": list(self.reader.readable)} if "readable" in load_query(query).parameters else {}
        first = MAX_ROWS - end.rows + 1
        rows = await self.store.read(query, names=names, as_of=self.as_of, first=first, **within)
        end.rows += len(rows)
        end.stuck = len(rows) == first
        found = [(Thing.from_row(far, row), Identity(near, row["parent"])) for row in rows]
        there = [(thing, parent) for thing, parent in found if (thing.log_index or 0) < self.as_of]
        return [(thing, Crossing(parent, link.relation, onward)) for thing, parent in there]
