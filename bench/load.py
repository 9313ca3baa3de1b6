"""P1: bulk load of signed statements through the platform, beside the raw driver writing the same rows."""

import gc
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from neo4j import AsyncDriver, AsyncGraphDatabase

from bench.recorder import RecordingStore, write_raw
from bench.statements import bench_agent, source, source_registration, statements
from graph.content.content_store import open_content_store
from graph.database.endpoint import Endpoint
from graph.node import load_node
from graph.platform import Platform, platform_on
from graph.settings import Settings
from graph.store import connect_store


async def measure_load(endpoint: Endpoint, count: int, rounds: int = 2) -> dict[str, Any]:
    """Return the ratio platform ÷ raw driver, statements per second over the same rows, best of the rounds each.

    Signatures, hashes, the machine's check against the held source, its signed verdict, the log and the content store
    are all in the platform's time; signing the statements is not. `appends` is the time of the raw driver over that of
    `log.integrate` alone: leaves, tiles, a signed and durably stored checkpoint for each transaction. Writing an entry
    into the graph is not in `appends`; it is in the ratio.
    """
    agent, content = bench_agent(), source(2000)
    documents = list(statements(agent, content, count))
    # As `a2ap serve` does once it is there.
    gc.freeze()
    platform_times, log_times, raw_times = [], [], []
    async with AsyncGraphDatabase.driver(
        endpoint.uri, auth=(endpoint.user, endpoint.password), notifications_min_severity="OFF"
    ) as driver:
        for _ in range(rounds):
            await empty(driver, endpoint)
            with tempfile.TemporaryDirectory() as folder:
                settings = Settings(data=Path(folder))
                async with connect_store(endpoint) as store:
                    recording = RecordingStore(store)
                    node = load_node(settings.data / "node.key")
                    objects = open_content_store(settings)
                    async with platform_on(recording, objects, node, settings) as platform:  # type: ignore[arg-type]
                        await prepare(platform, agent.registration(), source_registration(agent, content), content)
                        before = len(recording.transactions)
                        integrate = Stopwatch(platform.log.integrate)
                        platform.log.integrate = integrate  # type: ignore[method-assign, assignment]
                        platform_times.append(await timed_load(platform, documents))
                        log_times.append(integrate.seconds)
                        written = recording.transactions[before:]
                        prepared = recording.transactions[:before]
            await empty(driver, endpoint)
            await write_raw(driver, endpoint.database, prepared)
            started = time.perf_counter()
            await write_raw(driver, endpoint.database, written)
            raw_times.append(time.perf_counter() - started)
    best, log, raw = min(platform_times), min(log_times), min(raw_times)
    return {"ratio": round(raw / best, 3), "appends": round(raw / log, 1), "statements": count, "rounds": rounds}


class Stopwatch:
    """A coroutine function with the total time of its calls."""

    def __init__(self, timed: Callable[..., Awaitable[None]]) -> None:
        self.seconds = 0.0
        self._timed = timed

    async def __call__(self, *arguments: Any) -> None:
        """Call it."""
        started = time.perf_counter()
        await self._timed(*arguments)
        self.seconds += time.perf_counter() - started


@asynccontextmanager
async def new_platform(endpoint: Endpoint, settings: Settings) -> AsyncIterator[Platform]:
    """Empty the database, and yield the platform of a new node."""
    auth = (endpoint.user, endpoint.password)
    async with AsyncGraphDatabase.driver(endpoint.uri, auth=auth, notifications_min_severity="OFF") as driver:
        await empty(driver, endpoint)
    async with connect_store(endpoint) as store:
        node, objects = load_node(settings.data / "node.key"), open_content_store(settings)
        async with platform_on(store, objects, node, settings) as platform:
            yield platform


@asynccontextmanager
async def prepared_platform(endpoint: Endpoint, settings: Settings, content: bytes) -> AsyncIterator[Platform]:
    """Empty the database, and yield a new node's platform with the first agent and this source."""
    agent = bench_agent()
    async with new_platform(endpoint, settings) as platform:
        await prepare(platform, agent.registration(), source_registration(agent, content), content)
        yield platform


async def prepare(platform: Platform, registration: bytes, source_registration: bytes, content: bytes) -> None:
    """Register the agent and the source, and upload the source's bytes."""
    await platform.submit(registration)
    await platform.submit(source_registration)

    async def chunks() -> Any:
        yield content

    from a2ap.canonical import sha256_digest

    await platform.sources.put(sha256_digest(content), chunks())


async def timed_load(platform: Platform, documents: list[bytes]) -> float:
    """Submit documents together, each of which must be accepted; return the seconds."""
    started = time.perf_counter()
    for outcome in await platform.submit_many(documents):
        if isinstance(outcome, Exception):
            raise outcome
    return time.perf_counter() - started


async def empty(driver: AsyncDriver, endpoint: Endpoint) -> None:
    """Delete everything in the database, in steps."""
    query = "MATCH (n) WITH n LIMIT 10000 DETACH DELETE n RETURN count(n) AS deleted"
    deleted = 1
    while deleted:
        result = await driver.execute_query(query, database_=endpoint.database)
        deleted = result.records[0]["deleted"]


def now() -> str:
    """Return the time of the measurement, for the results file."""
    return datetime.now(UTC).isoformat(timespec="seconds")
