"""The bytes of a source as an agent has them: in memory, or too many for it and read from a file in pieces."""

import hashlib
import tempfile
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Lock
from typing import IO

from a2ap.messages.possession import PossessionMac

IN_MEMORY = 8 * 2**20
"""The most bytes of a source that are kept in memory."""

Progress = Callable[[int, int], None]
"""Is told the bytes sent and the bytes in all; a request that is sent again begins anew."""

_PIECE = 2**20  # bytes


class FileContent:
    """The bytes of an open file, of which parts are read on demand; threads may share it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._lock = Lock()
        self._length = file.seek(0, 2)
        weakref.finalize(self, file.close)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, part: slice) -> bytes:
        start, end, _ = part.indices(self._length)
        with self._lock:
            self._file.seek(start)
            return self._file.read(max(0, end - start))

    def find(self, words: bytes, start: int = 0) -> int:
        """Return the first place of these words from `start` on, -1 if there is none."""
        while start + len(words) <= self._length:
            place = self[start : start + _PIECE + len(words) - 1].find(words)
            if place >= 0:
                return start + place
            start += _PIECE
        return -1


Content = bytes | FileContent


def pieces_of(content: Content, progress: Progress | None = None) -> Iterator[bytes]:
    """Yield bytes in pieces of up to a mebibyte; `progress` is told of each piece once it was taken."""
    total = len(content)
    for start in range(0, total, _PIECE):
        piece = content[start : start + _PIECE]
        yield piece
        if progress is not None:
            progress(start + len(piece), total)


def digests_of(content: Content, agent_id: str) -> tuple[str, str]:
    """Return the SHA-256 of bytes, `sha256:…`, and an agent's MAC of them."""
    digest, mac = hashlib.sha256(), PossessionMac(agent_id)
    for piece in pieces_of(content):
        digest.update(piece)
        mac.update(piece)
    return f"sha256:{digest.hexdigest()}", mac.text


class Spool:
    """Takes bytes in pieces, and keeps them in memory, or in a temporary file if they are too many."""

    def __init__(self) -> None:
        # The content closes it.
        self._file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
        self.length = 0

    def write(self, piece: bytes) -> None:
        """Add the next bytes."""
        self._file.write(piece)
        self.length += len(piece)

    def content(self) -> Content:
        """Return the bytes; nothing may be added afterwards."""
        if self.length > IN_MEMORY:
            self._file.flush()
            return FileContent(self._file)
        self._file.seek(0)
        with self._file as file:
            return file.read()


def read_content(stated: Path | IO[bytes]) -> Content:
    """Return the bytes of a file, or of a stream up to its end; a large stream is copied to a temporary file."""
    if isinstance(stated, Path):
        file = stated.open("rb")
        if file.seek(0, 2) > IN_MEMORY:
            return FileContent(file)
        with file:
            file.seek(0)
            return file.read()
    spool = Spool()
    while piece := stated.read(_PIECE):
        if not isinstance(piece, bytes):
            raise TypeError("the stream of a source gives text, not bytes: open the file with 'rb'")
        spool.write(piece)
    return spool.content()
