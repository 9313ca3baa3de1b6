"""Agent registrations: who an agent is and which key speaks for it, signed with that key (design §4.6).

The signature proves possession of the key. `recoveryKeyHash` commits to a second key, kept elsewhere, that
may one day overrule this one; only its hash is given, so nobody can prepare for it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.agent_description import AgentDescription, build_agent, read_agent
from a2ap.canonical import sha256_digest
from a2ap.envelope import Envelope, MessageType, read_envelope
from a2ap.errors import FieldError, KeyFormatError, SignatureError
from a2ap.fields import read_id, read_object, read_optional_hash, read_text
from a2ap.identifiers import MAX_ID_BYTES, key_agent
from a2ap.keys import PublicKey
from a2ap.signature import verify_signature
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL

# The form of A2AP §2.1, agent:claude-4.5:pubkey: a name for a key, not a key.
_ALIAS = re.compile(r"agent:[^\s:#|<>\"{}\\^`\x00-\x20\x7f-\x9f]+:pubkey")


@dataclass(frozen=True, slots=True)
class AgentRegistration:
    """An agent and its key; `key_id` is `<agent>#<name>`, `alias` is `agent:<name>:pubkey` (A2AP §2.1)."""

    envelope: Envelope
    agent: AgentDescription
    key_id: str
    public_key: PublicKey
    alias: str | None
    recovery_key_hash: str | None

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "AgentRegistration":
        """Read a registration out of the JSON of `received`; raises `MessageError`."""
        agent = read_agent(message)
        envelope = read_envelope(
            message,
            received,
            type=MessageType.AGENT_REGISTRATION,
            time_member="registeredAt",
            agent_id=agent.agent_id,
        )
        key = read_object(message, "key")
        key_id = read_id(key, "@id", "key")
        if key_agent(key_id) != agent.agent_id or key_id.endswith("#"):
            raise FieldError("key.@id", f"is {key_id!r}, not {agent.agent_id}# and the name of a key")
        if envelope.signature is not None and envelope.signature.public_key != key_id:
            raise FieldError("signature.publicKey", f"is {envelope.signature.public_key!r}, not {key_id}")
        return cls(
            envelope=envelope,
            agent=agent,
            key_id=key_id,
            public_key=_read_public_key(key, agent.agent_id),
            alias=_read_alias(key) if "alias" in key else None,
            recovery_key_hash=read_optional_hash(message, "recoveryKeyHash"),
        )


def build_agent_registration(
    *,
    registration_id: str,
    registered_at: datetime,
    agent: AgentDescription,
    key_id: str,
    public_key: PublicKey,
    alias: str | None = None,
    recovery_key: PublicKey | None = None,
) -> dict[str, Any]:
    """Return an unsigned registration, to be signed with the key that it registers under `<agent>#<name>`."""
    key = {"@id": key_id, "publicKey": public_key.did_key}
    if alias is not None:
        key["alias"] = alias
    message: dict[str, Any] = {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.AGENT_REGISTRATION.wire,
        "@id": registration_id,
        "registeredAt": format_instant(registered_at),
        "agent": build_agent(agent),
        "key": key,
    }
    if recovery_key is not None:
        message["recoveryKeyHash"] = sha256_digest(recovery_key.data)
    return message


def verify_possession(registration: AgentRegistration) -> None:
    """Raise `SignatureError` unless the registration is signed with the key that it registers."""
    envelope = registration.envelope
    if envelope.signature is None:
        raise SignatureError(f"{envelope.id} is not signed")
    verify_signature(envelope.signature, envelope.signed_bytes, registration.public_key)


def _read_public_key(key: Mapping[str, Any], agent_id: str) -> PublicKey:
    text = read_text(key, "publicKey", "key")
    try:
        public_key = PublicKey.parse(text)
    except KeyFormatError as error:
        raise FieldError("key.publicKey", f"is no Ed25519 key: {error}") from error
    if agent_id.startswith("did:key:") and agent_id != public_key.did_key:
        raise FieldError("key.publicKey", f"is {public_key.did_key}, and the agent's id is another key")
    return public_key


def _read_alias(key: Mapping[str, Any]) -> str:
    alias = read_text(key, "alias", "key")
    if len(alias.encode()) > MAX_ID_BYTES or _ALIAS.fullmatch(alias) is None:
        raise FieldError("key.alias", f"is {alias[:64]!r}, not agent:<name>:pubkey")
    return alias
