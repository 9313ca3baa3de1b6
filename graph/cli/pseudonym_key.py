"""The key behind the pseudonyms of exports: kept in a file of its owner, or made for one export and forgotten."""

import os
import secrets
from pathlib import Path

from graph.cli.errors import CommandError
from graph.content.durable_files import is_private

KEY_BYTES = 32


def open_pseudonym_key(file: Path | None) -> bytes:
    """Return the key in a file, which is made if it does not exist; without a file, a new key."""
    if file is None:
        return secrets.token_bytes(KEY_BYTES)
    if not file.exists():
        key = secrets.token_bytes(KEY_BYTES)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as opened:
            opened.write(f"{key.hex()}\n")
        return key
    if not is_private(file):
        raise CommandError(f"others can read {file}; chmod 600 it")
    try:
        key = bytes.fromhex(file.read_text(encoding="ascii").strip())
    except ValueError as error:
        raise CommandError(f"{file} is not a key of pseudonyms: {2 * KEY_BYTES} hexadecimal digits") from error
    if len(key) != KEY_BYTES:
        raise CommandError(f"{file} is not a key of pseudonyms: {2 * KEY_BYTES} hexadecimal digits")
    return key
