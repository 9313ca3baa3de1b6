"""Creates the constraints and indexes that the queries rely on; doing so again changes nothing."""

from __future__ import annotations

import httpx
from neo4j import AsyncDriver

from cypher import SchemaStatement, schema_statements
from graph.endpoint import Endpoint
from graph.errors import StoreError

_HTTP_TIMEOUT = 120.0  # seconds; building a full-text index over many statements takes a while


async def create_schema(driver: AsyncDriver, endpoint: Endpoint) -> None:
    """Run the schema of the endpoint's engine, statement by statement.

    Cypher goes over Bolt. What only SQL can say on the embedded engine goes over its HTTP port.
    """
    auth = httpx.BasicAuth(endpoint.user, endpoint.password)
    async with httpx.AsyncClient(auth=auth, timeout=_HTTP_TIMEOUT, trust_env=False) as client:
        for statement in schema_statements(endpoint.kind):
            if statement.language == "sql":
                await _run_sql(client, endpoint, statement)
            else:
                await driver.execute_query(statement.text, database_=endpoint.database)


async def _run_sql(client: httpx.AsyncClient, endpoint: Endpoint, statement: SchemaStatement) -> None:
    answer = await client.post(
        f"{endpoint.http_url}/api/v1/command/{endpoint.database}",
        json={"language": "sql", "command": statement.text},
    )
    if answer.is_error:
        raise StoreError(
            f"the engine refused {statement.text!r} with {answer.status_code}: {answer.text[:300]}"
        )
