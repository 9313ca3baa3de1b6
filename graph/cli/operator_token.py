"""The operator's token: a file in the data folder, made once, unless the environment names a token."""

import os
import secrets
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from a2ap.durable_files import flush_folder, is_private, write_file
from graph.clearance import check_operator_token
from graph.settings import Settings, SettingsError

FILE = "operator.token"


def with_operator_token(settings: Settings) -> tuple[Settings, Path | None]:
    """Return settings that have an operator's token, and the file that it is in, if it is in a file.

    Raises SettingsError for a token that is too short, and for a file that others can read.
    """
    if settings.operator_token is not None:
        check_operator_token(settings.operator_token, "it")
        return settings, None
    path = settings.data / FILE
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        _make(path)
    if not is_private(path):
        raise SettingsError(f"A2AP_OPERATOR_TOKEN: others can read {path}; chmod 600 it")
    token = path.read_text(encoding="ascii").strip()
    check_operator_token(token, str(path))
    return replace(settings, operator_token=token), path


def _make(path: Path) -> None:
    """Write a new token; if another process has been faster, its token stays."""
    own = path.with_name(f".{path.name}.new-{secrets.token_hex(8)}")
    write_file(own, (secrets.token_urlsafe(32).encode() + b"\n",))
    try:
        # The name appears with the whole token behind it, and never replaces one that has been read already.
        with suppress(FileExistsError):
            os.link(own, path)
    finally:
        own.unlink()
    flush_folder(path.parent)
