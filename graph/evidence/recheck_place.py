"""Where a recheck of the sources was stopped, kept in the data folder."""

from pathlib import Path

_NAME = "recheck.position"


class RecheckPlace:
    """The hash of the last source that was looked at, in a file that is gone when all were."""

    def __init__(self, data: Path) -> None:
        self._path = data / _NAME

    def read(self) -> str:
        """Return the hash after which to go on, "" for the beginning."""
        try:
            return self._path.read_text(encoding="ascii").strip()
        except (FileNotFoundError, UnicodeDecodeError):
            return ""

    def write(self, document_hash: str) -> None:
        """Keep the hash of a source that was looked at; what was looked at after it is looked at once more."""
        self._path.write_text(f"{document_hash}\n", encoding="ascii")

    def clear(self) -> None:
        """Forget it: all sources were looked at."""
        self._path.unlink(missing_ok=True)
