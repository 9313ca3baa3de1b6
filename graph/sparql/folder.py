"""The folder of the stores that queries read: their contents, and their removal after an erasure.

Rules:

- A store names its log and the mapping that made it: its origin, the root at its size, the version of this software and
  of the mapping. A store with other values does not count, and is made anew.
- A store also names the documents and names of sources that were closed to its readers when it was made: a later load
  compares them with those of its own time.
- A load that was begun and did not end leaves a mark: its store does not count.
- A removal changes the folder's generation. A load names the generation under which it began to read, and its result
  counts only while that is current: it may have read data erased meanwhile.
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

MAPPING: Final = 4
"""The version of the mapping from messages to quads: with another one every store is made anew."""

_HELD: Final = "held.json"
_CLOSED: Final = "closed.json"
_UNFINISHED: Final = "loading"


@dataclass(frozen=True, slots=True)
class Held:
    """The contents of a store: the first `size` entries of the log of `origin`, and their root hash in hexadecimal."""

    size: int
    origin: str
    root_hash: str
    software: str = SOFTWARE_VERSION
    mapping: int = MAPPING


@dataclass(frozen=True, slots=True)
class ClosedSources:
    """The keys of documents and the names of sources that are closed to the readers of a class."""

    documents: frozenset[str]
    names: frozenset[str]


def read_held(folder: Path) -> Held | None:
    """Return the contents of the store in a folder; None if there is none made by this software."""
    with suppress(OSError, ValueError, TypeError):
        held = Held(**json.loads((folder / _HELD).read_text(encoding="utf-8")))
        if (held.software, held.mapping) == (SOFTWARE_VERSION, MAPPING):
            return held
    return None


def held_size(folder: Path) -> int:
    """Return the number of log entries in the store of a folder, 0 if there is none."""
    held = read_held(folder)
    return 0 if held is None else held.size


def read_closed(folder: Path) -> ClosedSources | None:
    """Return the closed documents and names that the store of a folder was made with; None if there is no such list."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        read = json.loads((folder / _CLOSED).read_text(encoding="utf-8"))
        if read["size"] == held_size(folder):
            return ClosedSources(frozenset(read["documents"]), frozenset(read["names"]))
    return None


def is_unfinished(folder: Path) -> bool:
    """Return whether a load of the folder's store has begun and not ended."""
    return (folder / _UNFINISHED).exists()


def begin_load(folder: Path) -> None:
    """Mark the store of a folder as unfinished; to be called with the lock of loads held."""
    (folder / _UNFINISHED).touch()


def generation_of(folder: Path) -> str:
    """Return the generation of a folder's store: its id between two removals."""
    with suppress(OSError):
        return (folder / "generation").read_text(encoding="ascii")
    return ""


def write_held(folder: Path, held: Held, closed: ClosedSources, generation: str) -> bool:
    """Record the contents of a store, and return whether it counts: not if it was removed since that generation."""
    with _changing(folder):
        if generation_of(folder) != generation:
            return False
        lists = {"size": held.size, "documents": sorted(closed.documents), "names": sorted(closed.names)}
        for name, content in ((_CLOSED, lists), (_HELD, asdict(held))):
            part = folder / f".{name}"
            part.write_text(json.dumps(content), encoding="utf-8")
            part.replace(folder / name)
        (folder / _UNFINISHED).unlink(missing_ok=True)
        return True


def empty_store(folder: Path) -> None:
    """Remove the store in a folder, before it is made anew."""
    # The file of its contents first: without it the rest is no store. The second name is that of versions before.
    for name in (_HELD, "size", _CLOSED, _UNFINISHED):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / "store", ignore_errors=True)


def remove_store(folder: Path) -> None:
    """Remove the store in a folder; queries that are reading it get an error, and no running load counts."""
    with _changing(folder):
        (folder / "generation").write_text(secrets.token_hex(16), encoding="ascii")
        empty_store(folder)


def remove_stores(data: Path, place: int) -> None:
    """Remove the stores in a data folder that lack the entry at this log index, which erased something.

    The next query makes them anew. Failures are logged: a store that is left is not read either, because it has fewer
    entries than the log, whose new ones change it.
    """
    for folder in (data / FOLDER).glob("*/"):
        try:
            if held_size(folder) <= place:
                remove_store(folder)
        except OSError as error:
            logger.error("erased text is still in the store for %s readers: %s", folder.name, error)


@contextmanager
def _changing(folder: Path) -> Iterator[None]:
    """Hold the lock for changes of the recorded contents; it is held for a moment, unlike that of a load."""
    with (folder / "changing").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
