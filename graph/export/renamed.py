"""Nodes and relationships under pseudonyms, in the order of these: the order of the names would reveal them.

A label, or a type between two labels, is read whole before any of it is given, and an export that broke off goes on at
the beginning of one.
"""

import pickle
import sqlite3
import tempfile
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graph.dictionary.labels import NODE_KEYS
from graph.export.graph_reader import Edges, Nodes
from graph.export.pseudonyms import Pseudonyms

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


async def renamed_nodes(
    pages: AsyncIterable[Nodes], pseudonyms: Pseudonyms, begin: Callable[[], None]
) -> AsyncIterator[Nodes]:
    """Yield nodes under pseudonyms; `begin` is called at the start of each label, once all before is given."""
    with open_sort() as rows:
        label = ""
        async for page in pages:
            if page.label != label:
                for given in _nodes(label, rows):
                    yield given
                label = page.label
                begin()
            if (renamed := pseudonyms.nodes(page)) is not None:
                rows.add((str(one.get(NODE_KEYS[label])), "", one) for one in renamed.properties)
        for given in _nodes(label, rows):
            yield given


async def renamed_edges(
    pages: AsyncIterable[Edges], pseudonyms: Pseudonyms, begin: Callable[[], None]
) -> AsyncIterator[Edges]:
    """Yield relationships under pseudonyms; `begin` is called at the start of each type, once all before is given."""
    with open_sort() as rows:
        last: Edges | None = None
        async for page in pages:
            if last is None or _kind(page) != _kind(last):
                for given in _edges(last, rows):
                    yield given
                begin()
            last = page
            if (renamed := pseudonyms.edges(page)) is None:
                continue
            if not renamed.edges:  # it says that the rows that were there go
                yield renamed
            rows.add((str(one.start), str(one.end), one) for one in renamed.edges)
        for given in _edges(last, rows):
            yield given


def _kind(page: Edges) -> tuple[str, str, str]:
    return page.type, page.start_label, page.end_label


def _nodes(label: str, rows: ExternalSort) -> Iterator[Nodes]:
    for page in rows.pages():
        yield Nodes(label, page)


def _edges(like: Edges | None, rows: ExternalSort) -> Iterator[Edges]:
    if like is not None:
        for page in rows.pages():
            yield Edges(*_kind(like), page, like.is_instead, like.is_again)
