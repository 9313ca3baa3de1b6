"""A key of this node in its own file, which is made at the first start and is complete once it exists."""

import secrets
import threading
from collections.abc import Callable
from pathlib import Path

from a2ap.durable_files import flush_folder, private_folder
from a2ap.file_lock import FileLock
from a2ap.key_file import KeyFile, read_key_file, write_key_file
from a2ap.signing.keys import SigningKey
from graph.errors import NodeError

_PATIENCE = 30.0  # seconds


def kept_key(file: Path, describe: Callable[[SigningKey], KeyFile]) -> SigningKey:
    """Return the key of a file, which is made if it does not exist; `describe` returns the contents of a new key file.

    Raises `KeyFormatError` if the file holds no key or others may read it.
    """
    if not file.exists():
        _make(file, describe)
    return read_key_file(file).key


def _make(file: Path, describe: Callable[[SigningKey], KeyFile]) -> None:
    private_folder(file.parent)
    lock = FileLock(file.with_name(f"{file.name}.lock"))
    try:
        if not lock.wait(_PATIENCE, threading.Event()):
            raise NodeError(f"another program keeps making {file}")
        if file.exists():
            return
        unnamed = file.with_name(f".{file.name}.{secrets.token_hex(8)}")
        write_key_file(unnamed, describe(SigningKey.generate(secrets.token_bytes(32))))
        unnamed.replace(file)
        flush_folder(file.parent)
    finally:
        lock.close()
