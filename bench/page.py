"""P3: a GraphQL page of statements with evidence, verdicts, agents and score, over HTTP."""

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from neo4j import AsyncDriver, AsyncGraphDatabase

from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.message import read_message
from a2ap.messages.verification_response import Verdict, build_verification_response
from bench.library_page import PAGE as LIBRARY_PAGE
from bench.library_page import NoLibraryError, check_same, serving_library
from bench.load import empty, prepare
from bench.statements import NOW, bench_agent, source, source_registration, statements
from graph.app import create_app
from graph.cli.server import bind, listening
from graph.content.content_store import open_content_store
from graph.database.endpoint import Endpoint
from graph.node import load_node
from graph.platform import Platform, platform_on
from graph.settings import Settings
from graph.store import connect_store

STATEMENTS = 1000
REQUESTS = 400
CLIENTS = (1, 8, 32)
PAGE = """query Page($first: Int!) { statements(first: $first) { nodes {
  id claimText confidence verified consensusScore
  generatedBy { id name version publisher reputation }
  citations { quote byteRange { start end } chunk { id text document { hash title } } }
  verifications { id verdict confidence agent { id name } }
} } }"""


async def measure_page(endpoint: Endpoint) -> dict[str, Any]:
    """Return database queries for pages of 20 and 200, and the ratio of requests/s to one hand-written query/s.

    On Neo4j also the ratio to the requests/s of `@neo4j/graphql`, if npm can install it.
    """
    queries: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder))
        auth = (endpoint.user, endpoint.password)
        async with (
            AsyncGraphDatabase.driver(endpoint.uri, auth=auth, notifications_min_severity="OFF") as driver,
            connect_store(endpoint, observe=queries.append) as store,
        ):
            await empty(driver, endpoint)
            node = load_node(settings.data / "node.key")
            async with platform_on(store, open_content_store(settings), node, settings) as platform:
                hashes = await fill(platform)
                async with serving(platform, settings) as address:
                    result: dict[str, Any] = {"queries": {}, "clients": {}}
                    pages: dict[int, float] = {}
                    await rate(address, 1, 20, 20)  # what follows upon the loading is over by then
                    for first in (20, 200):
                        queries.clear()
                        await rate(address, 1, 1, first)
                        result["queries"][str(first)] = len(queries)
                    for clients in CLIENTS:
                        pages[clients] = await rate(address, clients, REQUESTS, 20)
                        raw = await raw_rate(driver, endpoint, hashes[:20], clients)
                        result["clients"][str(clients)] = round(pages[clients] / raw, 3)
                    if endpoint.kind == "neo4j":
                        result["neo4j_graphql"] = await _beside_library(endpoint, address, pages, Path(folder))
    return result


async def _beside_library(
    endpoint: Endpoint, address: str, pages: Mapping[int, float], folder: Path
) -> dict[str, float] | str:
    """Return by number of clients the ratio of our pages/s to those of `@neo4j/graphql`, or why there is none."""
    try:
        async with serving_library(endpoint, folder) as theirs:
            await check_same(theirs, address, PAGE, 20)
            # Both are warm: ours from the measures before.
            await rate(theirs, 1, 20, 20, LIBRARY_PAGE)
            return {
                str(clients): round(page / await rate(theirs, clients, REQUESTS, 20, LIBRARY_PAGE), 3)
                for clients, page in pages.items()
            }
    except NoLibraryError as error:
        return f"left out: {error}"


async def fill(platform: Platform) -> list[str]:
    """Load the statements, each with a verdict of another agent; return their hashes, newest first."""
    author, verifier, content = bench_agent(), bench_agent(1), source(2000)
    await prepare(platform, author.registration(), source_registration(author, content), content)
    await platform.submit(verifier.registration())
    documents = list(statements(author, content, STATEMENTS))
    envelopes = [read_message(document).envelope for document in documents]
    verdicts = [
        verifier.sign(
            build_verification_response(
                response_id=f"urn:uuid:{number:08x}-0000-4000-8000-000000000000",
                responded_at=NOW,
                responding_agent=verifier.description.agent_id,
                target_statement=envelope.id,
                target_hash=envelope.signed_hash,
                verdict=Verdict.VALIDATED,
                confidence=0.9,
                findings=[Finding("source-accuracy", FindingStatus.PASS, "read", 0.9)],
            )
        )
        for number, envelope in enumerate(envelopes)
    ]
    for outcome in await platform.submit_many([*documents, *verdicts]):
        if isinstance(outcome, Exception):
            raise outcome
    return [envelope.signed_hash for envelope in reversed(envelopes)]


@asynccontextmanager
async def serving(platform: Platform, settings: Settings) -> AsyncIterator[str]:
    """Serve the platform over HTTP on a free port of the loopback; yield the address of its GraphQL."""
    async with listening(create_app(platform, settings), bind("127.0.0.1", 0)) as address:
        yield f"{address}/graphql"


async def rate(address: str, clients: int, requests: int, first: int, query: str = PAGE) -> float:
    """Return the pages per second that `clients` parallel clients in another process receive."""
    body = json.dumps({"query": query, "variables": {"first": first}}).encode()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.clients", address, str(clients), str(requests)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate(body)
    return float(json.loads(output))


async def raw_rate(driver: AsyncDriver, endpoint: Endpoint, hashes: list[str], clients: int) -> float:
    """Return how often per second the driver alone answers the same page with one query."""
    query = (Path(__file__).parent / "page.cypher").read_text(encoding="utf-8")
    left = iter(range(REQUESTS))

    async def client() -> None:
        for _ in left:
            async with driver.session(database=endpoint.database) as session:
                result = await session.run(query, hashes=hashes)
                await result.data()

    started = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    return REQUESTS / (time.perf_counter() - started)
