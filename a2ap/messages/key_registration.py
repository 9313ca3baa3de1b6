"""Key registrations: an agent gets another key, which may take the place of earlier ones (docs/how-to/keys.md).

The message has two signatures: `possession`, by the new key, over the message without it; and `signature`, over all of
it, by a key that already speaks for the agent, or by its recovery key under its `did:key`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.canonical import sha256_digest
from a2ap.errors import FieldError
from a2ap.fields import (
    check_distinct,
    check_key_id,
    read_agent_id,
    read_key_id,
    read_object,
    read_optional_hash,
    read_texts,
)
from a2ap.messages.agent_registration import read_key_alias, read_public_key
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.signing.keys import PublicKey, Signer
from a2ap.signing.signature import Signature, read_signature, sign_message, signed_bytes, verify_signature
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL


@dataclass(frozen=True, slots=True)
class KeyRegistration:
    """A further key of an agent; `replaces` names the keys that it retires, `alias` is `agent:<name>:pubkey`.

    `recovery_key_hash` commits to another recovery key: only a message that the recovery key signed may do so.
    """

    envelope: Envelope
    key_id: str
    public_key: PublicKey
    alias: str | None
    replaces: tuple[str, ...]
    recovery_key_hash: str | None
    possession: Signature

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "KeyRegistration":
        """Read a key registration out of the JSON of `received`; raises `MessageError`."""
        agent_id = read_agent_id(message, "registeringAgent")
        envelope = read_envelope(
            message,
            received,
            type=MessageType.KEY_REGISTRATION,
            time_member="registeredAt",
            agent_id=agent_id,
        )
        key = read_object(message, "key")
        key_id = read_key_id(key, "@id", "key", agent_id=agent_id)
        if "possession" not in message:
            raise FieldError("possession", "is missing")
        possession = read_signature(message["possession"], "possession")
        if possession.public_key != key_id:
            raise FieldError("possession.publicKey", f"is {possession.public_key!r}, not {key_id}")
        return cls(
            envelope=envelope,
            key_id=key_id,
            public_key=read_public_key(key),
            alias=read_key_alias(key),
            replaces=_read_replaced(message, key_id, agent_id),
            recovery_key_hash=read_optional_hash(message, "recoveryKeyHash"),
            possession=possession,
        )

    @property
    def possession_bytes(self) -> bytes:
        """Return the bytes that the new key has signed: those of the message without `possession`."""
        return _possession_bytes(self.envelope.document)


def build_key_registration(
    *,
    registration_id: str,
    registered_at: datetime,
    registering_agent: str,
    key_id: str,
    new_key: Signer,
    alias: str | None = None,
    replaces: Sequence[str] = (),
    recovery_key: PublicKey | None = None,
) -> dict[str, Any]:
    """Return a key registration with the new key's proof of possession, for a key that is in use to sign."""
    key = {"@id": key_id, "publicKey": new_key.public_key.did_key}
    if alias is not None:
        key["alias"] = alias
    message: dict[str, Any] = {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.KEY_REGISTRATION.wire,
        "@id": registration_id,
        "registeredAt": format_instant(registered_at),
        "registeringAgent": registering_agent,
        "key": key,
    }
    if replaces:
        message["replaces"] = list(replaces)
    if recovery_key is not None:
        message["recoveryKeyHash"] = sha256_digest(recovery_key.data)
    return {**message, "possession": sign_message(message, new_key, key_id)["signature"]}


def verify_possession(registration: KeyRegistration) -> None:
    """Raise `SignatureError` unless the new key signed the registration."""
    verify_signature(registration.possession, registration.possession_bytes, registration.public_key)


def _possession_bytes(document: Mapping[str, Any]) -> bytes:
    return signed_bytes({name: value for name, value in document.items() if name != "possession"})


def _read_replaced(message: Mapping[str, Any], key_id: str, agent_id: str) -> tuple[str, ...]:
    if "replaces" not in message:
        return ()
    replaced = read_texts(message, "replaces")
    for index, name in enumerate(replaced):
        path = f"replaces[{index}]"
        check_key_id(name, agent_id, path)
        if name == key_id:
            raise FieldError(path, f"is {name}, the key that is registered")
    check_distinct(replaced, "replaces")
    return replaced
