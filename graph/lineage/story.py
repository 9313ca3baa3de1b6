"""The story of a statement: what it came out of, back to the first input, and what became of it, causes first.

A statement comes out of packs and passports (`prov:wasGeneratedBy`), cites sources, is supported by other statements
and revises earlier ones. A pack used prompts and inputs, was given bytes by its tools and follows other packs; a
passport is derived from its parents, and is the output of a pack where the bytes are the same; a packet has items about
statements and sources, and may take the place of another. What became of the statement: requests, verdicts and what
these came out of, answers to challenges, revisions and retractions. What became of the statements that it came out of
is told as well, as far as it says what they are worth: verdicts on them and retractions.

What a reader may not see ends the story: bytes that something else names, as a statement does those of the run that it
came out of, stand there by their hash alone, and a record that nothing names is not there at all.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graph.clearance import OPERATOR, Reader
from graph.lineage.causal_order import causal_order
from graph.lineage.links import LINKS, RECORDS, Way, steps_of
from graph.lineage.names import readable_by
from graph.lineage.walk import Identity, Item, Kind, Relation, Walk, size_of, walk_from
from graph.store import Store

MAX_ITEMS = 2_000
"""Where the story ends, complete or not."""

MAX_DEPTH = 50
"""Levels back; a longer story is cut."""

_CAUSES = steps_of(Way.CAUSES)
_EFFECTS = steps_of(Way.EFFECTS)
_WORTH = tuple(step for step in _EFFECTS if step.end in (Kind.VERIFICATION, Kind.RETRACTION))
_REVISIONS = tuple(link.step(onward=False) for link in LINKS if link.relation is Relation.REVISION_OF)


@dataclass(frozen=True, slots=True)
class Cause:
    """One thing that another rests on, and how."""

    relation: Relation
    kind: Kind
    name: str

    @property
    def identity(self) -> Identity:
        """Return what tells it from all others."""
        return Identity(self.kind, self.name)


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


async def story_of(
    store: Store,
    statement: str,
    statement_id: str,
    log_index: int,
    as_of: int | None = None,
    reader: Reader = OPERATOR,
) -> Story:
    """Return the story of the statement with this signed hash, id and place, as of a size of the log.

    What `reader` may not see stands there as bytes, alone: neither what they are nor what they came out of is told.
    Raises `InputError` for a size that the log has not had.
    """
    size = await size_of(store, as_of)
    roots = {Kind.STATEMENT: [statement]}
    after = await walk_from(store, roots, _EFFECTS, size, most=MAX_ITEMS, depth=MAX_DEPTH)
    revised = await walk_from(store, roots, _REVISIONS, size, most=MAX_ITEMS, depth=MAX_DEPTH)
    verdicts = [item.name for item in after.items if item.kind is Kind.VERIFICATION]
    starts = {**roots, Kind.VERIFICATION: verdicts}
    before = await walk_from(
        store,
        starts,
        _CAUSES,
        size,
        most=MAX_ITEMS,
        depth=MAX_DEPTH,
        reader=reader,
        keep=readable_by(store, reader),
        ends=(Kind.SOURCE,),  # found by a statement, verdict, pack or packet that is open and names their hash
    )
    inputs = [item.name for item in before.items if item.kind is Kind.STATEMENT]
    judged = await walk_from(store, {Kind.STATEMENT: inputs}, _WORTH, size, most=MAX_ITEMS, depth=MAX_DEPTH)
    told = _Telling(Identity(Kind.STATEMENT, statement), statement_id, log_index)
    told.add_effects(after)
    told.add_effects(revised)
    told.add_causes(before)  # those of the verdicts among them, so that these must be known
    told.add_effects(judged)  # of statements that are known by now
    walks = (before, after, revised, judged)
    return Story(size, told.in_order(), all(walk.complete for walk in walks))


class _Telling:
    """What has been found, and what rests on what."""

    def __init__(self, root: Identity, id: str, log_index: int) -> None:
        self._found: dict[Identity, tuple[str | None, int]] = {root: (id, log_index)}
        self._causes: dict[Identity, dict[Cause, None]] = defaultdict(dict)
        self._kinds: dict[str, set[Kind]] = defaultdict(set)
        self._kinds[root.name].add(root.kind)

    def add_causes(self, walk: Walk) -> None:
        """Add a walk back: what is found is what its parent rests on."""
        self._add_items(walk.items)
        for edge in walk.edges:
            if edge.relation is not Relation.RECORD_OF:
                cause = self._as_record(edge.identity)
                for effect in self._named(edge.parent):
                    self._causes[effect][Cause(edge.relation, *cause)] = None
        self._forget_own_outputs()

    def add_effects(self, walk: Walk) -> None:
        """Add a walk forward: what is found rests on its parent."""
        self._add_items(walk.items)
        for edge in walk.edges:
            for cause in self._named(edge.parent):
                self._causes[edge.identity][Cause(edge.relation, *cause)] = None

    def in_order(self) -> tuple[Event, ...]:
        """Return everything, each after all that it rests on, and as the log has it where either may be first.

        Where records go round in a circle, which bytes that name each other's hash cannot and packets that name each
        other's id can, the oldest of the circle comes first, and nothing that comes from the circle.
        """
        there = [thing for thing in self._found if self._as_record(thing) == thing]
        waits = {thing: {one.identity for one in self._causes[thing]} & set(there) - {thing} for thing in there}
        follows: dict[Identity, list[Identity]] = defaultdict(list)
        for thing, causes in waits.items():
            for cause in causes:
                follows[cause].append(thing)
        return tuple(self._event(thing) for thing in causal_order(waits, follows, self._place))

    def _add_items(self, items: Iterable[Item]) -> None:
        for item in items:
            self._found.setdefault(item.identity, (item.id, item.log_index))
            self._kinds[item.name].add(item.kind)

    def _as_record(self, thing: Identity) -> Identity:
        """Return the record that some bytes are, where they are one; otherwise what is given."""
        if thing.kind is Kind.SOURCE:
            known = self._kinds[thing.name]
            return next((Identity(kind, thing.name) for kind in RECORDS if kind in known), thing)
        return thing

    def _forget_own_outputs(self) -> None:
        """Let no pack rest on its own output, which its last step may have returned."""
        for thing, causes in self._causes.items():
            for cause in list(causes):
                made = Cause(Relation.GENERATED_BY, *thing)
                if cause.relation is Relation.USED and made in self._causes.get(cause.identity, ()):
                    del causes[cause]

    def _named(self, name: str) -> Sequence[Identity]:
        return sorted({self._as_record(Identity(kind, name)) for kind in self._kinds[name]})

    def _place(self, thing: Identity) -> tuple[int, Kind, str]:
        return self._found[thing][1], *thing

    def _event(self, thing: Identity) -> Event:
        id, log_index = self._found[thing]
        causes = sorted(self._causes[thing], key=lambda one: (one.kind, one.name, one.relation))
        return Event(*thing, id, None if thing.kind is Kind.SOURCE else log_index, tuple(causes))
