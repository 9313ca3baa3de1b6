"""Waits for the moment of a point, with no other means than responses and files."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from faults.load import Load
from faults.points import Moment, Point

_LOOK = 0.0002  # seconds between two looks
_PATIENCE = 60.0  # seconds until a moment counts as one that does not come


def wait_for(point: Point, load: Load, data: Path, journal: Path | None) -> bool:
    """Block until the moment of the point has come; return whether it came.

    `journal` is the folder of the engine's transaction log, if that is on this machine.
    """
    came = _wait(_sign(point, load, data, journal))
    time.sleep(point.delay)
    return came


def _sign(point: Point, load: Load, data: Path, journal: Path | None) -> Callable[[], bool]:
    """Return a function that tells whether the moment has come."""
    number = point.occurrence
    match point.moment:
        case Moment.TIME:
            return lambda: True
        case Moment.BYTES:
            return lambda: len(load.sent) >= number and load.sent[number - 1].file_in(data).exists()
        case Moment.JOURNAL if journal is not None:
            return _changes(lambda: _sizes(journal), number)
        case Moment.CHECKPOINT if (data / "log" / "checkpoint").exists():
            return _changes(lambda: (data / "log" / "checkpoint").stat().st_ino, number)
        case _:
            return lambda: load.answered >= number


def _wait(has_come: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + _PATIENCE
    while not has_come():
        if time.monotonic() > deadline:
            return False
        time.sleep(_LOOK)
    return True


def _changes(look: Callable[[], object], number: int) -> Callable[[], bool]:
    """Return a function that tells whether the result of `look` has changed `number` times."""
    seen, changes = look(), 0

    def has_come() -> bool:
        nonlocal seen, changes
        found = look()
        if found != seen:
            seen, changes = found, changes + 1
        return changes >= number

    return has_come


def _sizes(folder: Path) -> list[tuple[str, int, int]]:
    """Return the size and the time of each file of a transaction log."""
    found = []
    for entry in os.scandir(folder):
        if entry.name.endswith(".wal") or "transaction.db" in entry.name:
            stat = entry.stat()
            found.append((entry.name, stat.st_size, stat.st_mtime_ns))
    return found
