"""Events of a key history, read from messages about keys: the signing key, its authority, and the place in the log.

A message of the recovery key is signed in the agent's name under the recovery key's `did:key`; the agent has committed
to its hash. A message of the operator is signed by the node that keeps the log, about any agent.
"""

from a2ap.canonical import sha256_digest
from a2ap.errors import KeyFormatError
from a2ap.messages.agent_deactivation import AgentDeactivation
from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.key_history import AgentDeactivated, Authority, KeyAdded, KeyEvent, KeyRevoked
from a2ap.messages.key_registration import KeyRegistration
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.messages.message import Message
from a2ap.signing.keys import PublicKey

KeyMessage = KeyRegistration | KeyRevocation | AgentDeactivation


def subject_of(message: KeyMessage) -> str:
    """Return the agent whose key, or whose deactivation, the message is about."""
    return message.envelope.agent_id if isinstance(message, KeyRegistration) else message.agent


def recovery_key_of(message: Message, recovery_key_hash: str | None) -> PublicKey | None:
    """Return the recovery key if the message is signed in its name; whether the signature holds is not checked.

    `recovery_key_hash` is the hash to which the agent of the message has committed.
    """
    signature = message.envelope.signature
    if signature is None or recovery_key_hash is None or not signature.public_key.startswith("did:key:"):
        return None
    try:
        key = PublicKey.from_did_key(signature.public_key)
    except KeyFormatError:
        return None
    return key if sha256_digest(key.data) == recovery_key_hash else None


def key_event_of(
    message: Message, log_index: int, *, signed_by: str, authority: Authority, since: int | None = None
) -> KeyEvent | None:
    """Return the event of a message at its place in the log; `None` for messages about something else.

    `signed_by` is the id of the key that signed it. `since` is the place that a revocation names; a time stands for the
    first entry received then or later. No place after the revocation's own is meant.
    """
    match message:
        case AgentRegistration():
            return KeyAdded(log_index, message.agent.agent_id, message.key_id, message.key_id)
        case KeyRegistration():
            agent_id = message.envelope.agent_id
            return KeyAdded(log_index, agent_id, message.key_id, signed_by, authority, message.replaces)
        case KeyRevocation():
            place = log_index if since is None or authority is Authority.KEY else min(since, log_index)
            return KeyRevoked(
                log_index, message.agent, message.key_id, signed_by, authority, message.reason.value, place
            )
        case AgentDeactivation():
            return AgentDeactivated(log_index, message.agent, signed_by, authority)
        case _:
            return None
