"""Key files: an agent's signing key as JSON, readable by its owner alone (mode 0600).

`{"agent": "urn:agent:…", "keyId": "urn:agent:…#key-1", "seed": base64, "publicKey": "did:key:…"}`
"""

import base64
import binascii
import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from a2ap.errors import JsonTextError, KeyFormatError
from a2ap.json_text import read_json
from a2ap.signing.keys import PublicKey, SigningKey


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
    texts = _read_texts(path, path.read_bytes(), ("agent", "keyId", "publicKey"))
    return KeyIdentity(texts["agent"], texts["keyId"], PublicKey.parse(texts["publicKey"]))


def _write(path: Path, content: dict[str, str]) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(json.dumps(content, indent=2).encode("utf-8") + b"\n")
        file.flush()
        os.fsync(file.fileno())


def read_key_file(path: Path) -> KeyFile:
    """Read a key file; raises `KeyFormatError` if others may read it or it holds no key."""
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        # The descriptor, not the path: the file that is checked is the file that is read.
        if os.name == "posix" and stat.S_IMODE(status.st_mode) & 0o077:
            raise KeyFormatError(f"{path} has mode {stat.S_IMODE(status.st_mode):04o}; a key file has 0600")
        data = file.read()
    texts = _read_texts(path, data, ("agent", "keyId", "seed", "publicKey"))
    try:
        key = SigningKey(base64.b64decode(texts["seed"], validate=True))
    except (binascii.Error, ValueError) as error:
        raise KeyFormatError(f"{path} has no seed of 32 bytes in base64") from error
    if key.public_key.did_key != texts["publicKey"]:
        raise KeyFormatError(f"{path} has a publicKey that is not the one of its seed")
    return KeyFile(texts["agent"], texts["keyId"], key)


def _read_texts(path: Path, data: bytes, names: tuple[str, ...]) -> dict[str, str]:
    try:
        content = read_json(data)
    except JsonTextError as error:
        raise KeyFormatError(f"{path} is not a key file: {error}") from error
    texts = {name: content.get(name) for name in names}
    missing = [name for name, text in texts.items() if not isinstance(text, str)]
    if missing:
        raise KeyFormatError(f"{path} has no {missing[0]}")
    return {name: str(text) for name, text in texts.items()}
