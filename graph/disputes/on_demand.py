"""Disputes and corroboration for those who ask, out of a store and under the policy in force."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from graph.disputes.corroboration import Corroboration, corroborations_of
from graph.disputes.disputes import Dispute, disputes_of
from graph.scoring.judgements import policy_in_force
from graph.store import Store


@dataclass(frozen=True, slots=True)
class _Reads:
    """A store as something that runs queries outside of any transaction."""

    store: Store

    async def run(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Run a named query and return its rows."""
        return await self.store.read(name, **parameters)


async def disputes_in(store: Store, hashes: Collection[str]) -> dict[str, tuple[Dispute, ...]]:
    """Return the disputes of each of these statements."""
    return await disputes_of(_Reads(store), hashes)


async def corroborations_in(store: Store, hashes: Collection[str]) -> dict[str, Corroboration]:
    """Return the corroboration of each of these statements, its operators counted by the seeds of the policy."""
    reads = _Reads(store)
    policy = await policy_in_force(reads)
    return await corroborations_of(reads, hashes, policy.seeds)
