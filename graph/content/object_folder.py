"""Objects as files of a local folder, durable when a write returns."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import ParamSpec, TypeVar

from a2ap.durable_files import (
    flush_file,
    flush_filesystem,
    flush_folder,
    missing_folders,
    private_folder,
    write_file,
)
from a2ap.file_lock import FileLock
from graph.errors import ContentError, ContentNotFoundError, GraphError, StorageFullError, is_full

P = ParamSpec("P")
T = TypeVar("T")

_MANY = 16  # files, from which on flushing the whole file system is quicker than flushing each
_LOCK_PATIENCE = 30.0  # seconds


class ObjectFolder:
    """Objects below one folder. Names are relative paths with `/`."""

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()
        # Folders whose own names are durable: each is flushed where it is once, and not for each object in it.
        self._named: set[Path] = set()

    async def write_many(self, objects: Mapping[str, bytes], *, durable: bool = True) -> None:
        """Write objects, durable when this returns if asked for; an existing object with the same bytes is kept."""
        await _waiting_for_disk(self._write_many if durable else self._write_unflushed, objects)

    async def replace(
        self, name: str, known: bytes | None, content: bytes, beside: Mapping[str, bytes] = MappingProxyType({})
    ) -> bytes | None:
        """Write one object durably if it still holds `known`, None for no object; return its content before.

        The objects in `beside` are written first, under the same lock, and are not durable.
        """
        return await _waiting_for_disk(self._replace, name, known, content, beside)

    async def write_file(self, name: str, file: Path) -> None:
        """Move a file of the same file system to an object's name, durably."""
        await _waiting_for_disk(self._write_file, name, file)

    async def read(self, name: str, start: int, end: int | None) -> bytes:
        """Return the bytes from `start` to before `end`, or to the object's end."""
        return await _waiting_for_disk(self._read, name, start, end)

    async def size(self, name: str) -> int:
        """Return an object's length in bytes."""
        return await _waiting_for_disk(self._size, name)

    async def remove(self, name: str) -> None:
        """Remove one object, durably; it need not exist."""
        await _waiting_for_disk(self._remove, name)

    async def tidy(self) -> None:
        """Do nothing: files come here whole."""

    async def names(self, prefix: str) -> AsyncIterator[str]:
        """Yield the names below a folder, in order."""
        for folder in await _waiting_for_disk(_sorted_entries, self._path / prefix):
            for file in await _waiting_for_disk(_sorted_entries, folder):
                yield file.relative_to(self._path).as_posix()

    def _write_many(self, objects: Mapping[str, bytes]) -> None:
        many = len(objects) >= _MANY
        self._make_folders(objects)
        for name, content in objects.items():
            path = os.path.join(self._path, name)
            if not _holds(path, content):
                # A crash before the flush can leave this name with half its bytes. Nothing refers to it then, and
                # whoever writes it again compares the bytes and replaces them.
                write_file(path, (content,), flush=not many)
            elif not many:
                flush_file(path)
        if many and flush_filesystem(self._path):
            return
        if many:
            for name in objects:
                flush_file(self._path / name)
        self._flush_folders(objects)

    def _write_unflushed(self, objects: Mapping[str, bytes]) -> None:
        self._make_folders(objects)
        for name, content in objects.items():
            path = os.path.join(self._path, name)
            if not _holds(path, content):
                write_file(path, (content,), flush=False)

    def _replace(self, name: str, known: bytes | None, content: bytes, beside: Mapping[str, bytes]) -> bytes | None:
        path = self._path / name
        self._make_folders((name,))
        lock = FileLock(path.with_name(f".{path.name}.lock"))
        try:
            if not lock.wait(_LOCK_PATIENCE, threading.Event()):
                raise ContentError(f"another program keeps {path} locked")
            found = path.read_bytes() if path.exists() else None
            if found == known:
                self._write_unflushed(beside)
                write_file(path, (content,))
                self._flush_folders((name,))
            return found
        finally:
            lock.close()

    def _write_file(self, name: str, file: Path) -> None:
        self._make_folders((name,))
        flush_file(file)
        file.replace(self._path / name)
        self._flush_folders((name,))

    def _remove(self, name: str) -> None:
        path = self._path / name
        path.unlink(missing_ok=True)
        if path.parent.is_dir():
            flush_folder(path.parent)

    def _make_folders(self, names: Iterable[str]) -> None:
        """Make the missing folders of these names."""
        for place in _places_of(names):
            # As a text: a path costs as much as the question.
            if not os.path.isdir(os.path.join(self._path, place)):
                path = self._path / place
                self._named -= set(missing_folders(path))
                private_folder(path)

    def _flush_folders(self, names: Iterable[str]) -> None:
        """Make these names durable, and those of the folders that they are in, inner ones first."""
        places = {self._path / place for place in _places_of(names)}
        folders = {folder for path in places for folder in (path, *path.parents) if self._path in folder.parents}
        unnamed = folders - self._named
        for folder in sorted(places | {folder.parent for folder in unnamed}, key=lambda folder: -len(folder.parts)):
            flush_folder(folder)
        self._named |= unnamed

    def _read(self, name: str, start: int, end: int | None) -> bytes:
        try:
            with (self._path / name).open("rb") as file:
                file.seek(start)
                return file.read() if end is None else file.read(end - start)
        except FileNotFoundError as error:
            raise ContentNotFoundError(f"{name} is not held") from error

    def _size(self, name: str) -> int:
        try:
            return (self._path / name).stat().st_size
        except FileNotFoundError as error:
            raise ContentNotFoundError(f"{name} is not held") from error


async def _waiting_for_disk(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return await asyncio.to_thread(work, *args, **kwargs)
    except OSError as error:
        raise content_error(error) from error


def content_error(error: OSError) -> GraphError:
    """Return this package's error for one of the file system's."""
    found = f"{error.filename or 'the content store'}: {error.strerror}"
    return StorageFullError(found) if is_full(error) else ContentError(found)


def _places_of(names: Iterable[str]) -> set[str]:
    """Return the folders of names; many objects share one."""
    return {name.rpartition("/")[0] for name in names}


def _holds(path: str, content: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read() == content
    except FileNotFoundError:
        return False


def _sorted_entries(folder: Path) -> list[Path]:
    try:
        return sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
    except FileNotFoundError:
        return []
