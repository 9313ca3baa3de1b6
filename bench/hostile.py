"""`python -m bench.hostile [--engine embedded|neo4j]`: latency of pages beside 12 readers with costly queries.

Prints the 99th percentile of a GraphQL page of 20 statements with the readers, divided by that without, and the
statuses of the responses to the readers. Each of them has no token and a loopback address of its own, and sends one
query after another: a fourfold join of the statements of an agent, and a sorted one with as many rows as the limit
allows.
"""

import argparse
import asyncio
import gc
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import httpx

from bench.page import PAGE, fill, serving
from graph.content.content_store import open_content_store
from graph.database.endpoint import Endpoint
from graph.engine.engine import embedded_engine
from graph.node import load_node
from graph.platform import platform_on
from graph.settings import Settings
from graph.store import connect_store

# As for the other measures, how Neo4j is found is the tests' business.
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from neo4j_server import neo4j_server

READERS = 12
PAGES = 200
_FOURFOLD = (
    "MATCH (a:Agent)-[:GENERATED]->(s:Statement) MATCH (a)-[:GENERATED]->(t:Statement) "
    "MATCH (a)-[:GENERATED]->(u:Statement) MATCH (a)-[:GENERATED]->(v:Statement) "
    "RETURN s.claim_text AS c, t.claim_text AS d, u.claim_text AS e, v.claim_text AS f ORDER BY f, e, d, c"
)
_ALLOWED = (
    "MATCH (s:Statement) UNWIND range(1, 150) AS n "
    "RETURN s.claim_text AS c, n ORDER BY s.claim_text, s.confidence * n DESC"
)
QUERIES = (_FOURFOLD, _ALLOWED)


async def measure_hostile(endpoint: Endpoint) -> dict[str, Any]:
    """Return the ratio of the 99th percentiles, both in seconds, and the statuses of the responses to the readers."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder))
        async with connect_store(endpoint) as store:
            node = load_node(settings.data / "node.key")
            async with platform_on(store, open_content_store(settings), node, settings) as platform:
                await fill(platform)
                async with serving(platform, settings) as graphql:
                    address = graphql.removesuffix("/graphql")
                    await _page_times(address, 20)
                    gc.freeze()  # as `a2ap serve` does
                    without = quantile(await _page_times(address, PAGES), 0.99)
                    statuses: Counter[int] = Counter()
                    hostile = [asyncio.create_task(_ask(address, number, statuses)) for number in range(READERS)]
                    beside = quantile(await _page_times(address, PAGES), 0.99)
                    for task in hostile:
                        task.cancel()
                    await asyncio.gather(*hostile, return_exceptions=True)
    return {
        "without": round(without, 4),
        "beside": round(beside, 4),
        "ratio": round(beside / without, 2),
        "statuses": dict(statuses),
    }


async def _page_times(address: str, number: int) -> list[float]:
    times = []
    async with httpx.AsyncClient(base_url=address, timeout=60, trust_env=False) as client:
        for _ in range(number):
            start = perf_counter()
            answer = await client.post("/graphql", json={"query": PAGE, "variables": {"first": 20}})
            times.append(perf_counter() - start)
            if "errors" in answer.json():
                raise RuntimeError(f"a page was answered with {answer.text[:300]}")
    return times


async def _ask(address: str, number: int, statuses: Counter[int]) -> None:
    transport = httpx.AsyncHTTPTransport(local_address=f"127.0.0.{number + 2}")
    async with httpx.AsyncClient(base_url=address, timeout=60, transport=transport) as client:
        while True:
            for query in QUERIES:
                statuses[(await client.post("/cypher", json={"text": query})).status_code] += 1


def quantile(times: Sequence[float], share: float) -> float:
    """Return the time that this share of the times does not exceed."""
    return sorted(times)[int(len(times) * share) - 1]


async def _run_on(engine: str, measure: Callable[[Endpoint], Awaitable[dict[str, Any]]]) -> dict[str, Any]:
    """Measure on a new, empty engine, `embedded` or `neo4j`."""
    with tempfile.TemporaryDirectory() as folder:
        if engine == "embedded":
            async with embedded_engine(Path(folder), timeout=60.0) as endpoint:
                return await measure(endpoint)
        with neo4j_server(os.environ, Path(folder), heap="1g") as endpoint:
            return await measure(endpoint)


def print_measure(measure: Callable[[Endpoint], Awaitable[dict[str, Any]]], description: str | None) -> None:
    """Measure on the engine that the command line names, and print the result as JSON."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--engine", choices=("embedded", "neo4j"), default="embedded")
    print(json.dumps(asyncio.run(_run_on(parser.parse_args().engine, measure))))


if __name__ == "__main__":
    print_measure(measure_hostile, __doc__)
