"""Disputes and corroboration on request, from a store and under the policy in force."""

from collections.abc import Collection

from graph.disputes.corroboration import Corroboration, corroborations_of
from graph.disputes.disputes import Dispute, disputes_of
from graph.scoring.judgements import policy_in_force
from graph.scoring.reading import StoreReader
from graph.store import Store


async def disputes_in(store: Store, hashes: Collection[str]) -> dict[str, tuple[Dispute, ...]]:
    """Return the disputes of each of these statements."""
    return await disputes_of(StoreReader(store), hashes)


async def corroborations_in(store: Store, hashes: Collection[str]) -> dict[str, Corroboration]:
    """Return the corroboration of each of these statements, its operators counted by the seeds of the policy."""
    reads = StoreReader(store)
    policy = await policy_in_force(reads)
    return await corroborations_of(reads, hashes, policy.seeds)
