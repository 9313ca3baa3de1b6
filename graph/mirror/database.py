"""The database of a mirror: connections, the lock on its schema, and its errors in a sentence.

Credentials come from the URL, from the environment or from the file that PGPASSFILE names, as in libpq. No message has
any: libpq's message on an unreadable address is not shown, and an address is refused if libpq would take a part of the
password for a host, a port or a database.
"""

import hashlib
import importlib.util
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

from graph.errors import NotInstalledError
from graph.mirror.errors import MirrorError, UnreachableDatabaseError
from graph.mirror.schema import quoted

if TYPE_CHECKING:
    from psycopg import AsyncConnection
    from psycopg.rows import TupleRow

    Connection = AsyncConnection[TupleRow]

SCHEMES = ("postgresql://", "postgres://")
_PATIENCE = 30  # seconds to connect
_LONGEST = 300  # characters of the database's message


def check_database_url(url: str) -> None:
    """Raise `MirrorError` if a mirror cannot be written to such an address, `NotInstalledError` without psycopg."""
    if not url.startswith(SCHEMES):
        raise MirrorError("--to is not an address postgresql://…")
    if importlib.util.find_spec("psycopg") is None:
        raise NotInstalledError("a mirror needs psycopg: install a2ap with the extra `postgresql`")
    if not _is_clear(url):
        raise MirrorError(
            "--to cannot be read; in a user or password, signs such as @ : / ? # [ ] % are percent-encoded"
        )


@asynccontextmanager
async def open_database(url: str, schema: str) -> AsyncIterator["Connection"]:
    """Yield a connection that works in a schema, locked against other mirrors. Raises `MirrorError`."""
    check_database_url(url)
    from psycopg import AsyncConnection

    with told():
        connection = await AsyncConnection.connect(url, autocommit=True, connect_timeout=_PATIENCE)
    async with connection:
        with told():
            await _begin(connection, schema)
        yield connection


@contextmanager
def told() -> Iterator[None]:
    """Raise errors of the database as a `MirrorError` of one line."""
    from psycopg import Error, OperationalError

    try:
        yield
    except Error as error:
        kind = UnreachableDatabaseError if isinstance(error, OperationalError) else MirrorError
        said = " ".join(str(error).split())[:_LONGEST]
        raise kind(f"the database: {said or type(error).__name__}") from error


async def run(connection: "Connection", statement: str, parameters: tuple[object, ...] = ()) -> list["TupleRow"]:
    """Run a statement made only of our own names, and return its rows."""
    cursor = await connection.execute(statement.encode(), parameters or None)
    return await cursor.fetchall() if cursor.description is not None else []


def _is_clear(url: str) -> bool:
    """Return whether libpq reads an address, and no part of a password as another part of it."""
    from psycopg import Error
    from psycopg.conninfo import conninfo_to_dict

    _, _, behind = url.partition("://")
    authority = re.split("[/?#]", behind)[0]
    try:
        port = conninfo_to_dict(url).get("port") or ""
    except (Error, UnicodeError):
        return False
    return authority.count("@") == behind.count("@") <= 1 and re.fullmatch("[0-9,]*", str(port)) is not None


async def _begin(connection: "Connection", schema: str) -> None:
    ((is_free,),) = await run(connection, "SELECT pg_try_advisory_lock(%s)", (_lock_of(schema),))
    if not is_free:
        raise MirrorError(f"another mirror writes the schema {schema!r} of this database")
    await run(
        connection,
        "SELECT set_config('timezone', 'UTC', false), set_config('search_path', %s, false)",
        (quoted(schema),),
    )


def _lock_of(schema: str) -> int:
    """Return the number of the lock: the same for every mirror into the schema."""
    return int.from_bytes(hashlib.sha256(f"a2ap mirror {schema}".encode()).digest()[:8], "big", signed=True)
