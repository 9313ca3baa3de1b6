"""Statements a second by `submitBatch`: 1,000 in one call, beside one call each."""

import tempfile
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
from neo4j import AsyncGraphDatabase

from a2ap.messages.admission_policy import AdmissionMode, build_admission_policy
from bench.load import empty, prepare
from bench.statements import bench_agent, source, source_registration, statements
from graph.app import create_app
from graph.content.content_store import open_content_store
from graph.database.endpoint import Endpoint
from graph.graphql.submission import MAX_DOCUMENTS
from graph.node import load_node
from graph.platform import Platform, platform_on
from graph.settings import Settings
from graph.store import connect_store

_BATCH = "mutation ($d: [String!]!) { submitBatch(documents: $d) { ... on Receipt { created } } }"
_ONE = "mutation ($d: String!) { submitStatement(document: $d) { ... on Receipt { created } } }"


async def measure_batches(endpoint: Endpoint, calls: int = 200) -> dict[str, Any]:
    """Return the ratio of statements a second in one call ÷ in one call each, one after the other."""
    agent, content = bench_agent(), source(2000)
    documents = [one.decode() for one in statements(agent, content, MAX_DOCUMENTS + calls)]
    async with AsyncGraphDatabase.driver(
        endpoint.uri, auth=(endpoint.user, endpoint.password), notifications_min_severity="OFF"
    ) as driver:
        await empty(driver, endpoint)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder))
        node, objects = load_node(settings.data / "node.key"), open_content_store(settings)
        async with (
            connect_store(endpoint) as store,
            platform_on(store, objects, node, settings) as platform,
            httpx.AsyncClient(
                transport=httpx.ASGITransport(create_app(platform, settings)), base_url="http://bench", timeout=None
            ) as client,
        ):
            await _set_quotas(platform)
            await prepare(platform, agent.registration(), source_registration(agent, content), content)
            # A first call each, so that neither pays for what is compiled and planned once.
            await _timed(client, _ONE, documents[:1])
            each = await _timed(client, _ONE, documents[1:calls])
            batch = await _timed(client, _BATCH, [documents[calls:]])
    ratio = (MAX_DOCUMENTS / batch) / ((calls - 1) / each)
    return {"ratio": round(ratio, 1), "batch": MAX_DOCUMENTS, "calls": calls - 1}


async def _set_quotas(platform: Platform) -> None:
    """Set quotas that count the submissions and are never reached."""
    node = platform.node
    policy = build_admission_policy(
        policy_id=f"urn:uuid:{uuid.uuid4()}",
        issued_at=platform.clock(),
        issuing_agent=node.agent_id,
        mode=AdmissionMode.OPEN,
        quotas={name: {"documents": 10**9, "bytes": 2**50} for name in ("stranger", "address")},
    )
    await platform.submit(node.sign(policy).envelope.received)


async def _timed(client: httpx.AsyncClient, query: str, variables: Sequence[str | list[str]]) -> float:
    started = time.perf_counter()
    for one in variables:
        answer = (await client.post("/graphql", json={"query": query, "variables": {"d": one}})).json()
        results = next(iter(answer["data"].values()))
        if not all(result["created"] for result in (results if isinstance(results, list) else [results])):
            raise SystemExit(str(answer)[:500])
    return time.perf_counter() - started
