"""Signatures of messages: making and checking them (A2AP §6.1, docs/how-to/keys.md).

The signature covers more than §6.1 lists: the RFC 8785 bytes of the whole document without the members that are
written or changed later, `signature`, `proof`, `verificationStatus` and `disclosures`. Their SHA-256, the signed hash,
names a message.
"""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from a2ap.canonical import canonicalize, sha256_digest
from a2ap.errors import FieldError, SignatureError
from a2ap.fields import check_type, member_path, read_id, read_text, shown
from a2ap.signing.keys import SIGNATURE_BYTES, PublicKey, Signer

ALGORITHM = "ed25519"
SIGNATURE_TYPE = "a2ap:CryptographicSignature"
UNSIGNED_MEMBERS = frozenset({"signature", "proof", "verificationStatus", "disclosures"})

_MEMBERS = frozenset({"@type", "algorithm", "publicKey", "value"})


@dataclass(frozen=True, slots=True)
class Signature:
    """The `signature` member; `public_key` is the reference to a key, not the key, and `text` is base64."""

    algorithm: str
    public_key: str
    value: bytes
    text: str


def signed_bytes(message: Mapping[str, Any]) -> bytes:
    """Return the bytes that the signature of a message covers."""
    return canonicalize({name: value for name, value in message.items() if name not in UNSIGNED_MEMBERS})


def signed_hash(message: Mapping[str, Any]) -> str:
    """Return `sha256:…` of the signed bytes: the name by which other messages point at this one."""
    return sha256_digest(signed_bytes(message))


def sign_message(message: Mapping[str, Any], key: Signer, key_id: str) -> dict[str, Any]:
    """Return the message with its `signature` (A2AP §2.1); `key_id` is the reference to the registered key.

    An earlier signature is replaced, and a proof, which covered it, is left out. Disclosures may be added or taken away
    afterwards, nothing else.
    """
    signature = signature_member(make_signature(signed_bytes(message), key, key_id))
    return {**{name: member for name, member in message.items() if name != "proof"}, "signature": signature}


def make_signature(signed_bytes: bytes, key: Signer, key_id: str) -> Signature:
    """Return the signature over these bytes in the name of the registered key `key_id`."""
    value = key.sign(signed_bytes)
    return Signature(ALGORITHM, key_id, value, base64.b64encode(value).decode("ascii"))


def signature_member(signature: Signature) -> dict[str, Any]:
    """Return a signature as it stands in a message (A2AP §2.1)."""
    return {
        "@type": SIGNATURE_TYPE,
        "algorithm": signature.algorithm,
        "publicKey": signature.public_key,
        "value": signature.text,
    }


def read_signature(value: Any, path: str = "signature") -> Signature:
    """Read a `signature` member; raises `FieldError` for another algorithm, member or spelling."""
    if type(value) is not dict:
        raise FieldError(path, f"is {shown(value)}, not an object")
    if not value.keys() <= _MEMBERS:
        unknown = next(name for name in value if name not in _MEMBERS)
        raise FieldError(member_path(path, unknown), "is no member of a signature")
    check_type(value, SIGNATURE_TYPE, path)
    algorithm = read_text(value, "algorithm", path)
    # The algorithm is not the sender's to choose: one is allowed, under one name.
    if algorithm != ALGORITHM:
        raise FieldError(member_path(path, "algorithm"), f"is {shown(algorithm)}, not {ALGORITHM}")
    text = read_text(value, "value", path)
    return Signature(algorithm, read_id(value, "publicKey", path), _decode(text, member_path(path, "value")), text)


def verify_signature(signature: Signature, signed_bytes: bytes, public_key: PublicKey) -> None:
    """Raise `SignatureError` unless the signature over these signed bytes was made with this key.

    The registry decides which key a reference stands for, and since when (docs/how-to/keys.md).
    """
    try:
        public_key.verify(signed_bytes, signature.value)
    except SignatureError as error:
        raise SignatureError(
            f"the signature in the name of {signature.public_key} is not by {public_key.did_key}"
        ) from error


def _decode(text: str, path: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True) if len(text) == 88 else b""
    except (binascii.Error, ValueError) as error:
        raise FieldError(path, "is not padded standard base64") from error
    # Encoded again: unused bits in the last character would give one signature several texts.
    if len(data) != SIGNATURE_BYTES or base64.b64encode(data).decode("ascii") != text:
        raise FieldError(path, f"is not {SIGNATURE_BYTES} bytes in padded standard base64")
    return data
