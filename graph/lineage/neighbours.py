"""Neighbours: the things one step away from a thing, by each relation and in both directions.

Things that a reader may not see are neither shown nor counted (`graph.lineage.names`). Each relation is read by one
query, up to `MAX_ROWS` rows; a group that is longer is incomplete.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from cypher import load_query
from graph.clearance import OPERATOR, Reader
from graph.errors import InputError
from graph.lineage.links import NEIGHBOURS, Link
from graph.lineage.names import Thing, find_things, not_found, readable_of
from graph.lineage.walk import NO_BYTES, Identity, Kind, Relation, size_of
from graph.store import Store

MAX_ROWS = 5_000
"""The maximum number of rows that are read of one relation in one direction."""

RELATIONS = frozenset(link.relation for link in NEIGHBOURS)
"""The relations between neighbours."""


@dataclass(frozen=True, slots=True)
class NeighbourChoice:
    """The wanted neighbours: their relations, their direction and their kinds; None means any.

    An `onward` relation goes from the thing to one that it rests on; if `onward` is false, to one that rests on it.
    """

    relations: frozenset[Relation] | None = None
    onward: bool | None = None
    kinds: frozenset[Kind] | None = None

    def check(self) -> None:
        """Raise `InputError` if no neighbours can have a relation of these."""
        if strange := sorted((self.relations or frozenset()) - RELATIONS):
            known = ", ".join(sorted(RELATIONS))
            raise InputError(f"no neighbours are joined by {', '.join(strange)}, but by {known}", "relations")

    def allows(self, link: Link, onward: bool) -> bool:
        """Return whether neighbours by this link in this direction are wanted."""
        far = link.earlier if onward else link.later
        return (
            (self.relations is None or link.relation in self.relations)
            and self.onward in (None, onward)
            and (self.kinds is None or far in self.kinds)
        )


@dataclass(frozen=True, slots=True)
class Group:
    """The neighbours of one thing of one kind by one relation in one direction, in log order, then by name.

    `complete` is false if there are more than were read.
    """

    of: Thing
    relation: Relation
    onward: bool
    kind: Kind
    things: tuple[Thing, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The things of a name, and the groups of their neighbours: first the things that they rest on."""

    as_of: int
    of: tuple[Thing, ...]
    groups: tuple[Group, ...]


async def find_neighbours(
    store: Store,
    name: str,
    kind: Kind | None = None,
    choice: NeighbourChoice | None = None,
    as_of: int | None = None,
    reader: Reader = OPERATOR,
) -> Neighbours:
    """Return the neighbours of all things of a name, of every kind or of one kind.

    `as_of` is a tree size of the log; later entries are ignored. Raises `NotFoundError` if there is nothing of that
    name that `reader` may see, and `InputError` for a size that the log has not had or a relation of no neighbours.
    """
    wanted = choice or NeighbourChoice()
    wanted.check()
    size = await size_of(store, as_of)
    found = await find_things(store, name, size, reader, kind)
    readable = await readable_of(store, [thing.identity for thing in found], reader)
    things = tuple(thing for thing in found if thing.identity in readable)
    if not things:
        raise not_found(name)
    near = _Near(store, {thing.identity: thing for thing in things}, size, reader)
    for onward in (True, False):
        for link in NEIGHBOURS:
            if wanted.allows(link, onward):
                await near.read(link, onward)
    return Neighbours(size, things, await near.groups())


_Place = tuple[Identity, Relation, bool, Kind]


@dataclass(slots=True)
class _Near:
    store: Store
    roots: dict[Identity, Thing]
    as_of: int
    reader: Reader
    found: dict[_Place, dict[Identity, Thing]] = field(default_factory=dict)
    cut: set[_Place] = field(default_factory=set)

    async def read(self, link: Link, onward: bool) -> None:
        """Read the neighbours by one link in one direction."""
        near, far, query = (link.later, link.earlier, link.onward) if onward else (link.earlier, link.later, link.back)
        names = [root.name for root in self.roots if root.kind is near and root.name != NO_BYTES]
        if not names or not query:
            return
        within = {"readable": list(self.reader.readable)} if "readable" in load_query(query).parameters else {}
        rows = await self.store.read(query, names=names, as_of=self.as_of, first=MAX_ROWS + 1, **within)
        for row in rows[:MAX_ROWS]:
            thing = Thing.from_row(far, row)
            if thing.name != NO_BYTES and (thing.log_index or 0) < self.as_of:
                place = (Identity(near, row["parent"]), link.relation, onward, far)
                self.found.setdefault(place, {}).setdefault(thing.identity, thing)
        if len(rows) > MAX_ROWS:
            self.cut |= {(Identity(near, name), link.relation, onward, far) for name in names}

    async def groups(self) -> tuple[Group, ...]:
        """Return the groups that are left of the things that the reader may see, in the order of reading."""
        everything = {identity for things in self.found.values() for identity in things}
        readable = await readable_of(self.store, everything, self.reader)
        return tuple(
            Group(self.roots[of], relation, onward, kind, things, (of, relation, onward, kind) not in self.cut)
            for (of, relation, onward, kind), found in self.found.items()
            if (things := _ordered(thing for identity, thing in found.items() if identity in readable))
        )


def _ordered(things: Iterable[Thing]) -> tuple[Thing, ...]:
    return tuple(sorted(things, key=lambda thing: (thing.log_index or 0, thing.name)))
