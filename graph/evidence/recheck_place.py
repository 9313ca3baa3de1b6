"""The place at which a recheck of the sources was stopped, kept in the data folder."""

from pathlib import Path

_NAME = "recheck.position"


class RecheckPlace:
    """The hash of the last source that was checked, in a file that is removed after the last source."""

    def __init__(self, data: Path) -> None:
        self._path = data / _NAME

    def read(self) -> str:
        """Return the hash after which to go on, "" for the beginning."""
        try:
            return self._path.read_text(encoding="ascii").strip()
        except (FileNotFoundError, UnicodeDecodeError):
            return ""

    def write(self, document_hash: str) -> None:
        """Keep the hash of a checked source; sources checked after it are checked once more."""
        self._path.write_text(f"{document_hash}\n", encoding="ascii")

    def clear(self) -> None:
        """Forget the place: all sources were checked."""
        self._path.unlink(missing_ok=True)
