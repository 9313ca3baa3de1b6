"""A checker of PROV-CONSTRAINTS for the records that we write: what ProvToolbox 2.2 does not see is seen here.

Of the Recommendation's constraints those that can fail without starts, ends, mentions and names of relations: keys
(22 to 25), ordering (36 to 38, 41, 42, 46, 47), types (50), and impossibility (52 to 55). An order is a graph of
events; where two must be at once, as generations of one entity (39), they are one.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from a2ap.prov import Kind, Record

_ENTITIES = {
    Kind.ENTITY: (0,),
    Kind.GENERATION: (0,),
    Kind.USAGE: (1,),
    Kind.INVALIDATION: (0,),
    Kind.DERIVATION: (0, 1),
    Kind.ATTRIBUTION: (0,),
    Kind.SPECIALIZATION: (0, 1),
}
_ACTIVITIES = {
    Kind.ACTIVITY: (0,),
    Kind.GENERATION: (1,),
    Kind.USAGE: (0,),
    Kind.INVALIDATION: (1,),
    Kind.COMMUNICATION: (0, 1),
    Kind.ASSOCIATION: (0,),
}
_KEYED = (Kind.GENERATION, Kind.INVALIDATION)


class ConstraintViolation(Exception):
    """Records contradict each other; the message says which constraint, and of what."""


def check_constraints(records: Iterable[Record]) -> None:
    """Raise `ConstraintViolation` unless records, of one instance, are valid."""
    known = list(records)
    _check_keys(known)
    _check_types(known)
    _check_order(known)


def _check_keys(records: list[Record]) -> None:
    stated: dict[tuple[object, ...], str] = {}
    for record in records:
        if record.kind is Kind.ACTIVITY:
            facts: list[tuple[tuple[object, ...], str | None]] = [
                (("activity", record.places[0], at), record.places[at]) for at in (1, 2)
            ]
        elif record.kind in _KEYED and record.places[1] is not None:
            facts = [((record.kind, *record.places[:2]), record.places[2])]
        else:
            continue
        for key, time in facts:
            if time is not None and stated.setdefault(key, time) != time:
                raise ConstraintViolation(f"constraints 22 to 25: {key} is at {stated[key]} and at {time}")


def _check_types(records: list[Record]) -> None:
    entities, activities = (
        {str(record.places[at]) for record in records for at in places.get(record.kind, ()) if record.places[at]}
        for places in (_ENTITIES, _ACTIVITIES)
    )
    if both := entities & activities:
        raise ConstraintViolation(f"constraint 55: an entity and an activity: {sorted(both)}")
    plans = {str(record.places[2]) for record in records if record.kind is Kind.ASSOCIATION and record.places[2]}
    if mixed := plans & activities:
        raise ConstraintViolation(f"constraint 55: a plan and an activity: {sorted(mixed)}")


def _check_order(records: list[Record]) -> None:
    after: defaultdict[str, set[str]] = defaultdict(set)
    strict: set[tuple[str, str]] = set()
    for record in records:
        for earlier, later, is_strict in _order(record):
            after[earlier].add(later)
            if is_strict:
                strict.add((earlier, later))
    component = _components(after)
    for earlier, later in strict:
        if earlier == later or component[earlier] == component[later]:
            raise ConstraintViolation(f"constraint 42 or 52: {earlier} comes before {later}, and after it")


def _order(record: Record) -> Iterator[tuple[str, str, bool]]:
    first, second = (*map(str, record.places[:2]), "None")[:2]
    has_second = len(record.places) > 1 and record.places[1] is not None
    if record.kind in (Kind.GENERATION, Kind.INVALIDATION):
        event = ("gen " if record.kind is Kind.GENERATION else "inv ") + first
        yield f"gen {first}", f"inv {first}", False  # 36
        if has_second:  # 33, 34
            yield f"start {second}", event, False
            yield event, f"end {second}", False
    elif record.kind is Kind.USAGE:
        use = f"use {first} {second}"
        yield f"start {first}", use, False
        yield use, f"end {first}", False
        yield f"gen {second}", use, False  # 37
        yield use, f"inv {second}", False  # 38
    elif record.kind is Kind.COMMUNICATION:
        yield f"start {second}", f"end {first}", False  # 35
    elif record.kind is Kind.DERIVATION:
        yield f"gen {second}", f"gen {first}", True  # 42
    elif record.kind is Kind.SPECIALIZATION:
        yield f"gen {second}", f"gen {first}", False  # 46
        yield f"inv {first}", f"inv {second}", False  # 47
        yield f"special {first}", f"special {second}", True  # 52, with inference 19
    elif record.kind in (Kind.ASSOCIATION, Kind.ATTRIBUTION) and has_second:
        event = f"end {first}" if record.kind is Kind.ASSOCIATION else f"gen {first}"
        yield f"gen {second}", event, False  # 48, 49, where the agent is an entity too


def _components(after: dict[str, set[str]]) -> dict[str, int]:
    """Return the strongly connected component of each event (Kosaraju), without recursion."""
    nodes = {*after, *(later for all in after.values() for later in all)}
    before: defaultdict[str, set[str]] = defaultdict(set)
    for earlier, all in after.items():
        for later in all:
            before[later].add(earlier)
    finished: list[str] = []
    seen: set[str] = set()
    for root in nodes:
        stack = [(root, False)]
        while stack:
            node, done = stack.pop()
            if done:
                finished.append(node)
            elif node not in seen:
                seen.add(node)
                stack.append((node, True))
                stack += [(later, False) for later in after.get(node, ())]
    component: dict[str, int] = {}
    for number, root in enumerate(reversed(finished)):
        pending = [root]
        while pending:
            node = pending.pop()
            if node not in component:
                component[node] = number
                pending += before[node]
    return component
