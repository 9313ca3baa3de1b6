"""The operator's file of probes: what was committed to, and with which salts, until it is revealed.

It is readable by its owner alone and written whole, durably, before anything is sent: a commitment whose salt is lost
can never be revealed.
"""

import base64
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from a2ap.gold_label import Label
from a2ap.message import read_message
from graph.content.durable_files import flush_folder
from graph.errors import InputError


@dataclass(frozen=True, slots=True)
class KeptProbe:
    """A signed statement, its label under a criterion, and how far it has come.

    `salt` is base64, `commitment` the signed hash of the a2ap:Probe.
    """

    document: str
    criterion: str
    label: Label
    salt: str
    commitment: str
    queued: bool = False
    revealed: bool = False

    @property
    def received(self) -> bytes:
        """Return the statement, byte for byte."""
        return base64.b64decode(self.document)


def read_probes(path: Path) -> list[KeptProbe]:
    """Return the probes of a file, none where there is no file. Raises `InputError` for one that is no such file."""
    if not path.exists():
        return []
    if path.stat().st_mode & 0o077:
        raise InputError(f"others can read {path}, and with it the answers; chmod 600 it")
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))["probes"]
        probes = [KeptProbe(**{**one, "label": Label(one["label"])}) for one in kept]
        for probe in probes:
            read_message(probe.received)
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is no file of probes: {error}") from error
    return probes


def write_probes(path: Path, probes: Sequence[KeptProbe]) -> None:
    """Write the file of probes in the place of the one before, durably."""
    text = json.dumps({"probes": [asdict(probe) for probe in probes]}, indent=1)
    unnamed = path.with_name(f".{path.name}.new")
    unnamed.unlink(missing_ok=True)
    with os.fdopen(os.open(unnamed, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    unnamed.replace(path)
    flush_folder(path.parent)
