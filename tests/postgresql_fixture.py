"""A PostgreSQL for the tests that name it: `from postgresql_fixture import database, postgresql`."""

import os
from collections.abc import Iterator

import psycopg
import pytest
from postgresql_server import NoPostgresqlError, postgresql_server

from graph.mirror.schema import STATE_TABLE
from graph.mirror.tables import mirror_tables


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """Yield the URL of a database."""
    try:
        with postgresql_server() as url:
            yield url
    except NoPostgresqlError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


@pytest.fixture
def database(postgresql: str) -> Iterator[str]:
    """Yield the URL of a database without any schema of ours."""
    drop_schemas(postgresql)
    yield postgresql
    drop_schemas(postgresql)


def drop_schemas(url: str) -> None:
    """Remove the schemas that tests have made."""
    with psycopg.connect(url, autocommit=True) as connection:
        query = "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'mirror%' OR nspname = 'a2ap'"
        for (name,) in connection.execute(query).fetchall():
            connection.execute(f'DROP SCHEMA "{name}" CASCADE'.encode())


def dumped(url: str, schema: str) -> dict[str, bytes]:
    """Return the content of every table of a mirror as PostgreSQL writes it, in the order of the keys."""
    found = {}
    with psycopg.connect(url) as connection:
        connection.execute("SET TIMEZONE TO 'UTC'")
        keys = {STATE_TABLE: ("single",), **{table.name: table.key for table in mirror_tables()}}
        for name, key in keys.items():
            order = ", ".join(f'"{one}"' for one in key)
            query = f'COPY (SELECT * FROM "{schema}"."{name}" ORDER BY {order}) TO STDOUT'
            with connection.cursor().copy(query.encode()) as copy:
                found[name] = b"".join(bytes(piece) for piece in copy)
    return found


def asked(url: str, query: str, schema: str = "a2ap") -> list[tuple[object, ...]]:
    """Return the rows of a query on a mirror."""
    with psycopg.connect(url) as connection:
        connection.execute(f"SET TIMEZONE TO 'UTC'; SET search_path TO \"{schema}\"".encode())
        return connection.execute(query.encode()).fetchall()
