"""The received bytes of a peer's sources, one file each, until the whole is stored or given up."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

from a2ap.durable_files import private_folder
from graph.content.object_folder import content_error

_CHUNK = 1 << 20  # bytes


class SourceParts:
    """Files named by the 64 hex digits of the hash expected of the whole; they are never read as sources.

    Their content is not verified. They are not flushed to the disk: the hash of the whole reveals bytes lost in a
    crash.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def length(self, document_hash: str) -> int:
        """Return the number of bytes that have arrived."""
        path = self._path(document_hash)
        return path.stat().st_size if path.exists() else 0

    def total(self) -> int:
        """Return the total bytes of all parts."""
        return sum(path.stat().st_size for path in self._files())

    async def write(self, document_hash: str, start: int, pieces: AsyncIterator[bytes]) -> None:
        """Write the bytes that arrive from byte `start` on; raises the errors of `pieces`, and keeps earlier bytes.

        Raises `StorageFullError` or `ContentError` if the disk does not take them.
        """
        try:
            private_folder(self._folder)
            file = os.fdopen(os.open(self._path(document_hash), os.O_WRONLY | os.O_CREAT, 0o600), "wb")
        except OSError as error:
            raise content_error(error) from error
        with file:
            file.truncate(start)
            file.seek(start)
            async for piece in pieces:
                try:
                    await asyncio.to_thread(_write, file.fileno(), piece)
                except OSError as error:
                    raise content_error(error) from error

    async def chunks(self, document_hash: str) -> AsyncIterator[bytes]:
        """Yield the received bytes, in chunks of up to a mebibyte."""
        with self._path(document_hash).open("rb") as file:
            while chunk := await asyncio.to_thread(file.read, _CHUNK):
                yield chunk

    def remove(self, document_hash: str) -> None:
        """Remove a part; it need not exist."""
        self._path(document_hash).unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        return list(self._folder.iterdir()) if self._folder.exists() else []

    def _path(self, document_hash: str) -> Path:
        return self._folder / document_hash.removeprefix("sha256:")


def _write(descriptor: int, piece: bytes) -> None:
    rest = memoryview(piece)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
