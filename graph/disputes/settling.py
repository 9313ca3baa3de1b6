"""Settles disputes when scores change: in the transaction of the verdict, for its statement and all its opponents.

The cached values are a function of the scores and contradictions in the graph when the transaction ends, so that a
rebuild gives the same with any batches.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from a2ap.messages.policy import ConsensusMethod
from graph.disputes.exclusion import objections
from graph.disputes.keys import exact_subject_key
from graph.disputes.opponents import Neighbourhood, Reads, Row, neighbourhood_of, side_of
from graph.scoring.consensus import Consensus


@dataclass(frozen=True, slots=True)
class _Standing:
    carried: bool
    carried_by: frozenset[str]
    opposed_by: frozenset[str]


async def settle(transaction: Reads, found: Mapping[str, Consensus]) -> None:
    """Write the standings that these new scores give, and decide these statements and those that they exclude."""
    rows = await transaction.run("standings_of", hashes=sorted(found))
    standings = {row["signed_hash"]: _standing(found[row["signed_hash"]]) for row in rows}
    changed = [row for row in rows if _standing_in(row) != standings[row["signed_hash"]]]
    if changed:
        written = [_standing_row(row, standings[row["signed_hash"]]) for row in changed]
        await transaction.run("write_standings", rows=written)
    touched = {row["signed_hash"] for row in rows if row["carried"] or standings[row["signed_hash"]].carried}
    if touched:
        near = await neighbourhood_of(transaction, touched)
        # A neighbour is decided by its own neighbours too.
        whole = near if near.sides.keys() == touched else await neighbourhood_of(transaction, near.sides.keys())
        await _decide(transaction, whole, near.sides.keys())


async def excluding(reader: Reads, found: Mapping[str, Consensus]) -> dict[str, Consensus]:
    """Return each consensus beside the statements that its statement excludes, by the cached values of the graph.

    The literal method knows no disputes.
    """
    verified = [name for name, consensus in found.items() if consensus.verified and _disputes(consensus)]
    if not verified:
        return dict(found)
    near = await neighbourhood_of(reader, verified)
    against = objections(near.sides, near.contradictions)
    return {
        name: replace(consensus, verified=False, reasons=(*consensus.reasons, *against[name]))
        if name in verified and against.get(name)
        else consensus
        for name, consensus in found.items()
    }


async def _decide(transaction: Reads, near: Neighbourhood, hashes: Collection[str]) -> None:
    rows = [
        {"signed_hash": name, "verified": verified}
        for name, verified in sorted(_verified(near).items())
        if name in hashes and verified != near.verified[name]
    ]
    if rows:
        await transaction.run("write_verified", rows=rows)


def _verified(near: Neighbourhood) -> dict[str, bool]:
    """Return whether each carried statement is verified; the others are decided by their scores."""
    against = objections(near.sides, near.contradictions)
    return {name: not against[name] for name, side in near.sides.items() if side.carried}


def _disputes(consensus: Consensus) -> bool:
    return consensus.method is not ConsensusMethod.LITERAL


def _standing(consensus: Consensus) -> _Standing:
    """Return the operators that carry and oppose a statement; the literal method counts none and carries nothing."""
    per_criterion = consensus.per_criterion
    against = frozenset(name for entry in per_criterion for name in entry.operators_against)
    passed = frozenset(name for entry in per_criterion for name in entry.operators_for)
    return _Standing(consensus.verified and _disputes(consensus), passed - against, against)


def _standing_in(row: Row) -> _Standing:
    side = side_of(row)
    return _Standing(side.carried, side.carried_by, side.opposed_by)


def _standing_row(row: Row, standing: _Standing) -> Row:
    return {
        "signed_hash": row["signed_hash"],
        "carried": standing.carried,
        "carried_by": sorted(standing.carried_by),
        "opposed_by": sorted(standing.opposed_by),
        "carried_subject": exact_subject_key(row["claim_text"]) if standing.carried else None,
    }
