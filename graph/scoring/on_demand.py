"""Scores computed when somebody asks, by the method that they name; what is cached on the nodes stays as it is.

The graph's own `consensus_score`, `verified` and `reputation` are kept by `graph.scoring.scores`, in the transaction of
each verdict, by the method of the policy in force. Reputations are in `graph.scoring.reputations`.

A `Spend` is told how many judgements are to be weighed, each as often as it is, before they are; it raises where that
is too many. Between one score and the next it is looked whether the operation that asked is over.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

from graph.database.running import check_running
from graph.disputes.settling import excluding
from graph.log.state_loader import log_size
from graph.scoring.as_of import has_changed, has_displaced
from graph.scoring.consensus import Consensus, ConsensusMethod, ConsensusPolicy, GateState
from graph.scoring.judgements import JudgedStatement, judged_statements, policy_in_force
from graph.scoring.methods import method_named
from graph.scoring.reading import StoreReader
from graph.scoring.skills import skills_of_verifiers
from graph.store import Store

Spend = Callable[[int], None]

# So often what is read may change while it is read, before a score is given that is of no one size of the log.
_ATTEMPTS = 10
# More judgements are weighed in a thread.
_AT_ONCE = 100


async def consensus_of_statements(
    store: Store, hashes: Sequence[str], method: str | None = None, spend: Spend = lambda _: None
) -> dict[str, Consensus]:
    """Return the consensus on each of these statements, by the policy in force and its method or the one named.

    Each names the policy and the size of the log that its score was computed from; it names no size where these
    statements did not stand still for long enough to be read as of one. Whether it is verified beside statements that
    exclude it is as of now. Raises `InputError` for an unknown method.
    """
    chosen = method_named(ConsensusMethod, method)
    reads = StoreReader(store)
    known, size = await _known_at_one_size(reads, hashes, chosen)
    judgements = sum(len(one.judgements) for one in known.judged)
    spend(judgements)
    found = await _aside(judgements, partial(_explained, hashes, known, chosen, size))
    # What excludes what is cached under the policy in force, and says nothing of another method's scores.
    return await excluding(reads, found) if chosen in (None, known.policy.method) else found


async def consensus_over_time(
    store: Store, signed_hash: str, verifications: Collection[str], spend: Spend = lambda _: None
) -> dict[str, Consensus]:
    """Return, for these of the verdicts on a statement, the consensus of the verdicts up to its place in the log."""
    reads = StoreReader(store)
    policy = await policy_in_force(reads)
    judged = await judged_statements(reads, [signed_hash], policy=policy)
    if not judged:
        return {}
    (statement,) = judged
    places = [number for number, name in enumerate(statement.verifications, start=1) if name in verifications]
    spend(len(statement.judgements) + sum(places))
    return await _aside(sum(places), partial(_over_time, statement, places, policy))


def _over_time(statement: JudgedStatement, places: Sequence[int], policy: ConsensusPolicy) -> dict[str, Consensus]:
    """Return the consensus of the first so many judgements on a statement, by the verdict that is the last of them."""
    found = {}
    for number in places:
        check_running()
        before = replace(statement, judgements=statement.judgements[:number])
        found[statement.verifications[number - 1]] = before.consensus(policy)
    return found


@dataclass(frozen=True, slots=True)
class _Known:
    """What scores are computed from: the policy in force, and the statements with all that it asks for."""

    policy: ConsensusPolicy
    judged: tuple[JudgedStatement, ...]


async def _known_at_one_size(
    reads: StoreReader, hashes: Sequence[str], method: ConsensusMethod | None
) -> tuple[_Known, int | None]:
    """Return what is known of these statements, and the size of a log that makes it; None where it never stood still.

    Verdicts that come while they are read are left out. Where something came that may have changed what was there
    before, they are read again: if nothing is other than it was, it was so between the two readings.
    """
    size = await log_size(reads.store)
    known = await _known(reads, hashes, size, method)
    for _ in range(_ATTEMPTS):
        now = await log_size(reads.store)
        if not await _moved_on(reads, hashes, size, now, method or known.policy.method):
            return known, size
        again = await _known(reads, hashes, now, method)
        if again == known:
            return known, now
        known, size = again, now
    return known, None


async def _moved_on(reads: StoreReader, hashes: Sequence[str], size: int, now: int, method: str) -> bool:
    """Say whether what was read may not be what the first `size` entries make.

    By the literal method a score rests on reputations, which any verdict can move.
    """
    if method == ConsensusMethod.LITERAL:
        return now != size
    return await has_changed(reads, size, now) or await has_displaced(reads, hashes, size, now)


def _explained(
    hashes: Sequence[str], known: _Known, method: ConsensusMethod | None, size: int | None
) -> dict[str, Consensus]:
    policy, by_hash = known.policy, {one.signed_hash: one for one in known.judged}
    found = {}
    for name in hashes:
        check_running()
        one = by_hash.get(name, _unjudged(name))
        found[name] = replace(one.explained(policy, method), policy_hash=policy.signed_hash, log_size=size)
    return found


async def _aside(judgements: int, compute: Callable[[], dict[str, Consensus]]) -> dict[str, Consensus]:
    """Compute scores, in a thread where so many judgements would keep others waiting."""
    return compute() if judgements <= _AT_ONCE else await asyncio.to_thread(compute)


async def _known(reads: StoreReader, hashes: Sequence[str], size: int, method: ConsensusMethod | None) -> _Known:
    """Return what the method asks for, with the verdicts among the first `size` entries."""
    policy = await policy_in_force(reads)
    statements = await judged_statements(reads, hashes, size - 1, policy)
    if method != ConsensusMethod.WAWA:
        return _Known(policy, statements)
    verifiers = {judgement.verifier for one in statements for judgement in one.judgements}
    skills = await skills_of_verifiers(reads, verifiers, policy, size - 1)
    return _Known(policy, tuple(replace(one, knowledge=replace(one.knowledge, skills=skills)) for one in statements))


def _unjudged(signed_hash: str) -> JudgedStatement:
    return JudgedStatement(signed_hash, "", frozenset(), GateState.UNKNOWN, (), (), ())
