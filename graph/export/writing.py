"""Writes an export to disk: a file, or a folder of several, which appear under their name once they are whole.

Rules:

- Until then there is `.NAME.part`, and `.NAME.progress` states the complete length of its files. Both stay if the
  export broke off, and it goes on from there if resuming is requested; otherwise it is begun again.
- One file goes on with the page that it stopped at, several with the file that was not finished.
- The manifest comes last: in the folder, or beside the file as `NAME.manifest.json`.
"""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from graph.content.content_store import ContentStore
from graph.errors import InputError
from graph.export.format import ExportFormat
from graph.export.formats import FORMATS
from graph.export.manifest import MANIFEST, build_manifest, hash_file
from graph.export.opening import Wanted, open_reader
from graph.export.pieces import check_format, file_parts
from graph.export.progress_file import Progress, read_progress, stated, write_progress
from graph.export.reader import ExportReader
from graph.node import Node
from graph.store import Store

_EVERY = 4 * 2**20  # bytes after which it is noted again how far an export came

Report = Callable[[float, int], None]
"""Is told the part of the graph that was read, from 0 to 1, and the number of bytes written."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A complete export: its place on disk, its manifest, and its log size."""

    out: Path
    manifest: Path
    size: int


async def write_export(
    store: Store,
    content: ContentStore,
    format: ExportFormat,
    wanted: Wanted,
    out: Path,
    node: Node | None,
    *,
    resume: bool = False,
    report: Report = lambda part, written: None,
) -> Exported:
    """Write an export and its manifest, which the node signs; with `resume`, go on where one broke off.

    Raises `InputError` if there is nothing to go on with, or something else is at `out`.
    """
    check_format(format, wanted)
    _check_place(out, is_several=FORMATS[format].is_several)
    first = await store.read("log_entries_from", start=0, first=1)
    what = stated(format, wanted, first[0]["agent"] if first else None)
    begun = _Begun(out, FORMATS[format].is_several)
    progress = read_progress(begun.progress, what) if resume else None
    if progress is not None:
        wanted = replace(wanted, size=progress.size, pseudonym_key=progress.pseudonym_key)
    if progress is None or not FORMATS[format].resumable:
        begun.clear()
    start = progress.start if progress is not None and FORMATS[format].resumable else None
    async with open_reader(store, content, wanted, start, node=node) as reader:
        files = _Files(begun, progress if start is not None else None)
        try:
            if start is None:
                write_progress(begun.progress, what, reader, {}, wanted.pseudonym_key)
            seen = reader.mark
            async for part in file_parts(reader, format):
                if files.may_note(part.name, is_new_page=reader.mark != seen):
                    files.sync()
                    write_progress(begun.progress, what, reader, files.lengths(), wanted.pseudonym_key)
                seen = reader.mark
                files.write(part.name, part.content)
                report(reader.part_done, files.written)
        finally:
            files.close()
        return await begun.finish(files.names, reader, format, wanted)


def _check_place(out: Path, *, is_several: bool) -> None:
    """Raise `InputError` before anything is read if the export could not replace the present content at the end."""
    if is_several and out.exists() and not (out.is_dir() and not any(out.iterdir())):
        raise InputError(f"{out} is there, and several files are to be a new folder", "out")
    if not is_several and out.is_dir():
        raise InputError(f"{out} is a folder, and the export is one file", "out")


class _Begun:
    """The files of an export that is not whole yet."""

    def __init__(self, out: Path, is_several: bool) -> None:
        self.out = out
        self.is_several = is_several
        self.part = out.with_name(f".{out.name}.part")
        self.progress = out.with_name(f".{out.name}.progress")

    def path_of(self, name: str) -> Path:
        return self.part / name if self.is_several else self.part

    def clear(self) -> None:
        self.progress.unlink(missing_ok=True)
        if self.part.is_dir():
            shutil.rmtree(self.part)
        self.part.unlink(missing_ok=True)

    async def finish(self, names: list[str], reader: ExportReader, format: ExportFormat, wanted: Wanted) -> Exported:
        """Move everything to its name, the manifest last."""
        found = [hash_file(self.path_of(name), name if self.is_several else self.out.name) for name in names]
        manifest = await build_manifest(reader, format, wanted, found)
        if self.is_several:
            (self.part / MANIFEST).write_bytes(manifest)
            self.part.replace(self.out)
            at = self.out / MANIFEST
        else:
            self.part.replace(self.out)
            at = self.out.with_name(f"{self.out.name}.{MANIFEST}")
            at.write_bytes(manifest)
        self.progress.unlink(missing_ok=True)
        return Exported(self.out, at, reader.size)


class _Files:
    """The files as they grow, one after the other."""

    def __init__(self, begun: _Begun, progress: Progress | None) -> None:
        self.names = list(progress.lengths) if progress is not None else []
        self.written = sum(progress.lengths.values()) if progress is not None else 0
        self._begun = begun
        self._noted = self.written
        self._file: BinaryIO | None = None
        if begun.is_several:
            begun.part.mkdir(parents=True, exist_ok=True)
            for path in begun.part.iterdir():
                if path.name not in self.names:
                    path.unlink()
        for name in self.names:
            os.truncate(begun.path_of(name), progress.lengths[name] if progress is not None else 0)
        if self.names and not begun.is_several:
            self._file = begun.part.open("ab")

    def write(self, name: str, content: bytes) -> None:
        if not self.names or self.names[-1] != name:
            self.close()
            self.names.append(name)
        if self._file is None:
            self._file = self._begun.path_of(name).open("ab" if self._begun.is_several else "wb")
        self._file.write(content)
        self.written += len(content)

    def may_note(self, name: str, *, is_new_page: bool) -> bool:
        """Return whether everything written before the next piece is whole, and worth noting.

        Of one file it is if the piece begins a page: a format may give several pieces of one. Of several files the last
        is whole when another begins, and that begins with the page behind the mark.
        """
        if self._begun.is_several:
            return bool(self.names) and self.names[-1] != name
        return is_new_page and self.written - self._noted >= _EVERY

    def sync(self) -> None:
        if self._file is not None:
            self._file.flush()
            os.fsync(self._file.fileno())
        self._noted = self.written

    def lengths(self) -> dict[str, int]:
        if not self._begun.is_several:
            return {name: self.written for name in self.names}
        return {name: self._begun.path_of(name).stat().st_size for name in self.names}

    def close(self) -> None:
        if self._file is not None:
            self.sync()
            self._file.close()
            self._file = None
