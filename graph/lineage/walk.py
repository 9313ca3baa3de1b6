"""Walks from things to their neighbours, level by level, at any tree size of the log.

The walk is breadth-first, so that the nearest things come first; each level costs the same number of queries for any
width; no thing is entered twice, so that circles end. The result has no texts. The subjects of a packet, and the
records about it, are known from text of its class: without clearance for that class the walk does not follow these
relations.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from cypher import load_query
from graph.clearance import OPERATOR, Reader
from graph.errors import InputError
from graph.store import Row, Store

# The hash of no bytes at all: two runs that have nothing in common may both have had an empty output.
NO_BYTES = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


class Kind(StrEnum):
    """The kinds of things that may rest on one another."""

    KEY = "KEY"
    AGENT = "AGENT"
    SOURCE = "SOURCE"
    CHUNK = "CHUNK"
    STATEMENT = "STATEMENT"
    VERIFICATION = "VERIFICATION"
    VOUCHED_FOR = "VOUCHED_FOR"
    PASSPORT = "PASSPORT"
    PACK = "PACK"
    PACKET = "PACKET"
    PACKET_RECORD = "PACKET_RECORD"
    REQUEST = "REQUEST"
    CHALLENGE_ANSWER = "CHALLENGE_ANSWER"
    RETRACTION = "RETRACTION"


class Relation(StrEnum):
    """The relation of one thing to another that it rests on."""

    SIGNED_WITH = "SIGNED_WITH"
    REGISTERED_BY = "REGISTERED_BY"
    GENERATED_BY = "GENERATED_BY"
    PERFORMED_BY = "PERFORMED_BY"
    ENDORSED_BY = "ENDORSED_BY"
    CITES = "CITES"
    PART_OF = "PART_OF"
    SUPPORTED_BY = "SUPPORTED_BY"
    CONTRADICTS = "CONTRADICTS"
    REVISION_OF = "REVISION_OF"
    JUDGED_BY = "JUDGED_BY"
    ABOUT = "ABOUT"
    USED = "USED"
    INFORMED_BY = "INFORMED_BY"
    DERIVED_FROM = "DERIVED_FROM"
    RECORD_OF = "RECORD_OF"
    ECHOES = "ECHOES"
    SUPERSEDES = "SUPERSEDES"


class Identity(NamedTuple):
    """The identity of a thing of the graph: its kind and its name there.

    The name of a statement is its signed hash, of bytes their hash, of an agent its id.
    """

    kind: Kind
    name: str


@dataclass(frozen=True, slots=True)
class Item:
    """A thing reached from `parent`; `name` is that of its identity, `id` that of its message or record.

    An endorsed agent has the id and log index of the endorsement; bytes that no message registered have the log index
    of the thing that led to them.
    """

    kind: Kind
    name: str
    id: str | None
    log_index: int
    depth: int
    relation: Relation
    parent: str

    @property
    def identity(self) -> Identity:
        """Return its kind and name."""
        return Identity(self.kind, self.name)


@dataclass(frozen=True, slots=True)
class Step:
    """A step from things of some kinds to neighbours of another kind, in one query."""

    starts: tuple[Kind, ...]
    query: str
    end: Kind
    relation: Relation


Keep = Callable[[Collection[Identity]], Awaitable[Collection[Identity]]]
"""Returns the things that a walk may find and go on from."""


@dataclass(slots=True)
class Walk:
    """The items found so far, every edge crossed, and the things visited; `complete` until it is cut short."""

    seen: set[Identity]
    items: list[Item] = field(default_factory=list)
    edges: list[Item] = field(default_factory=list)
    complete: bool = True

    def take(self, found: Iterable[Item], most: int) -> list[Item]:
        """Add the new items of a level, in log order, up to `most` items in all; return them."""
        fresh = []
        for item in sorted(found, key=_place):
            if item.identity not in self.seen:
                if len(self.items) == most:
                    self.complete = False
                    break
                self.seen.add(item.identity)
                self.items.append(item)
                fresh.append(item)
            self.edges.append(item)
        return fresh


async def size_of(store: Store, as_of: int | None) -> int:
    """Return `as_of`, or the current tree size. Raises `InputError` for a size that the log has not had."""
    (head,) = await store.read("log_size")
    size: int = head["size"] if as_of is None else as_of
    if not 0 <= size <= head["size"]:
        raise InputError(f"asOf is {as_of}; the log has had sizes from 0 to {head['size']}", "asOf")
    return size


async def walk_from(
    store: Store,
    roots: Mapping[Kind, Sequence[str]],
    steps: Sequence[Step],
    as_of: int,
    *,
    most: int,
    depth: int,
    reader: Reader = OPERATOR,
    keep: Keep | None = None,
    ends: Collection[Kind] = (),
) -> Walk:
    """Return the items that a reader reaches from roots by steps: up to `most` items, up to `depth` levels away.

    Items that `keep` leaves out of a level are not walked through, and are left out of the result, except the kinds in
    `ends`: these end the walk.
    """
    walk = Walk({Identity(kind, name) for kind, names in roots.items() for name in names})
    frontier: Mapping[Kind, Sequence[str]] = roots
    level = 0
    while any(frontier.values()) and walk.complete:
        level += 1
        if level > depth:
            walk.complete = False
            break
        found = await _level(store, frontier, steps, as_of, level, walk, most, reader)
        kept = {item.identity for item in found}
        if keep is not None:
            kept &= set(await keep(kept))
        fresh = walk.take([item for item in found if item.kind in ends or item.identity in kept], most)
        frontier = {kind: [item.name for item in fresh if item.kind is kind and item.identity in kept] for kind in Kind}
    return walk


async def _level(
    store: Store,
    frontier: Mapping[Kind, Sequence[str]],
    steps: Sequence[Step],
    as_of: int,
    level: int,
    walk: Walk,
    most: int,
    reader: Reader,
) -> list[Item]:
    # A path that leads back to a known node counts against the limit of a query, so that there is room for it.
    first = 2 * most + 1
    found = []
    for step in steps:
        names = [name for start in step.starts for name in frontier.get(start, ()) if name != NO_BYTES]
        if names:
            within = {"readable": list(reader.readable)} if "readable" in load_query(step.query).parameters else {}
            rows = await store.read(step.query, names=names, as_of=as_of, first=first, **within)
            walk.complete = walk.complete and len(rows) < first
            found += [_item(step, row, level) for row in rows]
    return found


def _item(step: Step, row: Row, depth: int) -> Item:
    return Item(step.end, row["name"], row["id"], row["log_index"], depth, step.relation, row["parent"])


def _place(item: Item) -> tuple[int, Kind, str, Relation, str]:
    return item.log_index, item.kind, item.name, item.relation, item.parent
