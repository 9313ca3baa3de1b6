"""Checks that a message is signed by a key registered for its own agent, and valid at its log index.

See docs/how-to/keys.md.
"""

from a2ap.errors import SignatureError
from a2ap.messages.key_events import KeyMessage, recovery_key_of
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.messages.message import Message
from a2ap.signing.data_integrity import verify_proof
from a2ap.signing.keys import PublicKey
from a2ap.signing.signature import verify_signature
from graph.errors import ForbiddenError, KeyNotInUseError, NotRegisteredError
from graph.kinds.state import KeyRecord, State


def check_signed_by_agent(message: Message, state: State, agent_member: str) -> None:
    """Raise unless a key registered for the message's own agent, named by `agent_member`, made the signature."""
    envelope = message.envelope
    if envelope.agent_id not in state.agents:
        raise NotRegisteredError(f"agent {envelope.agent_id} is not registered", agent_member)
    if envelope.signature is None:
        raise SignatureError(f"{envelope.id} is not signed")
    recovery_key = recovery_key_in(message, state)
    if (place := state.deactivated.get(envelope.agent_id)) is not None and not (
        recovery_key is not None and isinstance(message, KeyRevocation)
    ):
        # The recovery key can still revoke a stolen key: the thief may have deactivated the agent.
        raise ForbiddenError(f"agent {envelope.agent_id} was deactivated by entry {place}", agent_member)
    if recovery_key is not None:
        verify_signature(envelope.signature, envelope.signed_bytes, recovery_key)
    else:
        key = key_of(envelope.signature.public_key, envelope.agent_id, state)
        verify_signature(envelope.signature, envelope.signed_bytes, key.public_key)
        check_in_use(key, state)
    for proof in envelope.proofs:
        # If there are both, both must hold, each by a key of this agent (docs/how-to/keys.md).
        key = key_of(proof.key_reference, envelope.agent_id, state)
        verify_proof(envelope.document, proof, key.public_key)
        check_in_use(key, state)


def recovery_key_in(message: Message, state: State) -> PublicKey | None:
    """Return the recovery key that signed a message about keys, per its agent's commitment; else `None`."""
    if not isinstance(message, KeyMessage):
        return None
    return recovery_key_of(message, state.recovery_hashes.get(message.envelope.agent_id))


def signing_key(message: Message, state: State) -> str:
    """Return the id of the key that signed an accepted message, or the name in the signature if no key has it."""
    signature = message.envelope.signature
    if signature is None:
        return ""
    key = state.key_of(signature.public_key, message.envelope.agent_id)
    return signature.public_key if key is None else key.key_id


def key_of(reference: str, agent_id: str, state: State) -> KeyRecord:
    """Return the agent's key that a signature names; raises if it is not registered or belongs to another agent."""
    key = state.key_of(reference, agent_id)
    if key is not None:
        return key
    holders = state.holders_of(reference)
    if holders:
        raise SignatureError(f"key {reference} belongs to {holders[0]}, not to {agent_id}")
    raise NotRegisteredError(f"key {reference} is not registered for {agent_id}", "signature.publicKey")


def check_in_use(key: KeyRecord, state: State) -> None:
    """Raise `KeyNotInUseError` unless the key is valid at the next log index."""
    if key.speaks_at(state.place):
        return
    if key.not_trusted_since is not None:
        reason = f"is not trusted since entry {key.not_trusted_since} ({key.revoked_reason})"
    else:
        reason = f"was replaced by entry {key.retired_at}"
    raise KeyNotInUseError(f"key {key.key_id} {reason}", "signature.publicKey")
