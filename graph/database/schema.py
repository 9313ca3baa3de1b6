"""Creates the constraints and indexes that the queries rely on; doing so again changes nothing."""

from __future__ import annotations

import asyncio
import random

import httpx
from neo4j import AsyncDriver
from neo4j.exceptions import Neo4jError

from cypher import SchemaStatement, schema_statements
from graph.database.endpoint import Endpoint
from graph.database.store_errors import store_error
from graph.errors import StoreError

_HTTP_TIMEOUT = 120.0  # seconds; building a full-text index over many statements takes a while
_ATTEMPTS = 6


async def create_schema(driver: AsyncDriver, endpoint: Endpoint) -> None:
    """Run the schema of the endpoint's engine, statement by statement.

    Cypher goes over Bolt. What only SQL can say on the embedded engine goes over its HTTP port. A statement that
    fails is tried again: `IF NOT EXISTS` of two commands that run at once does not see the other's.
    """
    auth = httpx.BasicAuth(endpoint.user, endpoint.password)
    async with httpx.AsyncClient(auth=auth, timeout=_HTTP_TIMEOUT, trust_env=False) as client:
        for statement in schema_statements(endpoint.kind):
            for attempt in range(1, _ATTEMPTS + 1):
                try:
                    await _run(statement, driver, client, endpoint)
                    break
                except StoreError:
                    if attempt == _ATTEMPTS:
                        raise
                await asyncio.sleep(random.uniform(0, 0.05 * 2**attempt))


async def _run(statement: SchemaStatement, driver: AsyncDriver, client: httpx.AsyncClient, endpoint: Endpoint) -> None:
    if statement.language == "cypher":
        try:
            await driver.execute_query(statement.text, database_=endpoint.database)
        except Neo4jError as error:
            raise store_error(error, statement.text) from error
        return
    try:
        answer = await client.post(
            f"{endpoint.http_url}/api/v1/command/{endpoint.database}",
            json={"language": "sql", "command": statement.text},
        )
    except httpx.HTTPError as error:
        raise StoreError(f"the engine did not answer {statement.text!r}: {error}") from error
    if answer.is_error:
        raise StoreError(f"the engine refused {statement.text!r}: {answer.status_code} {answer.text[:300]}")
