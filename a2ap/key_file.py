"""Key files: an agent's signing key as JSON, readable by its owner alone (mode 0600).

`{"agent": "urn:agent:…", "keyId": "urn:agent:…#key-1", "seed": base64, "publicKey": "did:key:…"}`

A key that a browser exported has `encryptedSeed` in the place of `seed` (`a2ap.signing.encrypted_seed`); the mode of
that file does not matter.
"""

import base64
import binascii
import json
import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from a2ap.errors import JsonTextError, KeyFormatError
from a2ap.json_text import read_json
from a2ap.signing.encrypted_seed import decrypt_seed
from a2ap.signing.keys import KEY_BYTES, PublicKey, SigningKey


@dataclass(frozen=True, slots=True)
class KeyIdentity:
    """The agent and the reference of a key, without the secret: the identity of a key that a command keeps."""

    agent_id: str
    key_id: str
    public_key: PublicKey


@dataclass(frozen=True, slots=True)
class KeyFile:
    """A signing key, the agent that it speaks for, and the reference under which it is registered."""

    agent_id: str
    key_id: str
    key: SigningKey


def write_key_file(path: Path, key_file: KeyFile) -> None:
    """Write a new key file, on disk when this returns; raises `FileExistsError` rather than lose a key."""
    _write(
        path,
        {
            "agent": key_file.agent_id,
            "keyId": key_file.key_id,
            "seed": base64.b64encode(key_file.key.seed).decode("ascii"),
            "publicKey": key_file.key.public_key.did_key,
        },
    )


def write_key_identity(path: Path, identity: KeyIdentity) -> None:
    """Write a new file of a key that is elsewhere, as `write_key_file` does but without a seed."""
    _write(
        path,
        {"agent": identity.agent_id, "keyId": identity.key_id, "publicKey": identity.public_key.did_key},
    )


def read_key_identity(path: Path) -> KeyIdentity:
    """Read the identity in a key file, with or without the secret key; raises `KeyFormatError`."""
    texts = _texts(path, _read_members(path, path.read_bytes()), ("agent", "keyId", "publicKey"))
    return KeyIdentity(texts["agent"], texts["keyId"], PublicKey.parse(texts["publicKey"]))


def _write(path: Path, content: dict[str, str]) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(json.dumps(content, indent=2).encode("utf-8") + b"\n")
        file.flush()
        os.fsync(file.fileno())


def read_key_file(path: Path, passphrase: Callable[[], str] | None = None) -> KeyFile:
    """Read a key file; `passphrase` is asked for if the key is encrypted.

    Raises `KeyFormatError` if the file holds no key, if others may read a key that is not encrypted, and if there is no
    passphrase or another one.
    """
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        data = file.read()
    members = _read_members(path, data)
    encrypted = members.get("encryptedSeed")
    # The descriptor, not the path: the file that is checked is the file that is read.
    if encrypted is None and os.name == "posix" and stat.S_IMODE(status.st_mode) & 0o077:
        raise KeyFormatError(f"{path} has mode {stat.S_IMODE(status.st_mode):04o}; a key file has 0600")
    if encrypted is not None:
        texts = _texts(path, members, ("agent", "keyId", "publicKey"))
        key = SigningKey(_decrypted(path, encrypted, texts["publicKey"], passphrase))
    else:
        texts = _texts(path, members, ("agent", "keyId", "seed", "publicKey"))
        key = SigningKey(_decoded(path, texts["seed"]))
    if key.public_key.did_key != texts["publicKey"]:
        raise KeyFormatError(f"{path} has a publicKey that is not the one of its seed")
    return KeyFile(texts["agent"], texts["keyId"], key)


def _decoded(path: Path, text: str) -> bytes:
    try:
        seed = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        seed = b""
    if len(seed) != KEY_BYTES:
        raise KeyFormatError(f"{path} has no seed of {KEY_BYTES} bytes in base64")
    return seed


def _decrypted(path: Path, encrypted: Any, did_key: str, passphrase: Callable[[], str] | None) -> bytes:
    if not isinstance(encrypted, dict):
        raise KeyFormatError(f"{path} has an encryptedSeed that is no object")
    if passphrase is None:
        raise KeyFormatError(f"{path} is encrypted, and no passphrase is given")
    try:
        return decrypt_seed(encrypted, passphrase(), did_key)
    except KeyFormatError as error:
        raise KeyFormatError(f"{path}: {error}") from error


def _read_members(path: Path, data: bytes) -> dict[str, Any]:
    try:
        return read_json(data)
    except JsonTextError as error:
        raise KeyFormatError(f"{path} is not a key file: {error}") from error


def _texts(path: Path, members: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, str]:
    for name in names:
        if not isinstance(members.get(name), str):
            raise KeyFormatError(f"{path} has no {name}")
    return {name: members[name] for name in names}
