"""The keys of the nodes and entries of a selection, in a small database, so that memory does not grow with them."""

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

_SCHEMA = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -8000;
CREATE TABLE kept (label TEXT, key TEXT, PRIMARY KEY (label, key)) WITHOUT ROWID;
CREATE TABLE places (log_index INTEGER PRIMARY KEY);
"""


class Closure:
    """The kept keys: nodes by label and key, and entries by their place in the log."""

    def __init__(self, file: Path) -> None:
        self._database = sqlite3.connect(file, isolation_level=None)
        self._database.executescript(_SCHEMA)

    def close(self) -> None:
        """Close the database; the file is its owner's to remove."""
        self._database.close()

    def keep(self, label: str, keys: Iterable[str]) -> None:
        """Add nodes of a label; those that are kept already stay."""
        self._write("INSERT OR IGNORE INTO kept VALUES (?, ?)", ((label, key) for key in keys))

    def keep_places(self, places: Iterable[int]) -> None:
        """Add entries of the log."""
        self._write("INSERT OR IGNORE INTO places VALUES (?)", ((place,) for place in places))

    def kept(self, label: str, keys: Iterable[str]) -> set[str]:
        """Return the keys among these that are kept."""
        wanted = list(dict.fromkeys(keys))
        found: set[str] = set()
        for start in range(0, len(wanted), 500):
            some = wanted[start : start + 500]
            query = f"SELECT key FROM kept WHERE label = ? AND key IN ({','.join('?' * len(some))})"
            found.update(key for (key,) in self._database.execute(query, (label, *some)))
        return found

    def has_between(self, label: str, start: str, end: str) -> bool:
        """Return whether a key from `start` to before `end` is kept."""
        query = "SELECT 1 FROM kept WHERE label = ? AND key >= ? AND key < ? LIMIT 1"
        return self._database.execute(query, (label, start, end)).fetchone() is not None

    def pages(self, label: str, most: int) -> Iterator[list[str]]:
        """Yield all kept keys of a label in their order, up to `most` at a time."""
        after = ""
        query = "SELECT key FROM kept WHERE label = ? AND key > ? ORDER BY key LIMIT ?"
        while rows := self._database.execute(query, (label, after, most)).fetchall():
            yield [key for (key,) in rows]
            after = rows[-1][0]

    def places(self, start: int, end: int, most: int) -> list[int]:
        """Return the first kept places from `start` to before `end`."""
        query = "SELECT log_index FROM places WHERE log_index >= ? AND log_index < ? ORDER BY log_index LIMIT ?"
        return [place for (place,) in self._database.execute(query, (start, end, most))]

    def kept_places(self, places: Iterable[int]) -> set[int]:
        """Return the places among these that are kept; for the places of one page."""
        wanted = list(places)
        if not wanted:
            return set()
        query = "SELECT log_index FROM places WHERE log_index BETWEEN ? AND ?"
        return {place for (place,) in self._database.execute(query, (min(wanted), max(wanted)))} & set(wanted)

    def next_place(self, start: int) -> int | None:
        """Return the first kept place from `start` on."""
        found: int | None = self._database.execute(
            "SELECT min(log_index) FROM places WHERE log_index >= ?", (start,)
        ).fetchone()[0]
        return found

    def count(self, label: str) -> int:
        """Return the number of nodes of a label that are kept."""
        (number,) = self._database.execute("SELECT count(*) FROM kept WHERE label = ?", (label,)).fetchone()
        return int(number)

    def _write(self, query: str, rows: Iterable[tuple[str, ...] | tuple[int]]) -> None:
        self._database.execute("BEGIN")
        self._database.executemany(query, rows)
        self._database.execute("COMMIT")
