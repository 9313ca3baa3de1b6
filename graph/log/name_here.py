"""Names messages in this node's log: by the hash of the signed bytes, and for some types by the agent as well.

A message says the same in every log, and is taken once. But it speaks of the agent that its name means in the log it
came from: one registration that an agent submits at two nodes makes an agent at each of them, and the two are never
merged (docs/decisions/0054).
"""

from a2ap.messages.envelope import MessageType
from a2ap.messages.message import Message
from a2ap.messages.scoping import origin_of

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
    """Return the name of the message of an entry; `agent_id` is the agent's name here."""
    if message_type in _ABOUT_NAMES and origin_of(agent_id) is not None:
        return f"{signed_hash} {agent_id}"
    return signed_hash


def name_of_message(message: Message) -> str:
    """Return the name of a message; the names in a message of a peer are scoped."""
    envelope = message.envelope
    return name_here(envelope.signed_hash, envelope.type, envelope.agent_id)
