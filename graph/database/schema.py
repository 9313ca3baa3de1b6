"""Creates the constraints and indexes that the queries rely on; repeating it changes nothing.

A full-text index of an earlier version, without forms of English words, is dropped and made anew.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

import httpx
from neo4j import AsyncDriver
from neo4j.exceptions import Neo4jError

from cypher import SchemaStatement, schema_statements, upgrade_statements
from graph.database.endpoint import Endpoint, http_client
from graph.database.store_errors import store_error
from graph.errors import StoreError

_HTTP_TIMEOUT = 120.0  # seconds; building a full-text index over many statements takes a while
_ATTEMPTS = 6
_ENGLISH = "english"
_MADE = re.compile(r"(?:CONSTRAINT|INDEX) (?P<name>\w+) IF NOT EXISTS\b")


async def create_schema(driver: AsyncDriver, endpoint: Endpoint) -> None:
    """Run the schema of the endpoint's engine.

    Cypher goes over Bolt, statement by statement, but for constraints and indexes whose names are there. Statements
    that the embedded engine has only in SQL go over its HTTP port, as one script. Failed statements are retried: two
    concurrent `IF NOT EXISTS` do not see each other.
    """
    kind = endpoint.kind
    statements = schema_statements(kind)
    if not await run_statements(driver, endpoint, upgrade_statements(kind, _ENGLISH, "check")):
        before, after = (upgrade_statements(kind, _ENGLISH, step) for step in ("before", "after"))
        statements = (*before, *statements, *after)
    else:
        statements = await _without_known(driver, endpoint, statements)
    await run_statements(driver, endpoint, statements)


async def run_statements(driver: AsyncDriver, endpoint: Endpoint, statements: Sequence[SchemaStatement]) -> int:
    """Run statements of a schema in order, with retries; return the number of rows of the last one.

    Raises StoreError.
    """
    rows = 0
    async with http_client(endpoint, _HTTP_TIMEOUT) as client:
        for statement in _scripts(statements):
            for attempt in range(1, _ATTEMPTS + 1):
                try:
                    rows = await _run(statement, driver, client, endpoint)
                    break
                except StoreError:
                    if attempt == _ATTEMPTS:
                        raise
                await asyncio.sleep(random.uniform(0, 0.05 * 2**attempt))
    return rows


async def _without_known(
    driver: AsyncDriver, endpoint: Endpoint, statements: tuple[SchemaStatement, ...]
) -> tuple[SchemaStatement, ...]:
    """Return the statements without those in Cypher that make a constraint or index of a name that is there."""
    known: set[str] = set()
    try:
        for listing in ("SHOW CONSTRAINTS YIELD name", "SHOW INDEXES YIELD name"):
            found = await driver.execute_query(listing, database_=endpoint.database)
            known.update(record["name"] for record in found.records)
    except Neo4jError:  # a user who may not list them; a repeated statement changes nothing
        return statements
    made = ((statement, _MADE.search(statement.text)) for statement in statements)
    return tuple(
        statement
        for statement, match in made
        if statement.language != "cypher" or match is None or match["name"] not in known
    )


def _scripts(statements: Sequence[SchemaStatement]) -> Iterator[SchemaStatement]:
    """Yield the statements in order, consecutive ones in SQL as one: each request takes its time."""
    for language, group in groupby(statements, key=lambda statement: statement.language):
        if language == "sql":
            yield SchemaStatement(language, ";\n".join(statement.text for statement in group))
        else:
            yield from group


async def _run(statement: SchemaStatement, driver: AsyncDriver, client: httpx.AsyncClient, endpoint: Endpoint) -> int:
    if statement.language == "cypher":
        try:
            return len((await driver.execute_query(statement.text, database_=endpoint.database)).records)
        except Neo4jError as error:
            raise store_error(error, statement.text) from error
    try:
        answer = await client.post(
            f"{endpoint.http_url}/api/v1/command/{endpoint.database}",
            json={"language": "sqlscript", "command": statement.text},
        )
    except httpx.HTTPError as error:
        raise StoreError(f"the engine did not answer {statement.text[:300]!r}: {error}") from error
    if answer.is_error:
        raise StoreError(f"the engine refused {statement.text[:300]!r}: {answer.status_code} {answer.text[:300]}")
    return len(answer.json().get("result", ()))
