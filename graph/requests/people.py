"""Reads from the graph who answers for whom."""

from collections import defaultdict
from collections.abc import Sequence

from graph.log.state_loader import Reads
from graph.requests.offers import People


async def people_of(reads: Reads, agents: Sequence[str]) -> People:
    """Return who endorsed these agents, and the seeds of the policy in force."""
    endorsers = defaultdict[str, set[str]](set)
    for row in await reads.read("endorsers_of", ids=list(agents)):
        endorsers[row["agent_id"]].add(row["operator"])
    seeds = frozenset(seed for policy in await reads.read("current_policy") for seed in policy["seeds"])
    return People({agent: frozenset(own) for agent, own in endorsers.items()}, seeds)
