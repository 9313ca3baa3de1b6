"""Scores computed when somebody asks, by the method that they name; what is cached on the nodes stays as it is.

The graph's own `consensus_score`, `verified` and `reputation` are kept by `graph.scoring.scores`, in the transaction of
each verdict, by the method of the policy in force.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any, TypeVar

from a2ap.epoch import Estimate
from a2ap.verification_response import Verdict
from graph.disputes.settling import excluding
from graph.errors import InputError, NotFoundError
from graph.log.state_loader import log_size
from graph.scoring.as_of import has_changed, has_displaced
from graph.scoring.consensus import Consensus, ConsensusMethod, ConsensusPolicy, GateState
from graph.scoring.judgements import JudgedStatement, judged_statements, policy_in_force
from graph.scoring.knowledge import table_of
from graph.scoring.reading import StoreReader
from graph.scoring.reliabilities import ReliabilityTable
from graph.scoring.reputation import (
    Reputation,
    ReputationMethod,
    compute_literal_reputation,
    compute_reputation,
    reputation_from,
)
from graph.scoring.skills import skills_of_verifiers
from graph.store import Store
from graph.versions.pooling import ALONE, Record, families_in, others_of

Method = TypeVar("Method", bound=StrEnum)

# So often what is read may change while it is read, before a score is given that is of no one size of the log.
_ATTEMPTS = 10
# A statement with more judgements is scored in a thread.
_AT_ONCE = 100


async def consensus_of_statements(
    store: Store, hashes: Sequence[str], method: str | None = None
) -> dict[str, Consensus]:
    """Return the consensus on each of these statements, by the policy in force and its method or the one named.

    Each names the policy and the size of the log that its score was computed from; it names no size where these
    statements did not stand still for long enough to be read as of one. Whether it is verified beside statements that
    exclude it is as of now. Raises `InputError` for an unknown method.
    """
    chosen = _method(ConsensusMethod, method)
    reads = StoreReader(store)
    known, size = await _known_at_one_size(reads, hashes, chosen)
    found = await _explained(hashes, known, chosen, size)
    # What excludes what is cached under the policy in force, and says nothing of another method's scores.
    return await excluding(reads, found) if chosen in (None, known.policy.method) else found


async def consensus_over_time(store: Store, signed_hash: str, verifications: Collection[str]) -> dict[str, Consensus]:
    """Return, for these of the verdicts on a statement, the consensus of the verdicts up to its place in the log."""
    reads = StoreReader(store)
    policy = await policy_in_force(reads)
    found: dict[str, Consensus] = {}
    for statement in await judged_statements(reads, [signed_hash], policy=policy):
        places = zip(statement.verifications, statement.judgements, strict=True)
        for verification, last in places:
            if verification in verifications:
                before = tuple(one for one in statement.judgements if one.log_index <= last.log_index)
                consensus = replace(statement, judgements=before).consensus
                found[verification] = await _aside(len(before), partial(consensus, policy))
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


async def _explained(
    hashes: Sequence[str], known: _Known, method: ConsensusMethod | None, size: int | None
) -> dict[str, Consensus]:
    policy, by_hash = known.policy, {one.signed_hash: one for one in known.judged}
    found = {}
    for name in hashes:
        one = by_hash.get(name, _unjudged(name))
        consensus = await _aside(len(one.judgements), partial(one.explained, policy, method))
        found[name] = replace(consensus, policy_hash=policy.signed_hash, log_size=size)
    return found


async def _aside(judgements: int, compute: Callable[[], Consensus]) -> Consensus:
    """Compute a consensus, in a thread where so many judgements would keep others waiting."""
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


async def reputation_of_agent(store: Store, agent_id: str, method: str | None = None) -> Reputation:
    """Return the reputation of an agent by the method named, or by the one that goes with the policy in force.

    Under `a2ap-posterior` that is `a2ap-reliability`, else `a2ap-agreement`, which stands in for it where no epoch has
    estimated the agent. Raises `NotFoundError` for an agent that is not registered and `InputError` for an unknown
    method.
    """
    chosen = _method(ReputationMethod, method)
    counters = await store.read("counters_of", ids=[agent_id])
    if not counters:
        raise NotFoundError(f"no agent {agent_id} is registered")
    if chosen is ReputationMethod.LITERAL:
        rows = await store.read("literal_judgements_of_agents", ids=[agent_id], up_to=None)
        return compute_literal_reputation((Verdict(row["verdict"]), row["consensus_score"]) for row in rows)
    return (await _reputations(store, counters, chosen))[agent_id]


async def reputations_of_agents(store: Store, agents: Sequence[str]) -> dict[str, Reputation]:
    """Return the reputations of those of these agents that are registered, by the method of the policy in force."""
    return await _reputations(store, await store.read("counters_of", ids=list(agents)), None)


async def _reputations(
    store: Store, counters: Sequence[dict[str, Any]], method: ReputationMethod | None
) -> dict[str, Reputation]:
    """Return the reputations of rows of `counters_of`; the number of queries does not depend on how many there are."""
    agents = [row["agent_id"] for row in counters]
    tables = await _tables(store, agents, method) if method is not ReputationMethod.AGREEMENT else {}
    others = await _others_of(store, [row for row in counters if row["agent_id"] not in tables])
    found = {}
    for row in counters:
        agent, right, wrong = row["agent_id"], row["verdicts_right"] or 0, row["verdicts_wrong"] or 0
        table = tables.get(agent)
        if table is not None:
            found[agent] = reputation_from(table, right, wrong)
        else:
            found[agent] = compute_reputation(right, wrong, others.get(agent, ALONE))
    return found


async def _tables(store: Store, agents: Sequence[str], method: ReputationMethod | None) -> dict[str, ReliabilityTable]:
    """Return what the last epoch says of each of these agents of which it says something, if the method asks for it."""
    reads = StoreReader(store)
    policy = await policy_in_force(reads)
    if method is None and policy.method != ConsensusMethod.POSTERIOR:
        return {}
    table = await table_of(reads, agents, policy.criteria)
    by_agent: defaultdict[str, dict[tuple[str, str], Estimate]] = defaultdict(dict)
    for key, one in table.estimates.items():
        by_agent[one.agent][key] = one
    return {agent: replace(table, estimates=own) for agent, own in by_agent.items()}


async def _others_of(store: Store, counters: Sequence[dict[str, Any]]) -> dict[str, Record]:
    """Return what the other confirmed versions of each agent's family have done, for those of a family."""
    names = sorted({row["family"] for row in counters if row["family"] is not None})
    members = families_in(await store.read("members_counted", families=names)) if names else {}
    return {
        row["agent_id"]: others_of(members[row["family"]])[row["agent_id"]]
        for row in counters
        if row["family"] is not None
    }


def _method(methods: type[Method], name: str | None) -> Method | None:
    try:
        return methods(name) if name is not None else None
    except ValueError as error:
        known = " or ".join(method.value for method in methods)
        raise InputError(f"method is {name!r}, not {known}", "method") from error


def _unjudged(signed_hash: str) -> JudgedStatement:
    return JudgedStatement(signed_hash, "", frozenset(), GateState.UNKNOWN, (), (), ())
