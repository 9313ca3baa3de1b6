"""The storage of an audit: a temporary folder with a small database, so that memory stays bounded.

It holds the entries of the log, the documents and sources by their hash, the rows of both graphs, and the names that
cannot be compared because the messages behind them are withheld or do not hold.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from a2ap.log.entry import LogEntry, read_entry
from a2ap.log.merkle import root_hash
from a2ap.messages.message import MessageType
from graph.content.content_store import ContentStore
from graph.content.object_folder import ObjectFolder

_SCHEMA = """
CREATE TABLE entries (log_index INTEGER PRIMARY KEY, leaf BLOB, leaf_hash BLOB, signed_hash TEXT, name TEXT);
CREATE INDEX entries_signed_hash ON entries (signed_hash);
CREATE INDEX entries_name ON entries (name, log_index);
CREATE TABLE skipped (log_index INTEGER PRIMARY KEY, why TEXT);
CREATE TABLE untold (name TEXT PRIMARY KEY, type TEXT, log_index INTEGER);
CREATE TABLE sources (document_hash TEXT PRIMARY KEY, state TEXT);
CREATE TABLE proofs (document_hash TEXT, log_index INTEGER PRIMARY KEY, agent TEXT, possession_mac TEXT);
CREATE INDEX proofs_document_hash ON proofs (document_hash);
CREATE TABLE listed (kind TEXT, label TEXT, name TEXT);
CREATE TABLE rows (published INTEGER, kind TEXT, label TEXT, name TEXT, start TEXT, finish TEXT, properties TEXT);
CREATE INDEX rows_name ON rows (kind, label, name);
CREATE INDEX rows_named ON rows (finish) WHERE label IN ('USED', 'GENERATED', 'ABOUT');
CREATE INDEX rows_registered ON rows (finish) WHERE label = 'REGISTERED';
CREATE VIEW registrations AS
  SELECT finish AS document, start AS agent, json_extract(properties, '$.signed_hash') AS name,
         json_extract(properties, '$.boundary') AS boundary
  FROM rows WHERE published AND kind = 'edge' AND label = 'REGISTERED';
"""


class Workspace:
    """The database and the contents of one audit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.content = ContentStore(_ScratchFolder(folder / "content"), folder / "incoming")
        self._database = sqlite3.connect(folder / "audit.db", isolation_level=None)
        self._database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _SCHEMA)
        self.skipped = Skipped(self._database)

    def close(self) -> None:
        """Close the database; the owner of the folder removes it."""
        self._database.close()

    def run(self, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Run a query of this small database and return its rows."""
        return self._database.execute(query, parameters).fetchall()

    def run_many(self, query: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one query for many rows, in one transaction."""
        self._database.execute("BEGIN")
        self._database.executemany(query, rows)
        self._database.execute("COMMIT")

    def stream(self, query: str, *parameters: Any) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query."""
        yield from self._database.execute(query, parameters)

    def entries(self) -> Iterator[LogEntry]:
        """Yield the entries of the log that could be read, in order."""
        last = -1
        while found := self.run(
            "SELECT log_index, leaf FROM entries WHERE log_index > ? ORDER BY log_index LIMIT 500", last
        ):
            for index, leaf in found:
                yield read_entry(leaf, index)
            last = found[-1][0]

    def entry_at(self, log_index: int) -> LogEntry | None:
        """Return the entry at a place of the log, None if none could be read there."""
        found = self.run("SELECT leaf FROM entries WHERE log_index = ?", log_index)
        return read_entry(found[0][0], log_index) if found else None

    def entry_of(self, signed_hash: str) -> int | None:
        """Return the place in the log of a message, None if the log has no message with that hash."""
        found = self.run("SELECT log_index FROM entries WHERE signed_hash = ? LIMIT 1", signed_hash)
        return int(found[0][0]) if found else None

    def sources_given(self) -> frozenset[str]:
        """Return the hashes of the sources whose bytes the node gave as sources."""
        return frozenset(row[0] for row in self.run("SELECT document_hash FROM sources WHERE state = 'here'"))

    def repeated(self) -> Iterator[tuple[int, int]]:
        """Yield the places of entries whose message has an earlier entry, each with the first such place, in order."""
        yield from self.run(
            "SELECT log_index, first FROM"
            " (SELECT log_index, min(log_index) OVER (PARTITION BY name) AS first FROM entries)"
            " WHERE log_index > first ORDER BY log_index"
        )

    def subtree_hash(self, level: int, index: int) -> bytes:
        """Return the hash of a full subtree of the log as it was read."""
        start, end = index << level, (index + 1) << level
        rows = self.stream(
            "SELECT leaf_hash FROM entries WHERE log_index >= ? AND log_index < ? ORDER BY log_index", start, end
        )
        return root_hash([row[0] for row in rows])

    def agent_of(self, log_index: int) -> str | None:
        """Return the agent that the entry at that place names, None if there is no such entry."""
        found = self.run("SELECT leaf FROM entries WHERE log_index = ?", log_index)
        return read_entry(found[0][0], log_index).agent if found else None

    def has_untold_registration_of(self, document: str) -> bool:
        """Return whether a registration of a source, as published in the graph, is among the messages left out."""
        found = self.run(
            "SELECT 1 FROM registrations JOIN untold USING (name)"
            " WHERE document = ? AND untold.type IN (?, '') LIMIT 1",
            document,
            MessageType.SOURCE_REGISTRATION.value,
        )
        return bool(found)

    def has_untold(self, message_type: str) -> bool:
        """Return whether a message of this type is among the messages left out."""
        return bool(self.run("SELECT 1 FROM untold WHERE type = ? LIMIT 1", message_type))

    def has_untold_statement_of(self, agent: str) -> bool:
        """Return whether a statement of an agent is among the messages left out."""
        found = self.run("SELECT DISTINCT log_index FROM untold WHERE type = ?", MessageType.STATEMENT.value)
        return any(self.agent_of(row[0]) == agent for row in found)

    def skip(self, log_index: int, why: str, names: Iterable[str], message_type: str = "") -> None:
        """Leave an entry out of the replay; nodes and relationships with one of these names cannot be compared.

        `message_type` is the type that the entry states; empty if the entry is not to be trusted.
        """
        self._database.execute("INSERT OR REPLACE INTO skipped VALUES (?, ?)", (log_index, why))
        rows = ((name, message_type, log_index) for name in names if name)
        self._database.executemany("INSERT OR IGNORE INTO untold VALUES (?, ?, ?)", rows)

    def untold(self, name: str) -> tuple[str, int | None] | None:
        """Return the type and place of the message with that name that is left out, None if there is none."""
        found = self.run("SELECT type, log_index FROM untold WHERE name = ?", name)
        return (found[0][0], found[0][1]) if found else None

    def is_untold(self, *names: str | None) -> bool:
        """Return whether any of the names belongs to a message or source that is left out."""
        known = [name for name in names if name]
        marks = ", ".join("?" * len(known))
        return bool(known and self.run(f"SELECT 1 FROM untold WHERE name IN ({marks}) LIMIT 1", *known))


class Skipped:
    """The indices of the entries that are left out, for tests with `in`."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def __contains__(self, log_index: object) -> bool:
        """Return whether that entry is left out."""
        return bool(self._database.execute("SELECT 1 FROM skipped WHERE log_index = ?", (log_index,)).fetchone())

    def __len__(self) -> int:
        """Return the number of entries left out."""
        return int(self._database.execute("SELECT count(*) FROM skipped").fetchone()[0])


class _ScratchFolder(ObjectFolder):
    """Objects that are not needed after a crash, so that no write waits for the disk."""

    async def write_many(self, objects: Mapping[str, bytes], *, durable: bool = False) -> None:
        """Write objects without waiting for the disk."""
        await super().write_many(objects, durable=False)
