"""What names a message in this node's log: the hash of its signed bytes, and for some the agent that it is about.

A message says the same wherever it is, and is taken once. But what it says about a name, it says about the agent of
that name where it was logged: one registration that an agent hands in at two nodes makes an agent at each of them, and
the two are never merged (docs/decisions/0090).
"""

from a2ap.envelope import MessageType
from a2ap.message import Message
from a2ap.scoping import origin_of

_ABOUT_NAMES = frozenset(
    {
        MessageType.AGENT_REGISTRATION,
        MessageType.KEY_REGISTRATION,
        MessageType.KEY_REVOCATION,
        MessageType.AGENT_DEACTIVATION,
        MessageType.AGENT_VERSION,
        MessageType.ENDORSEMENT,
    }
)


def name_here(signed_hash: str, message_type: str, agent_id: str) -> str:
    """Return what names the message of an entry: `agent_id` is as it is called here."""
    if message_type in _ABOUT_NAMES and origin_of(agent_id) is not None:
        return f"{signed_hash} {agent_id}"
    return signed_hash


def name_of_message(message: Message) -> str:
    """Return what names a message, whose names are scoped where it comes from a peer."""
    envelope = message.envelope
    return name_here(envelope.signed_hash, envelope.type, envelope.agent_id)
