"""The agents for which an operator answers: the node's own, its seeds, and the agents that one of these endorsed.

An agent counts for the operator that it counts for in scores: for itself if it is the node or a seed, else for the
least of these that endorsed it. Answers are kept for some seconds, and forgotten at once if a message of this process
may change them.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from a2ap.messages.agent_deactivation import AgentDeactivation
from a2ap.messages.endorsement import Endorsement
from a2ap.messages.key_registration import KeyRegistration
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.messages.message import Message
from a2ap.messages.policy import Policy
from a2ap.messages.retraction import Retraction
from graph.store import Store

_KEPT = timedelta(seconds=5)
_MOST = 10_000  # agents that are kept


@dataclass(frozen=True, slots=True)
class _Standing:
    operator: str | None
    until: datetime


class Standings:
    """The operators of agents, as one process knows them."""

    def __init__(self, store: Store, node_agent: str, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._node_agent = node_agent
        self._clock = clock
        self._known: dict[str, _Standing] = {}

    async def operators_of(self, agents: Collection[str]) -> dict[str, str]:
        """Return the operator of each of these agents that has one."""
        now = self._clock()
        found = {agent: self._known[agent].operator for agent in agents if self._is_known(agent, now)}
        if wanted := sorted(set(agents) - found.keys()):
            found |= await self._read(wanted, now + _KEPT)
        return {agent: operator for agent, operator in found.items() if operator is not None}

    def forget(self, messages: Sequence[Message]) -> None:
        """Forget the operators that accepted messages may have changed."""
        for message in messages:
            match message:
                case Endorsement():
                    self._known.pop(message.endorsed_agent, None)
                case Policy() | Retraction() | KeyRegistration() | KeyRevocation() | AgentDeactivation():
                    self._known.clear()
                case _:
                    pass

    def _is_known(self, agent: str, now: datetime) -> bool:
        known = self._known.get(agent)
        return known is not None and now < known.until

    async def _read(self, agents: Sequence[str], until: datetime) -> dict[str, str | None]:
        """Read and remember the operators of agents, None for those without."""
        reads = [("current_policy", {}), ("endorsers_of", {"ids": list(agents)})]
        policies, endorsements = await self._store.read_together(reads)
        operators = {self._node_agent, *(seed for policy in policies for seed in policy["seeds"])}
        endorsers: dict[str, list[str]] = {}
        for row in endorsements:
            if row["operator"] in operators:
                endorsers.setdefault(row["agent_id"], []).append(row["operator"])
        if len(self._known) + len(agents) > _MOST:
            self._known.clear()
        found = {
            agent: agent if agent in operators else min(endorsers.get(agent, ()), default=None) for agent in agents
        }
        self._known |= {agent: _Standing(operator, until) for agent, operator in found.items()}
        return found
