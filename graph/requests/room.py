"""How many verification requests an agent may have open: each stands in the way of others' for whoever leases."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from a2ap.message import Message
from a2ap.verification_request import VerificationRequest
from graph.errors import TooManyOpenError
from graph.log.state import State
from graph.log.state_loader import Reads
from graph.requests.offers import micros_of
from graph.requests.waiting import stretch_of

MAX_ON_STATEMENT = 25
"""Requests of one agent on one statement that wait at once: each verdict on it is compared with all that wait."""


class OpenRequests:
    """How many requests of each agent wait, in all and on each statement, those of the planned batch with them."""

    def __init__(
        self, counted: Counter[str] | None = None, on_statements: Counter[tuple[str, str]] | None = None
    ) -> None:
        self._counted = counted if counted is not None else Counter()
        self._on_statements = on_statements if on_statements is not None else Counter()

    def add(self, message: VerificationRequest, state: State, most: int | None) -> None:
        """Count one more request; raise `TooManyOpenError` where its agent has `most` already, or too many on this."""
        agent, statement = message.envelope.agent_id, _target(message, state)
        here = self._on_statements[agent, statement]
        if most is not None and here >= MAX_ON_STATEMENT:
            raise TooManyOpenError(
                f"{here} requests of {agent} on {message.target_statement} wait for verdicts, and "
                f"{MAX_ON_STATEMENT} may",
                "targetStatement",
            )
        if most is not None and self._counted[agent] >= most:
            raise TooManyOpenError(
                f"{self._counted[agent]} requests of {agent} wait for verdicts, and {most} may; one ends with its "
                "deadline, with the verdicts that it wants, or with its statement",
                "requestingAgent",
            )
        self._counted[agent] += 1
        self._on_statements[agent, statement] += 1


async def load_open_requests(reads: Reads, messages: Sequence[Message], state: State, now: datetime) -> OpenRequests:
    """Return how many requests the agents have open that ask in these messages."""
    asked = [message for message in messages if isinstance(message, VerificationRequest)]
    counted = Counter[str]()
    for agent in sorted({message.envelope.agent_id for message in asked}):
        # Each by itself: the embedded engine finds a stretch in its index only where it is given as parameters.
        (row,) = await reads.read("count_open_requests", **stretch_of(agent, now))
        counted[agent] = row["number"]
    pairs = sorted({(message.envelope.agent_id, _target(message, state)) for message in asked})
    rows = [{"agent": agent, "statement": statement} for agent, statement in pairs if counted[agent]]
    found = await reads.read("count_requests_on", rows=rows, now=micros_of(now)) if rows else []
    return OpenRequests(counted, Counter({(row["agent"], row["statement"]): row["number"] for row in found}))


def _target(message: VerificationRequest, state: State) -> str:
    hashes = state.statement_ids.get(message.target_statement, [])
    return message.target_hash or (hashes[0] if hashes else "")
