"""`python -m bench.flood [--engine embedded|neo4j]`: time of an endorsed agent's statements beside a flood.

Prints the median and 95th percentile of a `POST /statements` of an endorsed agent beside 8 strangers, each divided by
that without them, and the statuses of the responses to the strangers. The quotas are the defaults. Each stranger has an
agent and a loopback address of its own, and sends one request after another: statements by themselves, the same in
bodies of 50 lines, copies of them, and lines that are not messages.
"""

import asyncio
import gc
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import cycle
from pathlib import Path
from time import perf_counter
from typing import Any

import httpx

from a2ap.messages.endorsement import build_endorsement
from a2ap.messages.message import read_message
from bench.hostile import print_measure, quantile
from bench.load import prepare
from bench.page import serving
from bench.statements import NOW, BenchAgent, bench_agent, source, source_registration, statements
from graph.content.content_store import open_content_store
from graph.database.endpoint import Endpoint
from graph.node import load_node
from graph.platform import Platform, platform_on
from graph.settings import Settings
from graph.store import connect_store

STRANGERS = 8
STATEMENTS = 150
"""The endorsed agent's statements, as many without the strangers as beside them."""

_LINES = 50
_OF_STRANGER = 1_200
_NDJSON = {"content-type": "application/x-ndjson"}


async def measure_flood(endpoint: Endpoint) -> dict[str, Any]:
    """Return the seconds without and beside the strangers, the ratios, and the statuses of answers to strangers."""
    friend, content = bench_agent(), source(2000)
    honest = iter(list(statements(friend, content, 2 * STATEMENTS + 20)))
    async with _node(endpoint, friend, content) as (platform, address):
        strangers = [bench_agent(number + 1) for number in range(STRANGERS)]
        for stranger in strangers:
            await platform.submit(stranger.registration())
        floods = [list(statements(stranger, content, _OF_STRANGER)) for stranger in strangers]
        await _times(address, honest, 20)
        gc.freeze()  # as `a2ap serve` does
        without = await _times(address, honest, STATEMENTS)
        statuses: Counter[str] = Counter()
        tasks = [asyncio.create_task(_flood(address, n, flood, statuses)) for n, flood in enumerate(floods)]
        beside = await _times(address, honest, STATEMENTS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    shares = {"median": 0.5, "p95": 0.95}
    return {
        name: {
            "without": round(quantile(without, share), 4),
            "beside": round(quantile(beside, share), 4),
            "ratio": round(quantile(beside, share) / quantile(without, share), 2),
        }
        for name, share in shares.items()
    } | {"statuses": dict(statuses)}


@asynccontextmanager
async def _node(endpoint: Endpoint, friend: BenchAgent, content: bytes) -> AsyncIterator[tuple[Platform, str]]:
    """Serve a new node that endorsed an agent with a source; yield it and its address."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder))
        async with connect_store(endpoint) as store:
            node = load_node(settings.data / "node.key")
            async with platform_on(store, open_content_store(settings), node, settings) as platform:
                registration = friend.registration()
                await prepare(platform, registration, source_registration(friend, content), content)
                endorsement = build_endorsement(
                    endorsement_id="urn:uuid:00000000-0000-4000-8000-000000000000",
                    endorsed_at=NOW,
                    endorsing_agent=platform.node.agent_id,
                    endorsed_agent=friend.description.agent_id,
                    target_hash=read_message(registration).envelope.signed_hash,
                )
                await platform.submit(platform.node.sign(endorsement).envelope.received)
                async with serving(platform, settings) as graphql:
                    yield platform, graphql.removesuffix("/graphql")


async def _times(address: str, honest: Iterator[bytes], number: int) -> list[float]:
    times = []
    async with httpx.AsyncClient(base_url=address, timeout=120, trust_env=False) as client:
        for _ in range(number):
            document = next(honest)
            start = perf_counter()
            answer = await client.post("/statements", content=document)
            times.append(perf_counter() - start)
            answer.raise_for_status()
    return times


async def _flood(address: str, number: int, flood: Sequence[bytes], statuses: Counter[str]) -> None:
    transport = httpx.AsyncHTTPTransport(local_address=f"127.0.0.{number + 2}")
    async with httpx.AsyncClient(base_url=address, timeout=120, transport=transport) as client:
        for start in cycle(range(0, len(flood), 2 * _LINES)):
            single, together = flood[start : start + _LINES], flood[start + _LINES : start + 2 * _LINES]
            for document in single:
                statuses[f"statement {(await client.post('/statements', content=document)).status_code}"] += 1
            for lines in (together, single, [b"{}"] * _LINES):
                answer = await client.post("/statements", content=b"\n".join(lines), headers=_NDJSON)
                statuses[f"body {answer.status_code}"] += 1


if __name__ == "__main__":
    print_measure(measure_flood, __doc__)
