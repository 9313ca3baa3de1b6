"""Walks from things to what is joined to them, level by level, at any size of the log.

The walk is breadth-first, so that what is nearest comes first; each level costs the same number of queries however wide
it is; nothing is entered twice, so that circles end. Nobody's words are in the answer. What a packet is about, and who
says what of it, is in words of its class: without clearance for that the walk does not go along them.
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
    """What may rest on something, or be rested on."""

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
    """How something rests on something else."""

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
    """What tells a thing of the graph from all others: what it is, and what it is called there.

    A statement is called by its signed hash, bytes by theirs, an agent by its id.
    """

    kind: Kind
    name: str


@dataclass(frozen=True, slots=True)
class Item:
    """Something that was reached from `parent`; `name` is that of its identity, `id` that of its message or record.

    An agent that somebody vouched for has the id and place of the endorsement; bytes that no message registered have
    the place of what led to them.
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
        """Return what tells it from all others."""
        return Identity(self.kind, self.name)


@dataclass(frozen=True, slots=True)
class Step:
    """From things of some kinds to those of another that are joined to them, in one query."""

    starts: tuple[Kind, ...]
    query: str
    end: Kind
    relation: Relation


Keep = Callable[[Collection[Identity]], Awaitable[Collection[Identity]]]
"""Says which of some things a walk may find and go on from."""


@dataclass(slots=True)
class Walk:
    """The items found so far, every edge that was crossed, and what has been seen; `complete` until it is cut short."""

    seen: set[Identity]
    items: list[Item] = field(default_factory=list)
    edges: list[Item] = field(default_factory=list)
    complete: bool = True

    def take(self, found: Iterable[Item], most: int) -> list[Item]:
        """Add the new ones of a level, in log order, as far as there is room; return them."""
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
    """Return the size of the log to look at. Raises `InputError` for one that the log has not had."""
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
    """Return what a reader reaches from roots by steps: at most `most` items, at most `depth` levels away.

    What `keep` leaves out of a level is not walked through, and not found either, but for the kinds in `ends`: these
    end the walk.
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
    # What leads back to what is known counts against the limit of a query, so that there is room for it.
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
