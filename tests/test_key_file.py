"""Key files are for their owner's eyes."""

import json
import stat
from pathlib import Path

import pytest
from builders import agent_id, agent_key, key_id

from a2ap.errors import KeyFormatError
from a2ap.key_file import KeyFile, read_key_file, write_key_file

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
