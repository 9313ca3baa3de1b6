"""The story of a statement: what it came out of, back to the first input, and what became of it, causes first.

A statement comes out of packs and passports (`prov:wasGeneratedBy`), cites sources, is supported by other statements
and revises earlier ones. A pack used prompts and inputs, was given bytes by its tools and follows other packs; a
passport is derived from its parents, and is the output of a pack where the bytes are the same; a packet has items about
statements and sources, and may take the place of another. What became of the statement: requests, verdicts and what
these came out of, answers to challenges, revisions and retractions.
"""

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from graph.lineage.walk import Item, Kind, Relation, Step, Walk, size_of, walk_from
from graph.store import Store

MAX_ITEMS = 2_000
"""Where the story ends, complete or not."""

MAX_DEPTH = 50
"""Levels back; a longer story is cut."""

_RECORDS = (Kind.PACK, Kind.PACKET, Kind.PASSPORT)  # what bytes are first of all that they are registered as
_BYTES = (Kind.SOURCE, *_RECORDS)  # the name of a record is the hash of its bytes

_BEFORE = (
    Step((Kind.STATEMENT,), "story_records_of_statements", Kind.SOURCE, Relation.GENERATED_BY),
    Step((Kind.STATEMENT,), "story_documents", Kind.SOURCE, Relation.CITES),
    Step((Kind.STATEMENT,), "story_supporting_statements", Kind.STATEMENT, Relation.SUPPORTED_BY),
    Step((Kind.STATEMENT,), "story_revised_statements", Kind.STATEMENT, Relation.REVISION_OF),
    Step((Kind.VERIFICATION,), "story_records_of_verifications", Kind.SOURCE, Relation.GENERATED_BY),
    Step((Kind.SOURCE,), "lineage_passports_of_bytes", Kind.PASSPORT, Relation.RECORD_OF),
    Step((Kind.SOURCE,), "lineage_packs_of_bytes", Kind.PACK, Relation.RECORD_OF),
    Step((Kind.SOURCE,), "lineage_packets_of_bytes", Kind.PACKET, Relation.RECORD_OF),
    Step(_BYTES, "story_generating_packs", Kind.PACK, Relation.GENERATED_BY),
    Step((Kind.PACK,), "story_used_documents", Kind.SOURCE, Relation.USED),
    Step((Kind.PACK,), "story_met_documents", Kind.SOURCE, Relation.USED),
    Step((Kind.PACK,), "story_informing_packs", Kind.PACK, Relation.INFORMED_BY),
    Step((Kind.PASSPORT,), "story_parent_passports", Kind.PASSPORT, Relation.DERIVED_FROM),
    Step((Kind.PACKET,), "story_item_statements", Kind.STATEMENT, Relation.ABOUT),
    Step((Kind.PACKET,), "story_item_documents", Kind.SOURCE, Relation.ABOUT),
    Step((Kind.PACKET,), "story_superseded_packets", Kind.PACKET, Relation.SUPERSEDES),
)
_AFTER = (
    Step((Kind.STATEMENT,), "story_requests", Kind.REQUEST, Relation.ABOUT),
    Step((Kind.STATEMENT,), "story_verdicts", Kind.VERIFICATION, Relation.ABOUT),
    Step((Kind.STATEMENT,), "story_retractions", Kind.RETRACTION, Relation.ABOUT),
    Step((Kind.VERIFICATION,), "story_challenge_answers", Kind.CHALLENGE_ANSWER, Relation.ABOUT),
    Step((Kind.VERIFICATION,), "story_retractions", Kind.RETRACTION, Relation.ABOUT),
)
_REVISIONS = (Step((Kind.STATEMENT,), "lineage_revisions", Kind.STATEMENT, Relation.REVISION_OF),)

Name = tuple[Kind, str]


@dataclass(frozen=True, slots=True)
class Cause:
    """One thing that another rests on, and how."""

    relation: Relation
    kind: Kind
    name: str


@dataclass(frozen=True, slots=True)
class Event:
    """A part of a story and what it rests on; `log_index` is None for bytes, which need not be in the log."""

    kind: Kind
    name: str
    id: str | None
    log_index: int | None
    causes: tuple[Cause, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """Everything in a story, each after all that it rests on; `complete` is false where it was cut short."""

    as_of: int
    events: tuple[Event, ...]
    complete: bool


async def story_of(store: Store, statement: str, statement_id: str, log_index: int, as_of: int | None = None) -> Story:
    """Return the story of the statement with this signed hash, id and place, as of a size of the log.

    Raises `InputError` for a size that the log has not had.
    """
    size = await size_of(store, as_of)
    roots = {Kind.STATEMENT: [statement]}
    after = await walk_from(store, roots, _AFTER, size, most=MAX_ITEMS, depth=MAX_DEPTH)
    revised = await walk_from(store, roots, _REVISIONS, size, most=MAX_ITEMS, depth=MAX_DEPTH)
    verdicts = [item.name for item in after.items if item.kind is Kind.VERIFICATION]
    starts = {**roots, Kind.VERIFICATION: verdicts}
    before = await walk_from(store, starts, _BEFORE, size, most=MAX_ITEMS, depth=MAX_DEPTH)
    told = _Telling((Kind.STATEMENT, statement), statement_id, log_index)
    told.add_effects(after)
    told.add_effects(revised)
    told.add_causes(before)  # those of the verdicts among them, so that these must be known
    walks = (before, after, revised)
    return Story(size, told.in_order(), all(walk.complete for walk in walks))


class _Telling:
    """What has been found, and what rests on what."""

    def __init__(self, root: Name, id: str, log_index: int) -> None:
        self._found: dict[Name, tuple[str | None, int]] = {root: (id, log_index)}
        self._causes: dict[Name, dict[Cause, None]] = defaultdict(dict)
        self._kinds: dict[str, set[Kind]] = defaultdict(set)
        self._kinds[root[1]].add(root[0])

    def add_causes(self, walk: Walk) -> None:
        """Add a walk back: what is found is what its parent rests on."""
        self._add_items(walk.items)
        for edge in walk.edges:
            if edge.relation is not Relation.RECORD_OF:
                cause = self._as_record((edge.kind, edge.name))
                for effect in self._named(edge.parent):
                    self._causes[effect][Cause(edge.relation, *cause)] = None
        self._forget_own_outputs()

    def add_effects(self, walk: Walk) -> None:
        """Add a walk forward: what is found rests on its parent."""
        self._add_items(walk.items)
        for edge in walk.edges:
            for cause in self._named(edge.parent):
                self._causes[(edge.kind, edge.name)][Cause(edge.relation, *cause)] = None

    def in_order(self) -> tuple[Event, ...]:
        """Return everything, each after all that it rests on, and as the log has it where either may be first.

        Where records go round in a circle, which bytes that name each other's hash cannot, the oldest comes first.
        """
        there = [name for name in self._found if self._as_record(name) == name]
        waits = {name: {(one.kind, one.name) for one in self._causes[name]} & set(there) - {name} for name in there}
        follows: dict[Name, list[Name]] = defaultdict(list)
        for name, causes in waits.items():
            for cause in causes:
                follows[cause].append(name)
        return tuple(self._event(name) for name in _sorted(waits, follows, self._place))

    def _add_items(self, items: Iterable[Item]) -> None:
        for item in items:
            self._found.setdefault((item.kind, item.name), (item.id, item.log_index))
            self._kinds[item.name].add(item.kind)

    def _as_record(self, name: Name) -> Name:
        """Return the record that some bytes are, where they are one; otherwise what is given."""
        if name[0] is Kind.SOURCE:
            return next(((kind, name[1]) for kind in _RECORDS if kind in self._kinds[name[1]]), name)
        return name

    def _forget_own_outputs(self) -> None:
        """Let no pack rest on its own output, which its last step may have returned."""
        for (kind, name), causes in self._causes.items():
            for cause in list(causes):
                made = Cause(Relation.GENERATED_BY, kind, name)
                if cause.relation is Relation.USED and made in self._causes.get((cause.kind, cause.name), ()):
                    del causes[cause]

    def _named(self, name: str) -> Sequence[Name]:
        return sorted({self._as_record((kind, name)) for kind in self._kinds[name]})

    def _place(self, name: Name) -> tuple[int, Kind, str]:
        return self._found[name][1], *name

    def _event(self, name: Name) -> Event:
        id, log_index = self._found[name]
        causes = sorted(self._causes[name], key=lambda one: (one.kind, one.name, one.relation))
        return Event(*name, id, None if name[0] is Kind.SOURCE else log_index, tuple(causes))


def _sorted(
    waits: Mapping[Name, set[Name]],
    follows: Mapping[Name, Sequence[Name]],
    place: Callable[[Name], tuple[int, Kind, str]],
) -> Iterable[Name]:
    """Yield names so that each comes after all that it waits for, the lowest place first where there is a choice."""
    left = {name: set(causes) for name, causes in waits.items()}
    ready = [(place(name), name) for name, causes in left.items() if not causes]
    heapq.heapify(ready)
    while left:
        if not ready:  # a circle
            ready = [min((place(name), name) for name in left)]
        _, name = heapq.heappop(ready)
        if left.pop(name, None) is None:
            continue
        yield name
        for effect in follows.get(name, ()):
            if effect in left:
                left[effect].discard(name)
                if not left[effect]:
                    heapq.heappush(ready, (place(effect), effect))
