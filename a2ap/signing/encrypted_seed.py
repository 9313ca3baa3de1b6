"""The seed of a key, encrypted under a passphrase: the form in which a browser exports a key (docs/how-to/keys.md).

`{"kdf": "PBKDF2-HMAC-SHA-256", "iterations": …, "salt": …, "cipher": "AES-256-GCM", "nonce": …, "data": …}`, with salt,
nonce and data in base64; `data` is the encrypted seed and its tag (RFC 8018 §5.2, NIST SP 800-38D). The additional data
is the public key as did:key, so that the seed of one key cannot stand beside another key.
"""

import base64
import binascii
import hashlib
from collections.abc import Mapping
from typing import Any

from nacl.bindings import crypto_aead_aes256gcm_decrypt
from nacl.exceptions import CryptoError, UnavailableError

from a2ap.errors import KeyFormatError

KDF = "PBKDF2-HMAC-SHA-256"
CIPHER = "AES-256-GCM"
MIN_ITERATIONS = 100_000
MAX_ITERATIONS = 10_000_000

_MEMBERS = {"kdf", "iterations", "salt", "cipher", "nonce", "data"}
_LENGTHS = {"salt": 16, "nonce": 12, "data": 32 + 16}


def decrypt_seed(members: Mapping[str, Any], passphrase: str, did_key: str) -> bytes:
    """Return the 32 bytes of a seed. Raises `KeyFormatError` for another form and for another passphrase."""
    if members.keys() != _MEMBERS or members["kdf"] != KDF or members["cipher"] != CIPHER:
        raise KeyFormatError(f"encryptedSeed is not the kdf {KDF} and the cipher {CIPHER} with their members")
    iterations = members["iterations"]
    if type(iterations) is not int or not MIN_ITERATIONS <= iterations <= MAX_ITERATIONS:
        raise KeyFormatError(f"encryptedSeed.iterations is not from {MIN_ITERATIONS} to {MAX_ITERATIONS}")
    salt, nonce, data = (_decode(members, name) for name in ("salt", "nonce", "data"))
    key = hashlib.pbkdf2_hmac("sha256", passphrase.encode(), salt, iterations)
    try:
        return crypto_aead_aes256gcm_decrypt(data, did_key.encode(), nonce, key)
    except UnavailableError as error:
        raise KeyFormatError("encryptedSeed cannot be decrypted: this processor has no AES instructions") from error
    except CryptoError as error:
        raise KeyFormatError("encryptedSeed does not open with this passphrase") from error


def _decode(members: Mapping[str, Any], name: str) -> bytes:
    text = members[name]
    try:
        data = base64.b64decode(text, validate=True) if isinstance(text, str) else b""
    except (binascii.Error, ValueError):
        data = b""
    if len(data) != _LENGTHS[name]:
        raise KeyFormatError(f"encryptedSeed.{name} is not {_LENGTHS[name]} bytes in base64")
    return data
