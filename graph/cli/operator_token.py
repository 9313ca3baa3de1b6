"""The operator's token: a file in the data folder, made once, unless the environment names a token."""

import os
import secrets
from dataclasses import replace
from pathlib import Path

from graph.settings import Settings

FILE = "operator.token"


def with_operator_token(settings: Settings) -> tuple[Settings, Path | None]:
    """Return settings that have an operator's token, and the file that it is in, if it is in one."""
    if settings.operator_token is not None:
        return settings, None
    path = settings.data / FILE
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(32) + "\n")
    except FileExistsError:
        pass
    return replace(settings, operator_token=path.read_text(encoding="ascii").strip()), path
