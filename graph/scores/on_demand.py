"""Scores computed on request by a given method; the values cached on the nodes stay as they are.

The graph's own `consensus_score`, `verified` and `reputation` are kept by `graph.scores.updates`, in the transaction of
each verdict, by the method of the policy in force. Reputations are in `graph.scoring.reputations`.

A `Spend` receives the number of judgements, each counted as often as it is weighed, before they are weighed; it raises
if that number is too high. Between two scores the code checks whether the requesting operation is over.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

from graph.database.running import check_running
from graph.disputes.settling import excluding
from graph.log.entry import log_size
from graph.scoring.as_of import has_changed, has_displaced
from graph.scoring.consensus import Consensus, ConsensusMethod, ConsensusPolicy, GateState
from graph.scoring.judgements import JudgedStatement, judged_statements, policy_in_force
from graph.scoring.methods import method_named
from graph.scoring.reading import StoreReader
from graph.scoring.skills import skills_of_verifiers
from graph.store import Store

Spend = Callable[[int], None]

# Number of readings that may find a change, before a score is returned that belongs to no single size of the log.
_ATTEMPTS = 10
# Above this number, judgements are weighed in a thread.
_AT_ONCE = 100


async def consensus_of_statements(
    store: Store, hashes: Sequence[str], method: str | None = None, spend: Spend = lambda _: None
) -> dict[str, Consensus]:
    """Return the consensus on each of these statements under the policy in force, by `method` if it is given.

    Each result names the policy and the size of the log that its score was computed from; it names no size if the log
    changed too often to read these statements at one size. Whether a statement is verified beside statements that
    exclude it is as of now. Raises `InputError` for an unknown method.
    """
    chosen = method_named(ConsensusMethod, method)
    reads = StoreReader(store)
    known, size = await _known_at_one_size(reads, hashes, chosen)
    judgements = sum(len(one.judgements) for one in known.judged)
    spend(judgements)
    found = await _aside(judgements, partial(_explained, hashes, known, chosen, size))
    # Exclusions are cached under the policy in force, and do not apply to another method's scores.
    return await excluding(reads, found) if chosen in (None, known.policy.method) else found


async def consensus_over_time(
    store: Store, signed_hash: str, verifications: Collection[str], spend: Spend = lambda _: None
) -> dict[str, Consensus]:
    """Return, for each of these verdicts on a statement, the consensus of the verdicts up to its log index."""
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
    """Return the consensus of the first N judgements on a statement for each N of `places`, by the Nth verdict."""
    found = {}
    for number in places:
        check_running()
        before = replace(statement, judgements=statement.judgements[:number])
        found[statement.verifications[number - 1]] = before.consensus(policy)
    return found


@dataclass(frozen=True, slots=True)
class _Known:
    """The inputs of scores: the policy in force, and the statements with the data that the method needs."""

    policy: ConsensusPolicy
    judged: tuple[JudgedStatement, ...]


async def _known_at_one_size(
    reads: StoreReader, hashes: Sequence[str], method: ConsensusMethod | None
) -> tuple[_Known, int | None]:
    """Return the inputs for these statements and the log size that gives them; None if they changed at every reading.

    Verdicts that arrive during the reading are left out. If an entry arrived that may have changed earlier data, the
    inputs are read again: if nothing differs, they were the same between the two readings.
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
    """Return whether the data that was read may differ from the state after the first `size` entries.

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
    """Compute scores, in a thread if the number of judgements would keep other requests waiting."""
    return compute() if judgements <= _AT_ONCE else await asyncio.to_thread(compute)


async def _known(reads: StoreReader, hashes: Sequence[str], size: int, method: ConsensusMethod | None) -> _Known:
    """Return the inputs that the method needs, with the verdicts among the first `size` entries."""
    policy = await policy_in_force(reads)
    statements = await judged_statements(reads, hashes, size - 1, policy)
    if method != ConsensusMethod.WAWA:
        return _Known(policy, statements)
    verifiers = {judgement.verifier for one in statements for judgement in one.judgements}
    skills = await skills_of_verifiers(reads, verifiers, policy, size - 1)
    return _Known(policy, tuple(replace(one, knowledge=replace(one.knowledge, skills=skills)) for one in statements))


def _unjudged(signed_hash: str) -> JudgedStatement:
    return JudgedStatement(signed_hash, "", frozenset(), GateState.UNKNOWN, (), (), ())
