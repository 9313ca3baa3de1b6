"""The folder of the stores that queries read: what it holds, and how it is emptied when something was erased.

Rules:

- A store says of which log it is, and by which mapping it was made: its origin, the root at its size, the version of
  this software and of the mapping. One that says anything else is none, and is made anew.
- A removal changes the folder's generation. A load says under which it began to read, and what it read counts only
  while that is so: it may have read what was erased meanwhile.
"""

import fcntl
import json
import logging
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from graph.node import SOFTWARE_VERSION

logger = logging.getLogger(__name__)

FOLDER: Final = "sparql"
"""The name of the folder, in the data folder."""

MAPPING: Final = 3
"""The version of the mapping from messages to quads: another one has every store made anew."""

_HELD: Final = "held.json"


@dataclass(frozen=True, slots=True)
class Held:
    """What a store holds: the first `size` entries of the log of `origin`, whose tree has this root in hexadecimal."""

    size: int
    origin: str
    root_hash: str
    software: str = SOFTWARE_VERSION
    mapping: int = MAPPING


def read_held(folder: Path) -> Held | None:
    """Return what the store in a folder holds; None where there is none that this software made."""
    with suppress(OSError, ValueError, TypeError):
        held = Held(**json.loads((folder / _HELD).read_text(encoding="utf-8")))
        if (held.software, held.mapping) == (SOFTWARE_VERSION, MAPPING):
            return held
    return None


def held_size(folder: Path) -> int:
    """Return how many entries of the log the store in a folder holds, 0 where there is none."""
    held = read_held(folder)
    return 0 if held is None else held.size


def generation_of(folder: Path) -> str:
    """Return what names the time between two removals of a folder's store."""
    with suppress(OSError):
        return (folder / "generation").read_text(encoding="ascii")
    return ""


def write_held(folder: Path, held: Held, generation: str) -> bool:
    """Say what a store holds, and return whether it counts: not where it was removed since that generation."""
    with _changing(folder):
        if generation_of(folder) != generation:
            return False
        part = folder / f".{_HELD}"
        part.write_text(json.dumps(asdict(held)), encoding="utf-8")
        part.replace(folder / _HELD)
        return True


def empty_store(folder: Path) -> None:
    """Remove the store in a folder for whoever makes it anew."""
    # What it holds first: without that the rest is no store. The second name is that of versions before.
    for name in (_HELD, "size"):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / "store", ignore_errors=True)


def remove_store(folder: Path) -> None:
    """Remove the store in a folder; whoever reads it meanwhile gets an error, and no load that runs counts."""
    with _changing(folder):
        (folder / "generation").write_text(secrets.token_hex(16), encoding="ascii")
        empty_store(folder)


def remove_stores(data: Path, place: int) -> None:
    """Remove the stores in a data folder that do not hold the entry at a place of the log, which erased something.

    They are made anew when somebody asks. What fails is logged: one that is left is not read either, because it holds
    fewer entries than the log, whose new ones change it.
    """
    for folder in (data / FOLDER).glob("*/"):
        try:
            if held_size(folder) <= place:
                remove_store(folder)
        except OSError as error:
            logger.error("what was erased is still in the store for %s readers: %s", folder.name, error)


@contextmanager
def _changing(folder: Path) -> Iterator[None]:
    """Hold the lock under which it changes what counts; it is held for a moment, unlike that of a load."""
    with (folder / "changing").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
