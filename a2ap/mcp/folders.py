"""Files that may become sources: those in the folders that the user names, and none of the agent's own."""

import mimetypes
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from a2ap.errors import A2APError

MAX_FILE = 32 * 2**20
"""The most bytes of a file that is published."""


class FileError(A2APError):
    """A file cannot become a source; the message names it as the caller did."""


@dataclass(frozen=True, slots=True)
class File:
    """The content of a file, with its real path below a folder of the user, and its media type by its name."""

    folder: Path
    path: Path
    content: bytes
    media_type: str | None


class Folders:
    """Folders whose files may be published; links that lead out of them, hidden files and keys are not in them."""

    def __init__(self, folders: tuple[Path, ...] = (), key: Path | None = None) -> None:
        self._folders = tuple(folder.resolve(strict=True) for folder in folders)
        self._key = None if key is None else key.absolute()

    def read(self, path: str) -> File:
        """Return a file by its path, which is relative to a folder or absolute; raises `FileError`."""
        if not self._folders:
            raise FileError("no folder is open to sources: the server was started without --folder")
        if "\0" in path:
            raise FileError("the path has a null character")
        for folder in self._folders:
            found = self._found(folder, path)
            if found is not None:
                return self._content(folder, found, path)
        raise FileError(f"{path!r} is no file in a folder that the server was started with")

    def _found(self, folder: Path, path: str) -> Path | None:
        try:
            resolved = (folder / path).resolve(strict=True)
        except (OSError, RuntimeError):
            return None
        if not resolved.is_relative_to(folder) or not resolved.is_file():
            return None
        return None if any(part.startswith(".") for part in resolved.relative_to(folder).parts) else resolved

    def _content(self, folder: Path, found: Path, path: str) -> File:
        """Return the content of a resolved path; a link that takes its place meanwhile is refused."""
        try:
            descriptor = os.open(found, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
            with os.fdopen(descriptor, "rb") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode) or self._is_own(found, status):
                    raise FileError(f"{path!r} is not a file that can be published")
                content = file.read(MAX_FILE + 1)
        except OSError as error:
            raise FileError(f"{path!r} cannot be read: {error.strerror}") from error
        if len(content) > MAX_FILE:
            raise FileError(f"{path!r} has more than {MAX_FILE} bytes")
        kind, encoding = mimetypes.guess_type(found.name)
        return File(folder, found.relative_to(folder), content, kind if encoding is None else None)

    def _is_own(self, found: Path, status: os.stat_result) -> bool:
        """Say whether a file is the agent's key, under any name, or is kept beside the key, in a folder too."""
        if self._key is None:
            return False
        try:
            if os.path.samestat(status, self._key.stat()):
                return True
        except OSError:
            return True  # The key has moved: no file is known not to be it.
        # The agent keeps its files beside the key as it is named, and the key itself may be a link.
        for key in (self._key.parent.resolve() / self._key.name, self._key.resolve()):
            if found.is_relative_to(key.parent) and found.relative_to(key.parent).parts[0].startswith(key.name):
                return True
        return False
