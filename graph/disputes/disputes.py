"""The disputes of statements: both sides, the authors that declare them or the detected reason, and the state.

A dispute is one pair of statements. It is open until one of the two is carried and the other is not, or scores clearly
more; it is withdrawn if an author takes a side back. Disputes are computed on request.
"""

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from a2ap.messages.verification_response import Verdict
from graph.disputes.detector import Detected
from graph.disputes.exclusion import Contradiction, Side, objections
from graph.disputes.opponents import Passages, Reads, Row, detect_between, passages_of, side_of

MOST_SHOWN = 32
"""Maximum number of statements of one subject, and of declarations against one statement: carried ones first."""


class DisputeState(StrEnum):
    """The state of a dispute."""

    OPEN = "OPEN"
    DECIDED = "DECIDED"
    WITHDRAWN = "WITHDRAWN"


@dataclass(frozen=True, slots=True)
class Party:
    """One side of a dispute as it is shown, with the number of verdicts of each kind."""

    side: Side
    author: str
    verified: bool
    verdicts: Mapping[Verdict, int]
    stands: bool
    log_index: int


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two statements that exclude each other, the older first; `declared_by` are the authors that declare it."""

    one: Party
    other: Party
    declared_by: tuple[str, ...]
    detected: Detected | None
    state: DisputeState
    decided_for: str | None
    reason: str

    @property
    def id(self) -> str:
        """The name of the pair."""
        names = sorted((self.one.side.signed_hash, self.other.side.signed_hash))
        return hashlib.sha256("\0".join(names).encode()).hexdigest()[:32]

    @property
    def weight(self) -> tuple[int, float]:
        """The order in which disputes are shown: by the number of carried sides, then by the higher score."""
        sides = (self.one.side, self.other.side)
        return sum(side.carried for side in sides), max(side.score for side in sides)


async def disputes_of(reader: Reads, hashes: Collection[str]) -> dict[str, tuple[Dispute, ...]]:
    """Return the disputes of each of these statements, the weightiest first, in a constant number of queries."""
    names = sorted(hashes)
    rows = await _rows(reader, names)
    declarations = await reader.run("contradictions_declared", hashes=names, most=MOST_SHOWN)
    declared = {(row["statement"], row["signed_hash"]) for row in declarations}
    about = await _about(reader, rows)
    pairs = sorted({*declared, *((name, other) for name in rows for other in about.get(name, ()))})
    rows |= await _rows(reader, sorted({other for _, other in pairs} - rows.keys()))
    passages = await passages_of(reader, {name for pair in pairs for name in pair}) if pairs else {}
    says = _who_says(declarations)
    counts = await _counts(reader, rows)
    # Thousands of claims can be on one page.
    return await asyncio.to_thread(_disputes, names, pairs, rows, passages, says, counts)


def _disputes(
    hashes: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    rows: Mapping[str, Row],
    passages: Passages,
    says: Collection[tuple[str, str]],
    counts: Mapping[str, Mapping[Verdict, int]],
) -> dict[str, tuple[Dispute, ...]]:
    found: defaultdict[str, dict[str, Dispute]] = defaultdict(dict)
    for name, other in pairs:
        if name == other or name not in rows or other not in rows:
            continue
        first, second = sorted((rows[name], rows[other]), key=lambda row: row["log_index"])
        detected = detect_between(first, second, passages)
        if detected is not None or (name, other) in says or (other, name) in says:
            dispute = _dispute(first, second, says, detected, counts)
            found[name][dispute.id] = dispute
    return {name: tuple(sorted(found[name].values(), key=_heaviest_first)) for name in hashes}


def _heaviest_first(dispute: Dispute) -> tuple[int, float, int, int]:
    carried, score = dispute.weight
    return -carried, -score, dispute.one.log_index, dispute.other.log_index


def ordered(disputes: Sequence[Dispute]) -> list[Dispute]:
    """Return each dispute once, the weightiest first."""
    return sorted({dispute.id: dispute for dispute in disputes}.values(), key=_heaviest_first)


async def _rows(reader: Reads, names: Sequence[str]) -> dict[str, Row]:
    if not names:
        return {}
    return {row["signed_hash"]: row for row in await reader.run("disputed_statements", hashes=list(names))}


async def _about(reader: Reads, rows: Mapping[str, Row]) -> dict[str, list[str]]:
    """Return the other statements on the subject of each statement."""
    keys = {name: row["subject_key"] for name, row in rows.items() if row["subject_key"] is not None}
    if not keys:
        return {}
    by_key: defaultdict[str, list[str]] = defaultdict(list)
    for row in await reader.run("statements_about_subjects", keys=sorted(set(keys.values())), most=MOST_SHOWN):
        by_key[row["subject_key"]].append(row["signed_hash"])
    return {name: [other for other in by_key[key] if other != name] for name, key in keys.items()}


async def _counts(reader: Reads, rows: Mapping[str, Row]) -> dict[str, dict[Verdict, int]]:
    counts: defaultdict[str, dict[Verdict, int]] = defaultdict(dict)
    if rows:
        for row in await reader.run("verdict_counts", hashes=sorted(rows)):
            counts[row["statement"]][Verdict(row["verdict"])] = row["number"]
    return counts


def _who_says(declarations: Sequence[Row]) -> set[tuple[str, str]]:
    """Return (statement, declared opponent) for each declaration."""
    return {
        (row["statement"], row["signed_hash"]) if row["declares"] else (row["signed_hash"], row["statement"])
        for row in declarations
    }


def _dispute(
    first: Row,
    second: Row,
    says: Collection[tuple[str, str]],
    detected: Detected | None,
    counts: Mapping[str, Mapping[Verdict, int]],
) -> Dispute:
    one, other = (_party(row, counts.get(row["signed_hash"], {})) for row in (first, second))
    names = (one.side.signed_hash, other.side.signed_hash)
    by_one, by_other = names in says, names[::-1] in says
    contradiction = Contradiction(*names, by_one=by_one, by_other=by_other, detected=detected is not None)
    state, decided_for, reason = _state(one, other, contradiction)
    return Dispute(
        one=one,
        other=other,
        declared_by=tuple(party.author for party, says_so in ((one, by_one), (other, by_other)) if says_so),
        detected=detected,
        state=state,
        decided_for=decided_for,
        reason=reason,
    )


def _party(row: Row, verdicts: Mapping[Verdict, int]) -> Party:
    return Party(
        side=side_of(row),
        author=row["author"],
        verified=bool(row["verified"]),
        verdicts=verdicts,
        stands=not row["retracted"] and row["superseded_by"] is None and bool(row["key_trusted"]),
        log_index=row["log_index"],
    )


def _state(one: Party, other: Party, contradiction: Contradiction) -> tuple[DisputeState, str | None, str]:
    for party in (one, other):
        if not party.stands:
            return DisputeState.WITHDRAWN, None, f"{party.side.statement_id} does not stand any more."
    sides = {party.side.signed_hash: party.side for party in (one, other)}
    carried = [side for side in sides.values() if side.carried]
    if not carried:
        return DisputeState.OPEN, None, "The verdicts carry neither."
    against = objections(sides, [contradiction])
    free = [side for side in carried if not against[side.signed_hash]]
    if len(free) != 1:
        return DisputeState.OPEN, None, "The verdicts carry both, and neither is clearly ahead."
    (winner,) = free
    loser = next(side for side in sides.values() if side is not winner)
    why = against[loser.signed_hash][0] if loser.carried else "The verdicts carry it, and not the other."
    who = loser if loser.carried else winner
    return DisputeState.DECIDED, winner.signed_hash, f"{who.statement_id}: {why}"
