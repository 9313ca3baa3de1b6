"""Agent registrations: the description of an agent and its key, signed with that key (docs/how-to/keys.md).

The signature proves possession of the key. `recoveryKeyHash` commits to a second key, stored elsewhere, that
can later overrule the first; only its hash is published, so that nobody can prepare for it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.canonical import sha256_digest
from a2ap.errors import FieldError, KeyFormatError, SignatureError
from a2ap.fields import read_key_id, read_line, read_object, read_optional_hash, read_text
from a2ap.identifiers import MAX_ID_BYTES
from a2ap.messages.agent_description import AgentDescription, build_agent, read_agent
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.signing.keys import PublicKey
from a2ap.signing.signature import verify_signature
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL

# The form of A2AP §2.1, agent:claude-4.5:pubkey: a name for a key, not a key.
_ALIAS = re.compile(r"agent:[^\s:#|<>\"{}\\^`\x00-\x20\x7f-\x9f]+:pubkey")


@dataclass(frozen=True, slots=True)
class AgentRegistration:
    """An agent and its key; `key_id` is `<agent>#<name>`, `alias` is `agent:<name>:pubkey` (A2AP §2.1).

    `log_key` is the verifier key (C2SP signed-note) of the log that a node keeps, in the node's own registration;
    `invitation` is the secret that admits an agent if the admission policy requires one.
    """

    envelope: Envelope
    agent: AgentDescription
    key_id: str
    public_key: PublicKey
    alias: str | None
    recovery_key_hash: str | None
    log_key: str | None
    invitation: str | None

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "AgentRegistration":
        """Read a registration out of the JSON of `received`; raises `MessageError`."""
        agent = read_agent(message, persons=True)
        envelope = read_envelope(
            message,
            received,
            type=MessageType.AGENT_REGISTRATION,
            time_member="registeredAt",
            agent_id=agent.agent_id,
        )
        key = read_object(message, "key")
        key_id = read_key_id(key, "@id", "key", agent_id=agent.agent_id)
        if envelope.signature is not None and envelope.signature.public_key != key_id:
            raise FieldError("signature.publicKey", f"is {envelope.signature.public_key!r}, not {key_id}")
        public_key = _read_own_key(key, agent.agent_id)
        return cls(
            envelope=envelope,
            agent=agent,
            key_id=key_id,
            public_key=public_key,
            alias=read_key_alias(key),
            recovery_key_hash=_read_recovery_hash(message, public_key),
            log_key=read_line(message, "logKey") if "logKey" in message else None,
            invitation=read_line(message, "invitation") if "invitation" in message else None,
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
    log_key: str | None = None,
    invitation: str | None = None,
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
    if log_key is not None:
        message["logKey"] = log_key
    if invitation is not None:
        message["invitation"] = invitation
    return message


def verify_possession(registration: AgentRegistration) -> None:
    """Raise `SignatureError` unless the registration is signed with the key that it registers."""
    envelope = registration.envelope
    if envelope.signature is None:
        raise SignatureError(f"{envelope.id} is not signed")
    verify_signature(envelope.signature, envelope.signed_bytes, registration.public_key)


def read_public_key(key: Mapping[str, Any]) -> PublicKey:
    """Read the `publicKey` of a `key` member; raises `FieldError`."""
    text = read_text(key, "publicKey", "key")
    try:
        return PublicKey.parse(text)
    except KeyFormatError as error:
        raise FieldError("key.publicKey", f"is no Ed25519 key: {error}") from error


def read_key_alias(key: Mapping[str, Any]) -> str | None:
    """Read the `alias` of a `key` member, `agent:<name>:pubkey`, or None if there is none; raises `FieldError`."""
    if "alias" not in key:
        return None
    alias = read_text(key, "alias", "key")
    if len(alias.encode()) > MAX_ID_BYTES or _ALIAS.fullmatch(alias) is None:
        raise FieldError("key.alias", f"is {alias[:64]!r}, not agent:<name>:pubkey")
    return alias


def _read_recovery_hash(message: Mapping[str, Any], public_key: PublicKey) -> str | None:
    found = read_optional_hash(message, "recoveryKeyHash")
    # Who steals the key would have the one that overrules it as well.
    if found == sha256_digest(public_key.data):
        raise FieldError("recoveryKeyHash", "is that of the key that is registered")
    return found


def _read_own_key(key: Mapping[str, Any], agent_id: str) -> PublicKey:
    public_key = read_public_key(key)
    if agent_id.startswith("did:key:") and agent_id != public_key.did_key:
        raise FieldError("key.publicKey", f"is {public_key.did_key}, and the agent's id is another key")
    return public_key
