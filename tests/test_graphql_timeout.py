"""An operation whose time is over, or whose client has gone, leaves nothing running in the database."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from http_client import open_client
from neo4j import AsyncGraphDatabase
from served import served

from cypher import Query, load_query
from graph.clearance import Reader
from graph.content.content_store import open_content_store
from graph.database.endpoint import Endpoint
from graph.graphql.context import Context
from graph.graphql.loaders import Loaders
from graph.graphql.schema import create_schema
from graph.node import load_node
from graph.platform import Platform, platform_on
from graph.settings import Settings
from graph.store import Store, connect_store

# Longer than any test waits, and never at its end by itself.
SLOW = "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b WITH a, b WHERE a + b < 0 RETURN count(*) AS never"
DIRECT, LOADED = "{ admissionPolicy { mode } }", '{ agent(id: "urn:agent:nobody") { name } }'
COMPUTED = 'mutation { ...A } fragment A on Mutation { computeReputation(agentId: "urn:agent:nobody") { value } }'


def slow_query(name: str) -> Query:
    """Return a query that takes for ever for what the operations read."""
    query = load_query(name)
    if name not in ("current_admission_policy", "agents_by_id", "counters_of"):
        return query
    given = " AND ".join(f"${one} IS NOT NULL" for one in sorted(query.parameters)) or "true"
    return replace(query, text=SLOW.replace("WHERE", f"WHERE {given} AND"))


@pytest_asyncio.fixture
async def platform(engine: Endpoint, store: Store, tmp_path: Path) -> AsyncIterator[Platform]:
    """Yield a platform some of whose questions take for ever."""
    settings = Settings(data=tmp_path)
    node = load_node(tmp_path / "node.key")
    async with (
        platform_on(store, open_content_store(settings), node, settings) as running,
        connect_store(engine, queries=slow_query) as slow,
    ):
        running.store = slow
        yield running


async def running_queries(engine: Endpoint) -> list[str]:
    """Return the texts of the slow queries that an engine runs at this moment."""
    if engine.http_url is not None:
        auth = (engine.user, engine.password)
        async with httpx.AsyncClient(base_url=engine.http_url, auth=auth, trust_env=False) as client:
            answer = await client.post("/api/v1/server", json={"command": "list queries"})
            found = [query.get("text") or query.get("query") or "" for query in answer.json()["result"]]
    else:
        async with AsyncGraphDatabase.driver(engine.uri, auth=(engine.user, engine.password)) as driver:
            shown = await driver.execute_query("SHOW TRANSACTIONS YIELD currentQuery RETURN currentQuery AS text")
            found = [record["text"] for record in shown.records]
    return [text for text in found if "AS never" in text and "SHOW" not in text]


async def until(engine: Endpoint, number: int) -> None:
    """Wait until so many slow queries run."""
    async with asyncio.timeout(20):
        while len(await running_queries(engine)) != number:
            await asyncio.sleep(0.05)


def code_of(answer: Any) -> str:
    return str(answer["errors"][0]["extensions"]["code"])


@pytest.mark.parametrize("query", [DIRECT, LOADED, COMPUTED], ids=["direct", "loaded", "computed"])
async def test_an_operation_whose_time_is_over_ends_its_queries(
    platform: Platform, engine: Endpoint, tmp_path: Path, query: str
) -> None:
    async with open_client(platform, tmp_path, graphql_timeout=2.0) as client:
        asked = asyncio.create_task(client.post("/graphql", json={"query": query}))
        await until(engine, 1)
        answer = await asked
    assert code_of(answer.json()) == "TIMEOUT"
    await until(engine, 0)


@pytest.mark.parametrize("query", [DIRECT, LOADED, COMPUTED], ids=["direct", "loaded", "computed"])
async def test_a_client_that_goes_takes_its_queries_with_it(platform: Platform, engine: Endpoint, query: str) -> None:
    async with served(platform) as address, httpx.AsyncClient(base_url=address) as client:
        asked = asyncio.create_task(client.post("/graphql", json={"query": query}))
        await until(engine, 1)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        await until(engine, 0)
        # Whoever comes next is served as ever.
        assert (await client.post("/graphql", json={"query": "{ log { size } }"})).json()["data"]["log"]["size"] > 0


async def test_what_is_only_computed_stands_in_a_mutation_of_its_own(platform: Platform, tmp_path: Path) -> None:
    text = COMPUTED.replace("...A", "submitBatch(documents: []) { __typename } ...A", 1)
    async with open_client(platform, tmp_path) as client:
        answer = (await client.post("/graphql", json={"query": text})).json()
    assert code_of(answer) == "INVALID_QUERY"
    assert answer["errors"][0]["message"] == "a mutation with computeReputation has no other fields"


async def test_what_others_ask_goes_on_meanwhile(platform: Platform, engine: Endpoint, tmp_path: Path) -> None:
    async with open_client(platform, tmp_path, graphql_timeout=2.0) as client:
        asked = [asyncio.create_task(client.post("/graphql", json={"query": DIRECT})) for _ in range(2)]
        await until(engine, 2)
        asked[0].cancel()
        other = await client.post("/graphql", json={"query": "{ log { size } }"})
        assert other.json()["data"]["log"]["size"] > 0
        assert code_of((await asked[1]).json()) == "TIMEOUT"
    await until(engine, 0)


async def test_a_stream_that_is_left_ends_what_it_ran(platform: Platform, engine: Endpoint) -> None:
    schema, reader = create_schema(), Reader()
    context = Context(platform, reader, Loaders(platform.store, reader, platform.names.look_alikes))
    async with aclosing(await schema.stream(LOADED, context_value=context)) as results:
        asked = asyncio.create_task(anext(results))
        await until(engine, 1)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
    await until(engine, 0)
