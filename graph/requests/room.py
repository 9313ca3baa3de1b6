"""How many verification requests an agent may have open: each stands in the way of others' for whoever leases."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from a2ap.message import Message
from a2ap.verification_request import VerificationRequest
from graph.errors import TooManyOpenError
from graph.log.state_loader import Reads
from graph.requests.waiting import stretch_of


class OpenRequests:
    """How many requests of each agent wait, those of the batch that is planned with them."""

    def __init__(self, counted: Counter[str] | None = None) -> None:
        self._counted = counted if counted is not None else Counter()

    def add(self, message: VerificationRequest, most: int | None) -> None:
        """Count one more request; raise `TooManyOpenError` where its agent has `most` already."""
        agent = message.envelope.agent_id
        if most is not None and self._counted[agent] >= most:
            raise TooManyOpenError(
                f"{self._counted[agent]} requests of {agent} wait for verdicts, and {most} may; one ends with its "
                "deadline, with the verdicts that it wants, or with its statement",
                "requestingAgent",
            )
        self._counted[agent] += 1


async def load_open_requests(reads: Reads, messages: Sequence[Message], now: datetime) -> OpenRequests:
    """Return how many requests the agents have open that ask in these messages."""
    agents = sorted({message.envelope.agent_id for message in messages if isinstance(message, VerificationRequest)})
    counted = Counter[str]()
    for agent in agents:
        # Each by itself: the embedded engine finds a stretch in its index only where it is given as parameters.
        (row,) = await reads.read("count_open_requests", **stretch_of(agent, now))
        counted[agent] = row["number"]
    return OpenRequests(counted)
