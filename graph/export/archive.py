"""An export as one ZIP archive that is written as it grows: its files, and the manifest last.

The same graph gives the same archive: no file has a time, and all are compressed alike.
"""

import hashlib
import zipfile
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field
from typing import IO, Any

from graph.export.format import ExportFormat
from graph.export.formats import FORMATS
from graph.export.manifest import MANIFEST, ExportedFile, build_manifest
from graph.export.opening import Wanted
from graph.export.pieces import file_parts
from graph.export.reader import ExportReader

MEDIA_TYPE = "application/zip"

_NO_TIME = (1980, 1, 1, 0, 0, 0)
_MODE = 0o644 << 16


async def archive(reader: ExportReader, format: ExportFormat, wanted: Wanted) -> AsyncIterator[bytes]:
    """Yield the archive."""
    written = _Archive()
    try:
        async for part in file_parts(reader, format):
            written.write(part.name, part.content)
            if content := written.take():
                yield content
        written.end_file()
        manifest = await build_manifest(reader, format, wanted, written.files)
        written.write(MANIFEST, manifest)
        yield written.finish()
    finally:
        # Whoever reads may have gone away in the middle of a file.
        written.finish()


async def exported_bytes(
    reader: ExportReader, format: ExportFormat, wanted: Wanted, *, whole: bool = False
) -> AsyncGenerator[bytes, None]:
    """Yield a format of one file as it is, and one of several as an archive; `whole` gives any as an archive."""
    if whole or FORMATS[format].is_several:
        async for piece in archive(reader, format, wanted):
            yield piece
    else:
        async for part in file_parts(reader, format):
            yield part.content


@dataclass(slots=True)
class _Sink:
    """The file object that the archive is written to; it cannot seek, so that lengths follow their data."""

    pieces: list[bytes] = field(default_factory=list)

    def write(self, data: bytes) -> int:
        self.pieces.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: every piece is kept as it comes."""

    def close(self) -> None:
        """Do nothing: the pieces are taken away by `take`."""


class _Archive:
    """The archive as it grows, file after file."""

    def __init__(self) -> None:
        self.files: list[ExportedFile] = []
        self._sink = _Sink()
        self._zip = zipfile.ZipFile(self._sink, "w", zipfile.ZIP_DEFLATED, allowZip64=True)
        self._name: str | None = None
        self._file: IO[bytes] | None = None
        self._digest: Any = hashlib.sha256()
        self._length = 0

    def write(self, name: str, content: bytes) -> None:
        if name != self._name:
            self.end_file()
            info = zipfile.ZipInfo(name, _NO_TIME)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, _MODE
            self._name, self._file = name, self._zip.open(info, "w", force_zip64=True)
            self._digest, self._length = hashlib.sha256(), 0
        assert self._file is not None
        self._file.write(content)
        self._digest.update(content)
        self._length += len(content)

    def end_file(self) -> None:
        if self._file is not None and self._name is not None:
            self._file.close()
            self.files.append(ExportedFile(self._name, self._length, self._digest.hexdigest()))
            self._name = self._file = None

    def take(self) -> bytes:
        content, self._sink.pieces = b"".join(self._sink.pieces), []
        return content

    def finish(self) -> bytes:
        self.end_file()
        self._zip.close()
        return self.take()
