"""Reputations computed on request by a given method; the values cached on agents stay as they are.

Each result names the policy and the size of the log that it was computed from; it names no size if the log changed too
often to read these agents at one size.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from a2ap.messages.epoch import Estimate
from a2ap.messages.verification_response import Verdict
from graph.errors import NotFoundError
from graph.log.entry import log_size
from graph.scoring.consensus import ConsensusMethod, ConsensusPolicy
from graph.scoring.judgements import policy_in_force
from graph.scoring.knowledge import table_of
from graph.scoring.methods import method_named
from graph.scoring.pooling import ALONE, Record, families_in, others_of, record_of
from graph.scoring.reading import StoreReader
from graph.scoring.reliabilities import ReliabilityTable
from graph.scoring.reputation import (
    Reputation,
    ReputationMethod,
    compute_literal_reputation,
    compute_reputation,
    reputation_from,
)
from graph.store import Store

# Number of readings that may find a change, before a reputation is returned that belongs to no single size of the log.
_ATTEMPTS = 10

_Found = dict[str, Reputation]


async def reputation_of_agent(store: Store, agent_id: str, method: str | None = None) -> Reputation:
    """Return the reputation of an agent by the given method, or by the one that goes with the policy in force.

    Under `a2ap-posterior` that is `a2ap-reliability`, otherwise `a2ap-agreement`, which also replaces it if no epoch
    has estimated the agent. Raises `NotFoundError` for an agent that is not registered and `InputError` for an unknown
    method.
    """
    chosen = method_named(ReputationMethod, method)

    async def read(policy: ConsensusPolicy) -> _Found:
        if chosen is ReputationMethod.LITERAL:
            return await _read_literally(store, [agent_id])
        return await _read(store, [agent_id], policy, chosen)

    found = await _at_one_size(store, read)
    if agent_id not in found:
        raise NotFoundError(f"no agent {agent_id} is registered")
    return found[agent_id]


async def reputations_of_agents(store: Store, agents: Sequence[str]) -> _Found:
    """Return the reputations of the registered agents among these, by the method of the policy in force."""
    return await _at_one_size(store, lambda policy: _read(store, agents, policy, None))


async def reputations_of_families(store: Store, families: Sequence[str]) -> _Found:
    """Return the common reputation of the confirmed versions of each of these families."""

    async def read(_: ConsensusPolicy) -> _Found:
        members = families_in(await store.read("members_counted", families=list(families)))
        records = {family: record_of(list(members.get(family, {}).values())) for family in families}
        return {family: compute_reputation(record.right, record.wrong) for family, record in records.items()}

    return await _at_one_size(store, read)


async def _at_one_size(store: Store, read: Callable[[ConsensusPolicy], Awaitable[_Found]]) -> _Found:
    """Return the reputations with the policy and the log size that give them; no size if they changed at every reading.

    If the log has grown meanwhile they are read again: if nothing differs, they were the same between the two readings.
    """
    reader = StoreReader(store)
    size = await log_size(store)
    policy = await policy_in_force(reader)
    found = await read(policy)
    for _ in range(_ATTEMPTS):
        now = await log_size(store)
        if now == size:
            return _named(found, policy, size)
        policy_again = await policy_in_force(reader)
        again = await read(policy_again)
        if (again, policy_again) == (found, policy):
            return _named(found, policy, now)
        size, policy, found = now, policy_again, again
    return _named(found, policy, None)


def _named(found: _Found, policy: ConsensusPolicy, size: int | None) -> _Found:
    return {name: replace(one, policy_hash=policy.signed_hash or None, log_size=size) for name, one in found.items()}


async def _read_literally(store: Store, agents: Sequence[str]) -> _Found:
    """Return the reputations by A2AP §6.3, which knows no policy."""
    verdicts: defaultdict[str, list[tuple[Verdict, float | None]]] = defaultdict(list)
    for row in await store.read("literal_judgements_of_agents", ids=list(agents), up_to=None):
        verdicts[row["agent_id"]].append((Verdict(row["verdict"]), row["consensus_score"]))
    known = [row["agent_id"] for row in await store.read("counters_of", ids=list(agents))]
    return {agent: compute_literal_reputation(verdicts[agent]) for agent in known}


async def _read(
    store: Store, agents: Sequence[str], policy: ConsensusPolicy, method: ReputationMethod | None
) -> _Found:
    """Return the reputations of the registered agents, in a number of queries that does not depend on theirs."""
    counters = await store.read("counters_of", ids=list(agents))
    tables = await _tables(store, [row["agent_id"] for row in counters], policy, method)
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


async def _tables(
    store: Store, agents: Sequence[str], policy: ConsensusPolicy, method: ReputationMethod | None
) -> dict[str, ReliabilityTable]:
    """Return the last epoch's table of each of these agents that it estimates, if the method needs it."""
    if method is ReputationMethod.AGREEMENT or (method is None and policy.method != ConsensusMethod.POSTERIOR):
        return {}
    table = await table_of(StoreReader(store), agents, policy.criteria)
    by_agent: defaultdict[str, dict[tuple[str, str], Estimate]] = defaultdict(dict)
    for key, one in table.estimates.items():
        by_agent[one.agent][key] = one
    return {agent: replace(table, estimates=own) for agent, own in by_agent.items()}


async def _others_of(store: Store, counters: Sequence[dict[str, Any]]) -> dict[str, Record]:
    """Return the record of the other confirmed versions of each agent's family, for agents with a family."""
    names = sorted({row["family"] for row in counters if row["family"] is not None})
    members = families_in(await store.read("members_counted", families=names)) if names else {}
    return {
        row["agent_id"]: others_of(members[row["family"]])[row["agent_id"]]
        for row in counters
        if row["family"] is not None
    }
