"""Keeps the archives of packs in a folder beside the outbox, until the node has answered them."""

from pathlib import Path

from a2ap.durable_files import flush_folder, private_folder, write_file


class KeptPacks:
    """Archives by the hash of their pack; without a folder they are kept in memory alone."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._archives: dict[str, bytes] = {}

    def keep(self, name: str, archive: bytes) -> None:
        """Keep an archive; it is on disk when this returns."""
        if self._folder is None:
            self._archives[name] = archive
            return
        if not self._folder.exists():
            private_folder(self._folder)
            flush_folder(self._folder.parent)
        write_file(self._path(self._folder, name), (archive,))
        flush_folder(self._folder)

    def find(self, name: str) -> bytes | None:
        """Return the archive of a pack, None if none is kept."""
        if self._folder is None:
            return self._archives.get(name)
        try:
            return self._path(self._folder, name).read_bytes()
        except FileNotFoundError:
            return None

    def drop(self, name: str) -> None:
        """Forget the archive of a pack."""
        self._archives.pop(name, None)
        if self._folder is not None:
            self._path(self._folder, name).unlink(missing_ok=True)

    def _path(self, folder: Path, name: str) -> Path:
        return folder / f"{name.removeprefix('sha256:')}.tar"
