"""Whether there is space for the next writes, as far as this process can know.

The file system of the data folder states how much is left there. Other stores (a Neo4j, a bucket) say so only when they
refuse a write: that is remembered for a while, and forgotten once a write succeeds.
"""

import asyncio
import shutil
from pathlib import Path
from typing import TypeVar

from graph.errors import QueryError, StorageFullError

T = TypeVar("T")

LEAST = 2**20
"""Bytes; with less left, hardly anything can be written."""

_REMEMBERED = 10.0  # seconds


class Space:
    """The space of one node, judged by its data folder and by the outcomes of writes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._refused_at: float | None = None

    def told(self, outcome: T) -> T | StorageFullError:
        """Note and return the outcome of a write; a QueryError becomes a StorageFullError if there is no space left."""
        now = asyncio.get_running_loop().time()
        if isinstance(outcome, StorageFullError):
            self._refused_at = now
        elif isinstance(outcome, QueryError) and self.left() < LEAST:
            self._refused_at = now
            full = StorageFullError(f"{outcome}, with {self.left()} bytes left in {self._folder}")
            full.__cause__ = outcome
            return full
        elif not isinstance(outcome, Exception):
            self._refused_at = None
        return outcome

    def check(self) -> None:
        """Raise StorageFullError if there is no space."""
        if self._refused_at is not None and asyncio.get_running_loop().time() < self._refused_at + _REMEMBERED:
            raise StorageFullError("the last write was refused for want of space")
        if (left := self.left()) < LEAST:
            raise StorageFullError(f"{left} bytes are left in {self._folder}")

    def left(self) -> int:
        """Return the number of bytes left in the file system of the data folder."""
        return shutil.disk_usage(self._folder).free
