"""Reads the endorsers of agents, and the seeds of the policy, from the graph."""

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence

from graph.requests.offers import People
from graph.store import Reads


async def people_of(reads: Reads, agents: Sequence[str], *, without: Container[int] = ()) -> People:
    """Return the endorsers of these agents, and the seeds of the policy in force.

    An endorser whose first endorsement is in an entry `without`, by log index, is left out.
    """
    endorsers = defaultdict[str, set[str]](set)
    for row in await reads.read("endorsers_of", ids=list(agents)):
        if row["log_index"] not in without:
            endorsers[row["agent_id"]].add(row["operator"])
    return People({agent: frozenset(own) for agent, own in endorsers.items()}, await seeds_of(reads))


async def seeds_of(reads: Reads) -> frozenset[str]:
    """Return the seeds of the policy in force."""
    return frozenset(seed for policy in await reads.read("current_policy") for seed in policy["seeds"])


async def newly_answered_for(reads: Reads, endorsed: Mapping[int, str]) -> set[str]:
    """Return the agents among these, by the log index of their endorsement, whose operators it has changed.

    A repeated endorsement changes nothing, nor does that of a stranger if a seed has endorsed the agent.
    """
    agents = sorted(set(endorsed.values()))
    if not agents:
        return set()
    before, after = await people_of(reads, agents, without=endorsed), await people_of(reads, agents)
    return {agent for agent in agents if before.operators_of(agent) != after.operators_of(agent)}
