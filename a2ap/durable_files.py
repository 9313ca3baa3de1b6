"""Files that survive a power cut: written whole or not at all, and only then named."""

from __future__ import annotations

import ctypes
import os
import secrets
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import takewhile
from pathlib import Path

if sys.platform != "win32":
    import fcntl


def write_private(path: Path, text: str) -> None:
    """Write a text file that only its owner can read, durably; it replaces an existing file."""
    write_file(path, (text.encode(),))
    flush_folder(path.parent)


def is_private(path: Path) -> bool:
    """Return whether only the owner of a file has rights to it. Raises OSError if there is none."""
    return not path.stat().st_mode & 0o077


def write_file(path: Path | str, chunks: Iterable[bytes], *, flush: bool = True) -> None:
    """Write a file, for its owner alone, and give it its name once it is complete.

    The folder is not flushed: the file's name is durable only after `flush_folder`.
    """
    # As texts: a path costs as much as a small file does, and there are two files a statement.
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{secrets.token_hex(8)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(chunks)
            if flush:
                file.flush()
                _flush(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def private_folder(path: Path) -> None:
    """Make a folder, and missing ones above it, for their owner alone; not durably."""
    for folder in reversed(missing_folders(path)):
        folder.mkdir(mode=0o700, exist_ok=True)


def missing_folders(path: Path) -> list[Path]:
    """Return this folder and those above it that do not exist, inner ones first."""
    folders: tuple[Path, ...] = (path, *path.parents)
    return list(takewhile(lambda folder: not folder.exists(), folders))


def flush_file(path: Path | str) -> None:
    """Make the content of a file durable."""
    with _opened(path) as descriptor:
        _flush(descriptor)


def flush_folder(path: Path) -> None:
    """Make the names in a folder durable."""
    with _opened(path) as descriptor:
        os.fsync(descriptor)


def flush_filesystem(path: Path) -> bool:
    """Make everything on the file system of `path` durable; return False if the system has no such call."""
    syncfs = _syncfs()
    if syncfs is None:
        return False
    with _opened(path) as descriptor:
        if syncfs(descriptor) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), str(path))
    return True


def _flush(descriptor: int) -> None:
    if sys.platform == "darwin":
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)  # fsync alone stops at the drive's cache there
    else:
        os.fsync(descriptor)


@contextmanager
def _opened(path: Path | str) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@cache
def _syncfs() -> ctypes._FuncPointer | None:
    if sys.platform != "linux":
        return None
    function = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
    if function is not None:
        function.argtypes = (ctypes.c_int,)
        function.restype = ctypes.c_int
    return function
