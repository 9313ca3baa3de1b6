"""The limits of verification requests that wait at once: each is in the way of the others when a verifier leases.

Each agent, of this log or of a peer's, has a bound, and one on each statement. All agents of a peer together have one
besides, because a peer makes as many agents as it likes. A peer's request beyond it is not taken yet, and is tried
again when this node's log has grown (`graph.federation.taking`).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from a2ap.messages.message import Message
from a2ap.messages.verification_request import VerificationRequest
from a2ap.times import micros_of
from graph.errors import TooManyOpenError
from graph.kinds.state import State
from graph.kinds.verification_request import stretch_of
from graph.store import Reads

MAX_ON_STATEMENT = 25
"""Requests of one agent on one statement that wait at once: each verdict on it is compared with all that wait."""
OF_A_PEER = 10
"""All agents of a peer together may have this many times the open requests of one agent."""


@dataclass(frozen=True, slots=True)
class OpenRequests:
    """The numbers of waiting requests, with those of the planned batch: by agent, by peer, by agent and statement."""

    of_agents: Counter[str] = field(default_factory=Counter)
    of_peers: Counter[str] = field(default_factory=Counter)
    on_statements: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, message: VerificationRequest, origin: str | None, state: State, most: int | None) -> None:
        """Count one more request, from the log of `origin`, None for this node's own.

        Raises `TooManyOpenError` if its agent has `most` already or too many on this statement, or its peer `OF_A_PEER`
        times as many.
        """
        agent, statement = message.envelope.agent_id, _target(message, state)
        if most is not None:
            self._check(message, origin, statement, most)
        self.of_agents[agent] += 1
        self.on_statements[agent, statement] += 1
        if origin is not None:
            self.of_peers[origin] += 1

    def _check(self, message: VerificationRequest, origin: str | None, statement: str, most: int) -> None:
        agent = message.envelope.agent_id
        here, own = self.on_statements[agent, statement], self.of_agents[agent]
        if here >= MAX_ON_STATEMENT:
            raise TooManyOpenError(
                f"{here} requests of {agent} on {message.target_statement} wait for verdicts, and "
                f"{MAX_ON_STATEMENT} may",
                "targetStatement",
            )
        if own >= most:
            raise TooManyOpenError(
                f"{own} requests of {agent} wait for verdicts, and {most} may; one ends with its "
                "deadline, with the verdicts that it wants, or with its statement",
                "requestingAgent",
            )
        if origin is not None and self.of_peers[origin] >= OF_A_PEER * most:
            raise TooManyOpenError(
                f"{self.of_peers[origin]} requests of agents of {origin} wait for verdicts, and {OF_A_PEER * most} may",
                "requestingAgent",
            )


async def load_open_requests(
    reads: Reads, messages: Sequence[tuple[Message, str | None]], state: State, now: datetime
) -> OpenRequests:
    """Return the numbers of open requests of the agents and peers from which these messages bring further ones."""
    asked = [(one, origin) for one, origin in messages if isinstance(one, VerificationRequest)]
    of_agents, of_peers = Counter[str](), Counter[str]()
    for agent in sorted({message.envelope.agent_id for message, _ in asked}):
        # Each by itself: the embedded engine finds a stretch in its index only where it is given as parameters.
        (row,) = await reads.read("count_open_requests", **stretch_of(agent, now))
        of_agents[agent] = row["number"]
    for peer in sorted({origin for _, origin in asked if origin is not None}):
        (row,) = await reads.read("count_open_requests_of_peer", origin=peer, now=micros_of(now))
        of_peers[peer] = row["number"]
    pairs = sorted({(message.envelope.agent_id, _target(message, state)) for message, _ in asked})
    rows = [{"agent": agent, "statement": statement} for agent, statement in pairs if of_agents[agent]]
    found = await reads.read("count_requests_on", rows=rows, now=micros_of(now)) if rows else []
    on_statements = Counter({(row["agent"], row["statement"]): row["number"] for row in found})
    return OpenRequests(of_agents, of_peers, on_statements)


def _target(message: VerificationRequest, state: State) -> str:
    hashes = state.statement_ids.get(message.target_statement, [])
    return message.target_hash or (hashes[0] if hashes else "")
