"""Counts for quotas, in a file of SQLite in the data folder, which the servers of one folder share.

Rules:

- An amount is checked and counted in one transaction, so that two servers never count past a limit together.
- Counts survive the process. They are not flushed at each transaction, so that a power cut may lose some.
- Counts older than a day are removed; the file names agents and addresses, and is for its owner alone.
"""

import asyncio
import heapq
import sqlite3
import threading
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from pathlib import Path

from a2ap.messages.quotas import Quotas
from graph.content.shared_database import open_shared_database
from graph.errors import QuotaError, StorageFullError, StoreBusyError
from graph.quotas.decision import DAY, HOUR, Account, AccountKind, Amount, Part, Use, check_parts, hour_of

FILE = "quotas.sqlite"

# Where no byte more may be written SQLite says which step has failed, and not why.
_FULL = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
    sqlite3.SQLITE_IOERR_SHMSIZE,
)

_SCHEMA = """
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS counted (
  kind TEXT NOT NULL, name TEXT NOT NULL, hour INTEGER NOT NULL,
  documents INTEGER NOT NULL, bytes INTEGER NOT NULL, agents INTEGER NOT NULL,
  PRIMARY KEY (kind, name, hour)
) WITHOUT ROWID
"""
_ADD = """
INSERT INTO counted VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (kind, name, hour) DO UPDATE
SET documents = documents + excluded.documents, bytes = bytes + excluded.bytes, agents = agents + excluded.agents
"""
_TOTALS = """
SELECT kind, name, SUM(documents), SUM(bytes), SUM(agents) FROM counted WHERE hour > ? GROUP BY kind, name
"""


class Counters:
    """The counts of one data folder. Its methods wait for the disk, and may be called in any thread."""

    def __init__(self, folder: Path) -> None:
        self._lock = threading.Lock()
        self._tidied = 0
        with _told():
            self._database = open_shared_database(folder / FILE, _SCHEMA)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    def take(self, asked: Sequence[Sequence[Part]], quotas: Quotas, now: datetime) -> list[QuotaError | None]:
        """Count each request for which all of its accounts have room; return each request's refusal, None if counted.

        Raises StorageFullError and StoreBusyError; nothing is counted then.
        """
        hour = hour_of(now)
        with self._transaction():
            self._tidy(hour)
            counted = self._read({part.account for parts in asked for part in parts}, hour)
            added: dict[Account, Amount] = defaultdict(Amount)
            outcomes: list[QuotaError | None] = []
            for parts in asked:
                try:
                    check_parts(parts, quotas, counted, now)
                except QuotaError as error:
                    outcomes.append(error)
                    continue
                outcomes.append(None)
                for part in parts:
                    by_hour = counted[part.account]
                    by_hour[hour] = by_hour.get(hour, Amount()) + part.amount
                    added[part.account] += part.amount
            self._add((account, hour, amount) for account, amount in added.items())
        return outcomes

    def look(self, parts: Sequence[Part], quotas: Quotas, now: datetime) -> None:
        """Raise `QuotaError` if an account has no room for its part; count nothing."""
        with self._lock, _told():
            counted = self._read({part.account for part in parts}, hour_of(now))
        check_parts(parts, quotas, counted, now)

    def largest(self, quotas: Quotas, now: datetime, most: int) -> list[Use]:
        """Return the accounts that have used the largest share of a quota within a day, the largest share first."""
        with self._lock, _told():
            rows = self._database.execute(_TOTALS, (hour_of(now) - DAY // HOUR,)).fetchall()
        uses = [Use.of(Account(AccountKind(kind), name), Amount(*amounts), quotas) for kind, name, *amounts in rows]
        return heapq.nlargest(most, uses, key=lambda use: use.share)

    def add(self, parts: Iterable[Part], hour: int) -> None:
        """Count parts in an hour without checking the quotas; negative amounts are given back."""
        with self._transaction():
            self._add((part.account, hour, part.amount) for part in parts)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._lock, _told():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._roll_back()
                raise
            try:
                self._database.execute("COMMIT")
            except sqlite3.Error:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        # After some faults SQLite has rolled back already.
        if self._database.in_transaction:
            self._database.execute("ROLLBACK")

    def _tidy(self, hour: int) -> None:
        if self._tidied != hour:
            self._database.execute("DELETE FROM counted WHERE hour <= ?", (hour - DAY // HOUR,))
            self._tidied = hour

    def _read(self, accounts: Collection[Account], hour: int) -> dict[Account, dict[int, Amount]]:
        counted: dict[Account, dict[int, Amount]] = {account: {} for account in accounts}
        for account in accounts:
            rows = self._database.execute(
                "SELECT hour, documents, bytes, agents FROM counted WHERE kind = ? AND name = ? AND hour > ?",
                (account.kind.value, account.name, hour - DAY // HOUR),
            )
            counted[account] = {at: Amount(*amounts) for at, *amounts in rows}
        return counted

    def _add(self, counts: Iterable[tuple[Account, int, Amount]]) -> None:
        rows = [
            (account.kind.value, account.name, hour, amount.documents, amount.bytes, amount.agents)
            for account, hour, amount in counts
        ]
        self._database.executemany(_ADD, rows)


@asynccontextmanager
async def counted_in(folder: Path) -> AsyncIterator[Counters]:
    """Open the counts of a data folder, and close them afterwards."""
    counters = await asyncio.to_thread(Counters, folder)
    try:
        yield counters
    finally:
        await asyncio.to_thread(counters.close)


@contextmanager
def _told() -> Iterator[None]:
    """Raise the errors of SQLite as the errors that senders receive."""
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) in _FULL:
            raise StorageFullError(f"the counts of quotas cannot be written: {error}") from error
        raise StoreBusyError(f"the counts of quotas cannot be written: {error}") from error
