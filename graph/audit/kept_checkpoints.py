"""An auditor's memory of a log between two audits: its newest checkpoint that passed, and the first key known.

Both are stored in one file per log in the auditor's own folder, named by the hash of the log's name. Equivocations are
kept beside them.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from a2ap.durable_files import private_folder, write_private
from a2ap.errors import A2APError
from a2ap.log.signed_note import VerifierKey
from graph.errors import AuditError


@dataclass(frozen=True, slots=True)
class KeptCheckpoint:
    """The checkpoint, a signed note, and the verifier key from which the log's keys are followed."""

    log_key: str
    note: str


class KeptCheckpoints:
    """The auditor's folder; `file` names a single file instead, for one log."""

    def __init__(self, folder: Path, file: Path | None = None) -> None:
        self._folder = folder
        self._file = file

    def load(self, origin: str) -> KeptCheckpoint | None:
        """Return the kept checkpoint of a log, None if it was never audited. Raises AuditError."""
        path = self._path(origin)
        if not path.exists():
            return None
        try:
            members = json.loads(path.read_text(encoding="utf-8"))
            kept = KeptCheckpoint(members["logKey"], members["checkpoint"])
            name = VerifierKey.parse(kept.log_key).name
        except (ValueError, KeyError, TypeError, A2APError) as error:
            raise AuditError(f"{path} is not a kept checkpoint: {error}") from error
        if name != origin:
            raise AuditError(f"{path} is of the log {name}, not of {origin}")
        return kept

    def keep(self, origin: str, kept: KeptCheckpoint) -> None:
        """Keep a checkpoint that passed, durably, in place of the one before."""
        members = {"origin": origin, "logKey": kept.log_key, "checkpoint": kept.note}
        path = self._path(origin)
        private_folder(path.parent.absolute())
        write_private(path, json.dumps(members, indent=2) + "\n")

    def _path(self, origin: str) -> Path:
        return self._file or self._folder / f"{hashlib.sha256(origin.encode()).hexdigest()[:32]}.json"
