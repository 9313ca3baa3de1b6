"""Loads reputations, and the verdicts that they are based on, batched and cached for one request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from graph.errors import NotFoundError
from graph.graphql.batches import Parts, rows_by, values_by
from graph.graphql.connection import Connection
from graph.graphql.reputation import EpochReliability, Reputation, ReputationContribution
from graph.lists.span import Span
from graph.scoring.knowledge import estimate_of
from graph.scoring.reputation import Reputation as ComputedReputation
from graph.scoring.reputation import ReputationMethod
from graph.scoring.reputations import reputations_of_agents, reputations_of_families
from graph.store import Row, Store

if TYPE_CHECKING:
    from graph.graphql.loaders import Loaders


class ReputationLoaders:
    """The loaders of reputations, for one request; `loaders` count the objects returned."""

    def __init__(self, store: Store, loaders: Loaders) -> None:
        self._loaders = loaders
        self._of_agents = values_by(lambda ids: reputations_of_agents(store, ids))
        self._of_families = values_by(lambda ids: reputations_of_families(store, ids))
        self._verdicts = Parts(store, "reputation_verdicts_of", "ids", "agent")
        self._literal_verdicts = Parts(store, "literal_verdicts_of", "ids", "agent")
        self._epochs = Parts(store, "epochs_about_agents", "ids", "agent")
        self._estimates = rows_by(store, "reliabilities_by_key", "keys", "reliability_key")
        self._verdicts_of_families = Parts(store, "reputation_verdicts_of_families", "ids", "family")

    async def of_agent(self, agent_id: str) -> Reputation:
        """Return the reputation of a registered agent by the policy in force; raise `NotFoundError`."""
        found: ComputedReputation | None = await self._of_agents.load(agent_id)
        if found is None:
            raise NotFoundError(f"no agent {agent_id} is registered")
        return Reputation.from_computed(found, agent=agent_id)

    async def of_family(self, family: str) -> Reputation:
        """Return the common reputation of the confirmed versions of a family."""
        return Reputation.from_computed(await self._of_families.load(family), family=family)

    async def connect_reliabilities(self, agent_id: str, span: Span) -> Connection[EpochReliability]:
        """Return a page of the estimates of an agent, one for each epoch that has any."""
        return await self._epochs.connect(agent_id, span, self._reliabilities)

    async def _reliabilities(self, epochs: Sequence[Row]) -> list[EpochReliability]:
        keys = [key for epoch in epochs for key in epoch["keys"]]
        self._loaders.spend(len(keys))
        found = dict(zip(keys, await self._estimates.load_many(keys), strict=True))
        return [
            EpochReliability.from_estimates(
                epoch["log_size"],
                epoch["log_index"],
                sorted(
                    (estimate_of(row) for key in epoch["keys"] for row in found[key]), key=lambda one: one.criterion
                ),
            )
            for epoch in epochs
        ]

    async def connect_verdicts(
        self,
        reputation: Reputation,
        span: Span,
        show: Callable[[Sequence[Row]], Awaitable[Sequence[ReputationContribution]]],
    ) -> Connection[ReputationContribution]:
        """Return a page of the verdicts that a reputation is based on; `show` makes their contributions."""

        async def shown(rows: Sequence[Row]) -> Sequence[ReputationContribution]:
            self._loaders.spend(len(rows))
            return await show(rows)

        if reputation.agent_id is None:
            return await self._verdicts_of_families.connect(reputation.family_id or "", span, shown)
        literal = reputation.found.method is ReputationMethod.LITERAL
        parts = self._literal_verdicts if literal else self._verdicts
        return await parts.connect(reputation.agent_id, span, shown)
