"""Ed25519 keys, and the two texts in which a public key travels: `did:key:z6Mk…` and padded base64.

PyNaCl signs and verifies, and nothing else does: libraries disagree about small-order keys and non-canonical
points, and a signature must not hold here and fail there.
"""

import base64
import binascii
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import base58
from nacl.bindings import crypto_core_ed25519_is_valid_point
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey as NaclSigningKey
from nacl.signing import VerifyKey

from a2ap.errors import KeyFormatError, SignatureError

KEY_BYTES = 32
SIGNATURE_BYTES = 64

_DID_PREFIX = "did:key:z"
_MULTICODEC_ED25519 = b"\xed\x01"


@dataclass(frozen=True, slots=True)
class PublicKey:
    """The 32 bytes of an Ed25519 public key."""

    data: bytes

    def __post_init__(self) -> None:
        if len(self.data) != KEY_BYTES:
            raise ValueError(f"an Ed25519 public key has {KEY_BYTES} bytes, not {len(self.data)}")

    @property
    def did_key(self) -> str:
        """Return `did:key:z…`: base58btc of the multicodec prefix and the key."""
        return _DID_PREFIX + base58.b58encode(_MULTICODEC_ED25519 + self.data).decode("ascii")

    @property
    def base64(self) -> str:
        """Return the key in padded standard base64, 44 characters."""
        return base64.b64encode(self.data).decode("ascii")

    @classmethod
    def from_did_key(cls, text: str) -> "PublicKey":
        """Read `did:key:z…`; raises `KeyFormatError` for other key types and other spellings."""
        return _public_key_from_did(text)

    @classmethod
    def from_base64(cls, text: str) -> "PublicKey":
        """Read padded standard base64; raises `KeyFormatError` for other spellings."""
        return _public_key_from_base64(text)

    @classmethod
    def parse(cls, text: str) -> "PublicKey":
        """Read either form; raises `KeyFormatError`."""
        return cls.from_did_key(text) if text.startswith("did:") else cls.from_base64(text)

    def verify(self, message: bytes, signature: bytes) -> None:
        """Raise `SignatureError` unless `signature` is this key's over `message`."""
        try:
            VerifyKey(self.data).verify(message, signature)
        except (BadSignatureError, ValueError) as error:
            raise SignatureError(f"the signature is not by {self.did_key}") from error


class Signer(Protocol):
    """An object that makes Ed25519 signatures under one public key: a key in memory, or one that a command keeps."""

    @property
    def public_key(self) -> PublicKey:
        """Return the key under which the signatures verify."""

    def sign(self, message: bytes, /) -> bytes:
        """Return the 64 bytes of the signature over `message`."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """An Ed25519 key pair, given by its secret 32-byte seed, which no representation shows."""

    seed: bytes = field(repr=False)
    _pair: NaclSigningKey = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.seed) != KEY_BYTES:
            raise ValueError(f"an Ed25519 seed has {KEY_BYTES} bytes, not {len(self.seed)}")
        # Deriving the pair costs as much as a signature: once is enough.
        object.__setattr__(self, "_pair", NaclSigningKey(self.seed))

    @classmethod
    def generate(cls, seed: bytes) -> "SigningKey":
        """Make the key pair of a seed; the caller must take the seed from a random source."""
        return cls(seed)

    @property
    def public_key(self) -> PublicKey:
        """Return the public half."""
        return PublicKey(bytes(self._pair.verify_key))

    def sign(self, message: bytes) -> bytes:
        """Return the 64 bytes of the signature over `message` (RFC 8032: deterministic)."""
        return self._pair.sign(message).signature


def signature_from_text(value: object) -> bytes | None:
    """Return the bytes of a signature in padded standard base64, in its one spelling; None for anything else."""
    if not isinstance(value, str) or len(value) != 88:
        return None
    try:
        data = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return None
    # Encoded again: unused bits in the last character would give one signature several texts.
    return data if len(data) == SIGNATURE_BYTES and base64.b64encode(data).decode("ascii") == value else None


# Keys recur in every message of an agent, and decoding one costs as much as half a signature check.
@lru_cache(maxsize=4096)
def _public_key_from_did(text: str) -> PublicKey:
    if not text.startswith(_DID_PREFIX) or len(text) > 64 or not text.isascii():
        raise KeyFormatError(f"{text[:64]!r} is not did:key:z… of an Ed25519 key")
    try:
        data = base58.b58decode(text.removeprefix(_DID_PREFIX))
    except ValueError as error:
        raise KeyFormatError(f"{text!r} is not base58btc") from error
    if data[:2] != _MULTICODEC_ED25519 or len(data) != 2 + KEY_BYTES:
        raise KeyFormatError(f"{text!r} is not a did:key of an Ed25519 key")
    key = _checked(data[2:], text)
    if key.did_key != text:
        raise KeyFormatError(f"{text!r} is not the usual spelling of {key.did_key}")
    return key


@lru_cache(maxsize=4096)
def _public_key_from_base64(text: str) -> PublicKey:
    try:
        data = base64.b64decode(text, validate=True) if len(text) == 44 else b""
    except (binascii.Error, ValueError) as error:
        raise KeyFormatError(f"{text!r} is not padded standard base64") from error
    if len(data) != KEY_BYTES or base64.b64encode(data).decode("ascii") != text:
        raise KeyFormatError(f"{text[:64]!r} is not an Ed25519 public key in padded standard base64")
    return _checked(data, text)


def _checked(data: bytes, text: str) -> PublicKey:
    # A point of small order has signatures that hold for any message.
    if not crypto_core_ed25519_is_valid_point(data):
        raise KeyFormatError(f"{text!r} is not a point of Ed25519's prime-order group")
    return PublicKey(data)
