"""An engine that hangs: it keeps its connections and answers nothing, until it goes on."""

import asyncio
import logging
import time

import httpx
import pytest
from builders import signed_registration
from platform_fixture import platform
from process_of import stopped
from scenario import AUTHOR, STRANGER
from served import served

from graph.database.endpoint import Endpoint
from graph.platform import Platform

__all__ = ["platform"]

pytestmark = pytest.mark.both_engines

BOUNDED = 20.0  # seconds in which a submission must have failed
MUTATION = "mutation ($d: String!) { registerAgent(document: $d) { __typename ... on Problem { code } } }"


async def test_readiness_answers_at_once_and_submissions_fail_in_time(
    platform: Platform, engine: Endpoint, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        served(platform) as address,
        httpx.AsyncClient(base_url=address, timeout=BOUNDED, trust_env=False) as client,
    ):
        with stopped(engine), caplog.at_level(logging.WARNING):
            began = time.monotonic()
            ready = await client.get("/readyz")
            assert time.monotonic() - began < BOUNDED / 2, "it waited for the engine"
            assert ready.status_code == 503 and ready.json()["title"] == "The graph database does not answer"
            assert (await client.get("/healthz")).status_code == 200

            document = {"d": signed_registration(STRANGER).decode()}
            one, other, put, told = await asyncio.gather(
                client.post("/agents", content=signed_registration(AUTHOR)),
                client.post("/statements", content=signed_registration(AUTHOR)),
                client.put(f"/sources/sha256:{'0' * 64}", content=b"bytes"),
                client.post("/graphql", json={"query": MUTATION, "variables": document}),
            )
            assert (one.status_code, put.status_code) == (503, 503)
            assert other.status_code in (400, 503)  # it is no statement, or nobody can look
            assert told.json()["data"]["registerAgent"] == {"__typename": "TryLater", "code": "UNAVAILABLE"}
        assert caplog.records and not [record for record in caplog.records if record.exc_info]
        for _ in range(50):
            if (await client.get("/readyz")).status_code == 200:
                break
            await asyncio.sleep(0.2)
        assert (await client.get("/readyz")).status_code == 200
        again = await client.post("/agents", content=signed_registration(AUTHOR))
        assert again.status_code in (200, 201)
