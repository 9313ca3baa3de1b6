"""The blast radius of a key, an agent, a source or a statement: everything that rests on it, at any size of the log.

What rests on what:

- on a key: the statements and verdicts that it signed, the keys that it registered, the agents that it vouched for;
- on an agent: its statements, its verdicts, and the agents that it vouched for;
- on the word of an operator: the verdicts of the agents that it vouched for, because these weigh what they do by it;
- on a source: the statements that cite it;
- on a statement: those that it supports, and those that revise it;
- on a verdict that binds its statement: that statement, whose score it reaches, or whose gate if it is the machine's.

The walk is breadth-first, so that what is nearest comes first; each level costs the same number of queries however wide
it is; nothing is entered twice, so that circles end. Nobody's words are in the answer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from graph.errors import InputError, NotFoundError
from graph.store import Row, Store

MAX_ITEMS = 20_000
"""Where the walk ends, complete or not."""

MAX_DEPTH = 100
"""Levels; a longer chain of support is cut."""

# What leads back to what is known counts against the limit of a query, so that there is room for it.
_MAX_ROWS = 2 * MAX_ITEMS + 1


class Kind(StrEnum):
    """What may rest on something, or be rested on."""

    KEY = "KEY"
    AGENT = "AGENT"
    SOURCE = "SOURCE"
    STATEMENT = "STATEMENT"
    VERIFICATION = "VERIFICATION"
    VOUCHED_FOR = "VOUCHED_FOR"


class Relation(StrEnum):
    """How something rests on something else."""

    SIGNED_WITH = "SIGNED_WITH"
    REGISTERED_BY = "REGISTERED_BY"
    GENERATED_BY = "GENERATED_BY"
    PERFORMED_BY = "PERFORMED_BY"
    ENDORSED_BY = "ENDORSED_BY"
    CITES = "CITES"
    SUPPORTED_BY = "SUPPORTED_BY"
    REVISION_OF = "REVISION_OF"
    JUDGED_BY = "JUDGED_BY"


@dataclass(frozen=True, slots=True)
class Item:
    """Something that rests on `parent` in a way; `name` is its key in the graph, `id` that of its message.

    An agent that somebody vouched for has the id and place of the endorsement.
    """

    kind: Kind
    name: str
    id: str | None
    log_index: int
    depth: int
    relation: Relation
    parent: str


@dataclass(frozen=True, slots=True)
class BlastRadius:
    """All items, nearest first and each level in log order; `complete` is false where the walk was cut short."""

    as_of: int
    items: tuple[Item, ...] = ()
    complete: bool = True


@dataclass(frozen=True, slots=True)
class _Step:
    """From things of one kind to those of another that rest on them, in one query."""

    start: Kind
    query: str
    end: Kind
    relation: Relation


_STEPS = (
    _Step(Kind.KEY, "lineage_signed_statements", Kind.STATEMENT, Relation.SIGNED_WITH),
    _Step(Kind.KEY, "lineage_signed_verifications", Kind.VERIFICATION, Relation.SIGNED_WITH),
    _Step(Kind.KEY, "lineage_signed_endorsements", Kind.VOUCHED_FOR, Relation.ENDORSED_BY),
    _Step(Kind.KEY, "lineage_registered_keys", Kind.KEY, Relation.REGISTERED_BY),
    _Step(Kind.AGENT, "lineage_agent_statements", Kind.STATEMENT, Relation.GENERATED_BY),
    _Step(Kind.AGENT, "lineage_agent_verifications", Kind.VERIFICATION, Relation.PERFORMED_BY),
    _Step(Kind.AGENT, "lineage_agent_endorsements", Kind.VOUCHED_FOR, Relation.ENDORSED_BY),
    _Step(Kind.VOUCHED_FOR, "lineage_agent_verifications", Kind.VERIFICATION, Relation.PERFORMED_BY),
    _Step(Kind.SOURCE, "lineage_citing_statements", Kind.STATEMENT, Relation.CITES),
    _Step(Kind.STATEMENT, "lineage_supported_statements", Kind.STATEMENT, Relation.SUPPORTED_BY),
    _Step(Kind.STATEMENT, "lineage_revisions", Kind.STATEMENT, Relation.REVISION_OF),
    _Step(Kind.VERIFICATION, "lineage_judged_statements", Kind.STATEMENT, Relation.JUDGED_BY),
)


@dataclass(slots=True)
class _Walk:
    """The items found so far, and what has been seen."""

    seen: set[tuple[Kind, str]]
    items: list[Item] = field(default_factory=list)
    complete: bool = True

    def take(self, found: Iterable[Item]) -> list[Item]:
        """Add the new ones of a level, in log order, as far as there is room; return them."""
        fresh = []
        for item in sorted(found, key=lambda item: (item.log_index, item.kind, item.name, item.relation, item.parent)):
            if (item.kind, item.name) in self.seen:
                continue
            if len(self.items) == MAX_ITEMS:
                self.complete = False
                break
            self.seen.add((item.kind, item.name))
            self.items.append(item)
            fresh.append(item)
        return fresh


async def blast_radius(store: Store, kind: Kind, name: str, as_of: int | None = None) -> BlastRadius:
    """Return what rests on a key, an agent, a source (by hash or name) or a statement (by hash or id).

    `as_of` is a size of the log; nothing that came after it is seen. Raises `NotFoundError` where there is nothing of
    that name, and `InputError` for a size that the log has not had.
    """
    (head,) = await store.read("log_size")
    size = head["size"] if as_of is None else as_of
    if not 0 <= size <= head["size"]:
        raise InputError(f"asOf is {as_of}; the log has had sizes from 0 to {head['size']}", "asOf")
    roots = await _roots(store, kind, name)
    walk = _Walk({(kind, root) for root in roots})
    frontier: dict[Kind, Sequence[str]] = {kind: roots}
    depth = 0
    while any(frontier.values()) and walk.complete:
        depth += 1
        if depth > MAX_DEPTH:
            walk.complete = False
            break
        fresh = walk.take(await _level(store, frontier, size, depth, walk))
        frontier = {one: [item.name for item in fresh if item.kind is one] for one in Kind}
    return BlastRadius(size, tuple(walk.items), walk.complete)


async def _roots(store: Store, kind: Kind, name: str) -> list[str]:
    match kind:
        case Kind.KEY:
            rows = await store.read("keys_by_id", references=[name])
            roots = [row["key_id"] for row in rows]
        case Kind.AGENT:
            roots = [row["agent_id"] for row in await store.read("agents_known", ids=[name])]
        case Kind.SOURCE:
            roots = sorted(row["document_key"] for row in await store.read("lineage_documents", name=name))
        case _ if name.startswith("sha256:"):
            roots = [row["signed_hash"] for row in await store.read("statements_by_hash", hashes=[name])]
        case _:
            roots = [row["signed_hash"] for row in await store.read("statements_by_id", ids=[name])]
    if not roots:
        raise NotFoundError(f"no {kind.lower()} {name} is here")
    return roots


async def _level(store: Store, frontier: dict[Kind, Sequence[str]], as_of: int, depth: int, walk: _Walk) -> list[Item]:
    found = []
    for step in _STEPS:
        names = frontier.get(step.start)
        if names:
            rows = await store.read(step.query, names=list(names), as_of=as_of, first=_MAX_ROWS)
            walk.complete = walk.complete and len(rows) < _MAX_ROWS
            found += [_item(step, row, depth) for row in rows]
    return found


def _item(step: _Step, row: Row, depth: int) -> Item:
    return Item(step.end, row["name"], row["id"], row["log_index"], depth, step.relation, row["parent"])
