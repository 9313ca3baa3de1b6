"""Sorts rows in a small database of its own, so that memory does not grow with them."""

import pickle
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_PAGE = 500

_SCHEMA = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -8000;
CREATE TABLE rows (first TEXT, second TEXT, content BLOB);
"""


class ExternalSort:
    """Rows, each under two keys."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def add(self, rows: Iterable[tuple[str, str, Any]]) -> None:
        """Add rows, each behind its keys."""
        kept = ((first, second, pickle.dumps(row)) for first, second, row in rows)
        self._database.executemany("INSERT INTO rows VALUES (?, ?, ?)", kept)

    def pages(self) -> Iterator[list[Any]]:
        """Yield the rows by their keys, and by their contents, some at a time; the sort is empty then."""
        found = self._database.execute("SELECT content FROM rows ORDER BY first, second, content")
        while page := found.fetchmany(_PAGE):
            # This process wrote them, into a folder that nobody else may enter.
            yield [pickle.loads(content) for (content,) in page]
        self._database.execute("DELETE FROM rows")


@contextmanager
def open_sort() -> Iterator[ExternalSort]:
    """Yield a sort whose file is removed at the end."""
    with tempfile.TemporaryDirectory(prefix="a2ap-sort-") as folder:
        database = sqlite3.connect(Path(folder) / "rows.db", isolation_level=None)
        try:
            database.executescript(_SCHEMA)
            yield ExternalSort(database)
        finally:
            database.close()
