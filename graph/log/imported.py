"""Checks of a message from a peer's log before it is accepted beside this node's own (docs/how-to/federation.md).

The peer's admission rules are the peer's, and this node's apply to its own endpoints, so neither is checked. The
signature is checked, and every other requirement for a message of this node, on names scoped by the peer's log
(`a2ap.messages.scoping`). The peer's decisions for itself, its policies and agreements, are not accepted.
"""

from collections.abc import Sequence
from dataclasses import replace

from a2ap.identifiers import key_agent
from a2ap.log.entry import LogEntry
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.messages.message import Message, MessageType
from a2ap.messages.scoping import origin_of, scope_agent, scope_message
from a2ap.times import format_instant
from graph.errors import ForbiddenError
from graph.store import Reads

ABOUT_KEYS = frozenset(
    {
        MessageType.AGENT_REGISTRATION,
        MessageType.KEY_REGISTRATION,
        MessageType.KEY_REVOCATION,
        MessageType.AGENT_DEACTIVATION,
    }
)
"""The types of message that state which keys speak for an agent."""


def check_own_agent(message: Message) -> None:
    """Raise `ForbiddenError` if a message submitted to this node is in the name of a peer's agent."""
    agent_id = message.envelope.agent_id
    if origin_of(agent_id) is not None:
        raise ForbiddenError(f"{agent_id} is an agent of another node, whose messages come from there")


def node_of(origin: str) -> str:
    """Return the name here of the agent of the node that keeps the log `origin`."""
    return scope_agent(origin, origin)


def is_countersigned(message: Message, origin: str) -> bool:
    """Return whether the peer's node signed a request for another agent, as this node does.

    See docs/how-to/federation.md.
    """
    envelope = message.envelope
    if envelope.type is not MessageType.VERIFICATION_REQUEST or envelope.signature is None:
        return False
    return envelope.agent_id != node_of(origin) == key_agent(envelope.signature.public_key)


def as_named_here(message: Message, entry: LogEntry, home: str | None = None) -> Message:
    """Return the message of an entry with the names that its log gives it here; `home` is the node whose log it is."""
    return message if entry.origin_index is None else scope_message(message, entry.origin, home)


async def place_revocation(message: Message, origin: str, reads: Reads, before: Sequence[LogEntry]) -> Message:
    """Return a revocation with this log's index for the point in the peer's log that it names; others unchanged.

    `before` are entries that are not in the graph yet. If nothing from that point on was taken, it is the revocation's
    own index. A time is one of receipt by the peer: an entry taken late may have been there long before. Entries of the
    agent that did not come from this peer count by the log that had them first.
    """
    if not isinstance(message, KeyRevocation):
        return message
    time, index = message.not_trusted_since_time, message.not_trusted_since_index
    if time is not None:
        of_agent = {"agent": message.agent, "time": format_instant(time)}
        rows = await reads.read("first_taken_since", origins=[origin], **of_agent)
        later = [one for one in before if one.first_received_at >= time]
        chosen = [one for one in later if one.origin == origin or one.agent == message.agent]
    elif index is not None:
        rows = await reads.read("first_taken_from", origins=[origin], index=index)
        chosen = [one for one in before if one.origin == origin and (one.origin_index or 0) >= index]
    else:
        return message
    places = [row["log_index"] for row in rows if row["log_index"] is not None] + [one.log_index for one in chosen]
    return replace(message, not_trusted_since_index=min(places, default=None), not_trusted_since_time=None)
