"""The inbox of an agent: the messages of others in the log that concern it, composed from the queries of the node.

- A verification request that names the agent among its verifiers, or that is about a statement of the agent.
- A verdict on a statement of the agent, a challenge among them; an answer to a challenge of the agent, and a decline of
  a request of the agent.
- The retraction of a statement on which a statement of the agent rests, as the node's `blastRadius` has it.
- An endorsement of the agent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from a2ap.agent.exchange import Exchange, graphql
from a2ap.agent.following import LogEvent, Selection, read_entries
from a2ap.client.queries import BLAST_RADIUS
from a2ap.messages.challenge_answer import ChallengeAnswer
from a2ap.messages.endorsement import Endorsement
from a2ap.messages.envelope import MessageType
from a2ap.messages.retraction import Retraction
from a2ap.messages.verification_decline import VerificationDecline
from a2ap.messages.verification_request import VerificationRequest
from a2ap.messages.verification_response import VerificationResponse

TYPES = (
    MessageType.VERIFICATION_REQUEST,
    MessageType.VERIFICATION_RESPONSE,
    MessageType.CHALLENGE_ANSWER,
    MessageType.VERIFICATION_DECLINE,
    MessageType.RETRACTION,
    MessageType.ENDORSEMENT,
)
"""The types of message that an inbox may have."""

_TARGET = "query ($id: ID!) { verification(id: $id) { statement { signedHash } } }"


class Inbox:
    """The messages of one agent, and the choice of the events that concern it."""

    def __init__(self, agent_id: str) -> None:
        self._agent_id = agent_id
        self._own: dict[str, str] = {}  # signed hashes by themselves and by ids
        self._read = 0  # entries of the log in which the agent's messages were looked for

    def narrow(self, events: Sequence[LogEvent], size: int) -> Exchange[list[LogEvent]]:
        """Return the events that concern the agent; the log has this size."""
        yield from self._read_own(size)
        found = []
        for event in events:
            if event.agent_id == self._agent_id:
                continue
            concerns = yield from self._concerns(event)
            if concerns or self._is_addressed(event):
                found.append(replace(event, concerns=concerns))
        return found

    def _read_own(self, size: int) -> Exchange[None]:
        """Look for the messages of the agent up to a size of the log."""
        selection = Selection(agents=(self._agent_id,))
        while self._read < size:
            entries, after = yield from read_entries(selection, self._read, size)
            for one in entries:
                self._own.setdefault(one.id, one.signed_hash)
                self._own[one.signed_hash] = one.signed_hash
            self._read = after + 1

    def _is_addressed(self, event: LogEvent) -> bool:
        message = event.message
        if isinstance(message, VerificationRequest):
            return self._agent_id in (message.eligible_verifiers or ())
        return isinstance(message, Endorsement) and message.endorsed_agent == self._agent_id

    def _concerns(self, event: LogEvent) -> Exchange[tuple[str, ...]]:
        """Return the signed hashes of the agent's messages that a message is about, or that rest on its target."""
        if event.message is None:
            if event.type != MessageType.VERIFICATION_RESPONSE:
                return ()
            # The words of a verdict may be closed to its reader; its target is not.
            found = (yield from graphql(_TARGET, {"id": event.signed_hash}))["verification"]
            names = [] if found is None else [found["statement"]["signedHash"]]
        else:
            names = list(_names(event.message))
        own = tuple(self._own[name] for name in names if name in self._own)
        if not own and isinstance(event.message, Retraction) and event.message.target_type is MessageType.STATEMENT:
            return (yield from self._resting_on(event.message.target_hash))
        return own

    def _resting_on(self, statement: str) -> Exchange[tuple[str, ...]]:
        """Return the signed hashes of the agent's statements that rest on a statement, nearest first."""
        own: list[str] = []
        after: str | None = None
        while True:
            variables = {"statement": statement, "first": 200, "after": after}
            items = (yield from graphql(BLAST_RADIUS, variables))["blastRadius"]["items"]
            own += [self._own[one["name"]] for one in items["nodes"] if one["name"] in self._own]
            if not items["pageInfo"]["hasNextPage"]:
                return tuple(dict.fromkeys(own))
            after = items["pageInfo"]["endCursor"]


def _names(message: object) -> Iterator[str]:
    """Yield the names of the messages that a message is about: signed hashes, or ids of targets without a hash."""
    if isinstance(message, VerificationDecline):
        yield message.request_hash
    elif isinstance(message, ChallengeAnswer):
        yield message.target_hash
    elif isinstance(message, (VerificationRequest, VerificationResponse)):
        yield message.target_hash or message.target_statement
