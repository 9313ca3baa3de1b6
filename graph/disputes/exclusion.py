"""Decides which of the statements that exclude each other may be verified, and gives the reasons against the others.

Only a statement that its own verdicts carry (threshold, quorum, open gate, no other objection) excludes another, so
that a claim that only its author believes takes nothing from others. The rules (docs/decisions/0034):

1. A contradiction binds both if it was detected, if both declare it, or if an operator that counts for the one that
   declares it counts against the other. Of two that it binds, the one that scores clearly more may be verified, and
   neither if none does.
2. A contradiction that only one of them declares, and that no operator that counts has confirmed, binds that one alone:
   it may not be verified beside the statement that it contradicts.

Each statement is decided by those that it stands against and by nothing further, so that the order does not matter and
a new score costs only the statements that it touches. A higher score never loses a statement its verification, nor
gives it to one that excludes it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

CLEAR_MARGIN = 0.1
"""Minimum difference at which one of two scores clearly more, in published scores, which have four decimals."""


@dataclass(frozen=True, slots=True)
class Side:
    """A statement with the result of its verdicts.

    `carried` is whether it would be verified if nothing contradicted it; `carried_by` and `opposed_by` are the
    operators that count for and against it.
    """

    signed_hash: str
    statement_id: str
    score: float
    carried: bool
    carried_by: frozenset[str] = frozenset()
    opposed_by: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two statements that exclude each other, by their hashes; `by_one` and `by_other` say which of them declare it."""

    one: str
    other: str
    by_one: bool = False
    by_other: bool = False
    detected: bool = False


def objections(sides: Mapping[str, Side], contradictions: Collection[Contradiction]) -> dict[str, tuple[str, ...]]:
    """Return, for each side, the sentences with the reasons why it may not be verified beside the others.

    Contradictions with statements that are not among the sides, and of a statement with itself, are ignored.
    """
    against: defaultdict[str, dict[str, Contradiction]] = defaultdict(dict)
    for found in _merged(contradictions):
        if found.one in sides and found.other in sides:
            against[found.one][found.other] = found
            against[found.other][found.one] = found
    return {
        name: tuple(
            sentence
            for other in sorted((sides[other] for other in against[name]), key=_strongest_first)
            if (sentence := _objection(side, other, against[name][other.signed_hash]))
        )
        for name, side in sides.items()
    }


def wins(one: Side, other: Side) -> bool:
    """Return whether the first scores clearly more."""
    return round(round(one.score, 4) - round(other.score, 4), 4) >= CLEAR_MARGIN


def binds_both(one: Side, other: Side, found: Contradiction) -> bool:
    """Return whether a contradiction can take verification from both, and not only from the one that declares it."""
    if found.detected or (found.by_one and found.by_other):
        return True
    if found.one != one.signed_hash:
        one, other = other, one
    declaring, declared = (one, other) if found.by_one else (other, one)
    return bool(declaring.carried_by & declared.opposed_by)


def _objection(side: Side, other: Side, found: Contradiction) -> str:
    """Return the reason why `side` may not be verified because of `other`, "" if it may."""
    if not other.carried:
        return ""
    declares = found.by_one if found.one == side.signed_hash else found.by_other
    scored = f"{other.statement_id}, which scores {other.score:.4f}"
    if not binds_both(side, other, found):
        return f"It says that it contradicts {scored}, and no verifier that counts has judged so." if declares else ""
    if wins(side, other):
        return ""
    if wins(other, side):
        return f"It is excluded by {scored}."
    return f"It is in open dispute with {scored}: neither is clearly ahead."


def _merged(contradictions: Iterable[Contradiction]) -> Iterable[Contradiction]:
    """Join the contradictions of each pair."""
    found: dict[tuple[str, str], Contradiction] = {}
    for one in contradictions:
        if one.one == one.other:
            continue
        turned = one.one > one.other
        pair = (one.other, one.one) if turned else (one.one, one.other)
        by = (one.by_other, one.by_one) if turned else (one.by_one, one.by_other)
        before = found.get(pair, Contradiction(*pair))
        found[pair] = Contradiction(
            *pair, before.by_one or by[0], before.by_other or by[1], before.detected or one.detected
        )
    return found.values()


def _strongest_first(side: Side) -> tuple[float, str]:
    return -side.score, side.signed_hash
