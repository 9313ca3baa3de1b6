"""Advisory locks on files, which the kernel releases when their process ends, even by a crash."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

if sys.platform != "win32":
    import fcntl

_POLL = 0.02  # seconds


class FileLock:
    """A lock on one file, not yet taken. The descriptor is not inherited by child processes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    @property
    def descriptor(self) -> int:
        """Return the open file's descriptor; a child that inherits it holds the lock as well."""
        return self._descriptor

    def take(self, *, shared: bool = False) -> bool:
        """Take the lock, or change its kind, and return whether that worked; never waits."""
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        try:
            fcntl.flock(self._descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def wait(self, seconds: float, given_up: threading.Event) -> bool:
        """Take the lock, waiting up to `seconds` or until `given_up` is set; return whether that worked."""
        deadline = time.monotonic() + seconds
        while not self.take():
            if given_up.wait(_POLL) or time.monotonic() > deadline:
                return False
        return True

    def close(self) -> None:
        """Release the lock, as far as this process holds it."""
        os.close(self._descriptor)
