"""Checks that a message is signed by a key registered for its own agent, and valid at its log index (docs/keys.md)."""

from a2ap.errors import SignatureError
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.messages.message import Message, MessageType
from a2ap.signing.data_integrity import verify_proof
from a2ap.signing.signature import verify_signature
from graph.errors import ForbiddenError, KeyNotInUseError, NotRegisteredError
from graph.kinds.key_checks import recovery_key_in
from graph.kinds.state import KeyRecord, State

AGENT_MEMBERS = {
    MessageType.STATEMENT: "agent.@id",
    MessageType.VERIFICATION_REQUEST: "requestingAgent",
    MessageType.VERIFICATION_RESPONSE: "respondingAgent",
    MessageType.AGENT_REGISTRATION: "agent.@id",
    MessageType.SOURCE_REGISTRATION: "registeringAgent",
    MessageType.ENDORSEMENT: "endorsingAgent",
    MessageType.POLICY: "issuingAgent",
    MessageType.KEY_REGISTRATION: "registeringAgent",
    MessageType.KEY_REVOCATION: "revokingAgent",
    MessageType.AGENT_DEACTIVATION: "deactivatingAgent",
    MessageType.AGENT_VERSION: "announcingAgent",
    MessageType.ADMISSION_POLICY: "issuingAgent",
    MessageType.LOG_KEY_ROTATION: "issuingAgent",
    MessageType.PEER_AGREEMENT: "issuingAgent",
    MessageType.PEER_CHECKPOINT: "issuingAgent",
    MessageType.EQUIVOCATION: "reportingAgent",
    MessageType.RETRACTION: "retractingAgent",
    MessageType.REDACTION: "redactingAgent",
    MessageType.EPOCH: "issuingAgent",
    MessageType.GOLD_LABEL: "labellingAgent",
    MessageType.GOLD_DISPUTE: "disputingAgent",
    MessageType.PROBE: "committingAgent",
    MessageType.VERIFICATION_DECLINE: "decliningAgent",
    MessageType.CHALLENGE_ANSWER: "answeringAgent",
    MessageType.RECORD_REGISTRATION: "registeringAgent",
}


def check_signature(message: Message, state: State) -> None:
    """Raise unless a key registered for the message's own agent made the signature."""
    envelope = message.envelope
    if envelope.agent_id not in state.agents:
        raise NotRegisteredError(f"agent {envelope.agent_id} is not registered", AGENT_MEMBERS[envelope.type])
    if envelope.signature is None:
        raise SignatureError(f"{envelope.id} is not signed")
    recovery_key = recovery_key_in(message, state)
    if (place := state.deactivated.get(envelope.agent_id)) is not None and not (
        recovery_key is not None and isinstance(message, KeyRevocation)
    ):
        # The recovery key can still revoke a stolen key: the thief may have deactivated the agent.
        raise ForbiddenError(
            f"agent {envelope.agent_id} was deactivated by entry {place}", AGENT_MEMBERS[envelope.type]
        )
    if recovery_key is not None:
        verify_signature(envelope.signature, envelope.signed_bytes, recovery_key)
    else:
        key = key_of(envelope.signature.public_key, envelope.agent_id, state)
        verify_signature(envelope.signature, envelope.signed_bytes, key.public_key)
        check_in_use(key, state)
    for proof in envelope.proofs:
        # If there are both, both must hold, each by a key of this agent (docs/keys.md).
        key = key_of(proof.key_reference, envelope.agent_id, state)
        verify_proof(envelope.document, proof, key.public_key)
        check_in_use(key, state)


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
