"""A small SQLite database in the data folder, which the servers of that folder open and write together."""

import os
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

from a2ap.durable_files import private_folder
from a2ap.file_lock import FileLock

PATIENCE = 10.0
"""Seconds to wait for another server that has the database."""


def open_shared_database(path: Path, schema: str) -> sqlite3.Connection:
    """Open a database with these tables, for its owner alone, in write-ahead mode; any thread may use it.

    Servers make it in turn: if two change the mode together, SQLite refuses one at once instead of waiting. It may
    block for twice `PATIENCE`. Raises sqlite3.Error, OSError.
    """
    private_folder(path.parent)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    with closing(FileLock(path.with_name(f".{path.name}.lock"))) as lock:
        if not lock.wait(PATIENCE, threading.Event()):
            raise sqlite3.OperationalError("another server is making the database")
        database = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.executescript(schema)
        except BaseException:
            database.close()
            raise
    return database
