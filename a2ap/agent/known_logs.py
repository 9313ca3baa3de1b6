"""The keys of the logs that an agent has met, by the address of the node: trust on first use, kept in a file."""

import json
from pathlib import Path

from a2ap.durable_files import write_private
from a2ap.errors import KeyFormatError
from a2ap.log.signed_note import VerifierKey


class KnownLogs:
    """The log key of each node at the first use of its address. Without a path they are kept in memory alone."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._keys = {} if path is None else _read(path)

    def find(self, node: str) -> VerifierKey | None:
        """Return the log key of a node at its first use, None before that."""
        text = self._keys.get(node)
        return None if text is None else VerifierKey.parse(text)

    def keep(self, node: str, key: VerifierKey) -> VerifierKey:
        """Keep the log key of a node, on disk when this returns; return the kept key, which may be an earlier one."""
        if self._path is not None:
            self._keys = _read(self._path) | self._keys  # Another process may have met other nodes.
        kept = self._keys.setdefault(node, key.text)
        if self._path is not None:
            write_private(self._path, json.dumps(self._keys, indent=2))
        return VerifierKey.parse(kept)


def _read(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    try:
        keys = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise KeyFormatError(f"{path} is not JSON") from error
    if not isinstance(keys, dict) or not all(isinstance(key, str) for key in keys.values()):
        raise KeyFormatError(f"{path} is no object of log keys")
    return keys
