"""Key files are for their owner's eyes."""

import base64
import hashlib
import json
import stat
from pathlib import Path
from typing import Any

import pytest
from builders import agent_id, agent_key, key_id
from cli_runner import Run, a2ap
from nacl.bindings import crypto_aead_aes256gcm_encrypt

from a2ap.errors import KeyFormatError
from a2ap.key_file import KeyFile, read_key_file, read_key_identity, write_key_file

__all__ = ["a2ap"]

KEY_FILE = KeyFile(agent_id(1), key_id(1), agent_key(1))


def test_a_key_file_written_is_read_again(tmp_path: Path) -> None:
    write_key_file(tmp_path / "a.key", KEY_FILE)
    assert read_key_file(tmp_path / "a.key") == KEY_FILE


def test_a_key_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    write_key_file(tmp_path / "a.key", KEY_FILE)
    assert stat.S_IMODE((tmp_path / "a.key").stat().st_mode) == 0o600


def test_a_key_file_is_never_overwritten(tmp_path: Path) -> None:
    write_key_file(tmp_path / "a.key", KEY_FILE)
    with pytest.raises(FileExistsError):
        write_key_file(tmp_path / "a.key", KeyFile(agent_id(2), key_id(2), agent_key(2)))
    assert read_key_file(tmp_path / "a.key") == KEY_FILE


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660, 0o620])
def test_a_key_file_that_others_may_touch_is_refused(tmp_path: Path, mode: int) -> None:
    write_key_file(tmp_path / "a.key", KEY_FILE)
    (tmp_path / "a.key").chmod(mode)
    with pytest.raises(KeyFormatError, match=f"has mode {mode:04o}; a key file has 0600"):
        read_key_file(tmp_path / "a.key")


@pytest.mark.parametrize(
    ("member", "value", "problem"),
    [
        ("seed", None, "has no seed"),
        ("seed", "AAAA", "has no seed of 32 bytes"),
        ("seed", "!", "has no seed of 32 bytes"),
        ("agent", 7, "has no agent"),
        ("keyId", None, "has no keyId"),
        ("publicKey", agent_key(2).public_key.did_key, "has a publicKey that is not the one of its seed"),
    ],
)
def test_a_file_without_a_key_is_refused(tmp_path: Path, member: str, value: object, problem: str) -> None:
    path = tmp_path / "a.key"
    write_key_file(path, KEY_FILE)
    path.write_text(json.dumps({**json.loads(path.read_text()), member: value}))
    with pytest.raises(KeyFormatError, match=problem):
        read_key_file(path)


def test_a_file_that_is_not_json_is_refused_without_its_contents(tmp_path: Path) -> None:
    path = tmp_path / "a.key"
    write_key_file(path, KEY_FILE)
    path.write_text("secret")
    with pytest.raises(KeyFormatError) as caught:
        read_key_file(path)
    assert "secret" not in str(caught.value)


def encrypted(passphrase: str, **changes: Any) -> dict[str, Any]:
    """Return the members of a key file that is encrypted as a browser does it; `changes` are of `encryptedSeed`."""
    salt, nonce, did_key = bytes(range(16)), bytes(range(12)), KEY_FILE.key.public_key.did_key
    key = hashlib.pbkdf2_hmac("sha256", passphrase.encode(), salt, 100_000)
    data = crypto_aead_aes256gcm_encrypt(KEY_FILE.key.seed, did_key.encode(), nonce, key)
    texts = {
        name: base64.b64encode(part).decode() for name, part in {"salt": salt, "nonce": nonce, "data": data}.items()
    }
    seed = {"kdf": "PBKDF2-HMAC-SHA-256", "iterations": 100_000, "cipher": "AES-256-GCM", **texts, **changes}
    return {"agent": agent_id(1), "keyId": key_id(1), "publicKey": did_key, "encryptedSeed": seed}


def test_an_encrypted_key_file_opens_with_its_passphrase_and_may_be_read_by_others(tmp_path: Path) -> None:
    path = tmp_path / "a.key"
    path.write_text(json.dumps(encrypted("café correct horse")))
    path.chmod(0o644)
    assert read_key_file(path, lambda: "café correct horse") == KEY_FILE
    assert read_key_identity(path).public_key == KEY_FILE.key.public_key
    with pytest.raises(KeyFormatError, match="is encrypted, and no passphrase is given"):
        read_key_file(path)
    with pytest.raises(KeyFormatError, match="does not open with this passphrase"):
        read_key_file(path, lambda: "another")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"kdf": "scrypt"}, "is not the kdf"),
        ({"more": 1}, "is not the kdf"),
        ({"iterations": 1}, "iterations is not from"),
        ({"iterations": 10**12}, "iterations is not from"),
        ({"iterations": True}, "iterations is not from"),
        ({"salt": "AAAA"}, "salt is not 16 bytes"),
        ({"data": 7}, "data is not 48 bytes"),
        ({"nonce": "!"}, "nonce is not 12 bytes"),
        ({"nonce": base64.b64encode(bytes(12)).decode()}, "does not open"),
    ],
)
def test_an_encrypted_key_file_in_another_form_is_refused(
    tmp_path: Path, changes: dict[str, Any], problem: str
) -> None:
    path = tmp_path / "a.key"
    path.write_text(json.dumps(encrypted("secret", **changes)))
    with pytest.raises(KeyFormatError, match=problem):
        read_key_file(path, lambda: "secret")


def test_an_encrypted_seed_cannot_stand_beside_another_public_key(tmp_path: Path) -> None:
    path = tmp_path / "a.key"
    path.write_text(json.dumps({**encrypted("secret"), "publicKey": agent_key(2).public_key.did_key}))
    with pytest.raises(KeyFormatError, match="does not open"):
        read_key_file(path, lambda: "secret")
    path.write_text(json.dumps({**encrypted("secret"), "encryptedSeed": "text"}))
    with pytest.raises(KeyFormatError, match="no object"):
        read_key_file(path, lambda: "secret")


@pytest.mark.parametrize(
    ("passphrase", "problem"), [("secret", None), ("another", "does not open"), (None, "encrypted")]
)
def test_a_command_signs_with_an_encrypted_key_and_the_passphrase_of_its_environment(
    tmp_path: Path, a2ap: Run, monkeypatch: pytest.MonkeyPatch, passphrase: str | None, problem: str | None
) -> None:
    path = tmp_path / "a.key"
    path.write_text(json.dumps(encrypted("secret")))
    if passphrase is not None:
        monkeypatch.setenv("A2AP_KEY_PASSPHRASE", passphrase)
    command = ("agent", "register", "--key", path, "--name", "N", "--version", "1", "--publisher", "P", "--print")
    found = a2ap(*command, status=0 if problem is None else 1)
    if problem is None:
        assert json.loads(found.out)["signature"]["publicKey"] == key_id(1)
    else:
        assert problem in found.only_error
