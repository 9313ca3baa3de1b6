"""Two servers on one graph, over HTTP and under load, one killed in the middle: one log, one line of checkpoints.

They share a data folder, as servers on one machine or on one network file system do.
"""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

import httpx
import pytest
from builders import SOURCE, signed_registration, signed_source
from http_client import OPERATOR

from a2ap.canonical import sha256_digest
from a2ap.log.checkpoint import open_checkpoint
from a2ap.log.signed_note import VerifierKey
from faults.checks import find_problems
from faults.engines import EmbeddedEngine
from faults.load import EVERYBODY, Load, Receipt
from faults.process import Server, start_server
from faults.proofs import Proofs, roots_of
from graph.content.content_store import open_content_store
from graph.database.endpoint import Endpoint
from graph.settings import Settings
from graph.store import Store, open_store

ENOUGH = 60  # answers of each server before one is killed, and of the other one after that
PATIENCE = 550.0  # seconds


@pytest.mark.parametrize("engine", ["neo4j"], indirect=True)
async def test_two_servers_on_one_neo4j_keep_one_log(store: Store, engine: Endpoint, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data", neo4j_uri=engine.uri, neo4j_password=engine.password)
    variables = {"NEO4J_URI": engine.uri, "NEO4J_USER": engine.user, "NEO4J_PASSWORD": engine.password}
    await serve_twice(settings, variables | {"NEO4J_DATABASE": engine.database})


async def test_two_servers_on_one_embedded_engine_keep_one_log(tmp_path: Path) -> None:
    engine, data = EmbeddedEngine(), tmp_path / "data"
    try:
        await serve_twice(engine.settings(data), engine.variables())
    finally:
        await engine.clear(data)


async def serve_twice(settings: Settings, variables: Mapping[str, str]) -> None:
    # While one of the two waits for the other, that one would use up the quota of their one address.
    variables = {**variables, "A2AP_OPERATOR_TOKEN": OPERATOR}
    servers = [await start_server(settings.data, variables, name) for name in ("first", "second")]
    try:
        async with asyncio.timeout(PATIENCE):
            await check(settings, variables, servers)
    finally:
        for server in servers:
            server.kill()
            await server.wait()


async def check(settings: Settings, variables: Mapping[str, str], servers: list[Server]) -> None:
    await asyncio.gather(*(server.wait_until_it_serves() for server in servers))
    receipts = await prepare(servers[0].address)
    loads = [Load(server.address, f"server {number}", [], token=OPERATOR) for number, server in enumerate(servers)]
    seen: list[list[str]] = [[], []]
    running = [asyncio.create_task(load.run()) for load in loads]
    running += [asyncio.create_task(watch(load, notes)) for load, notes in zip(loads, seen, strict=True)]

    await until(lambda: all(load.answered >= ENOUGH for load in loads))
    servers[0].kill()
    answered = loads[1].answered
    await until(lambda: loads[1].answered >= answered + ENOUGH)
    loads[1].stop()
    await asyncio.gather(*running)
    servers[0] = await start_server(settings.data, variables, "first again")
    await servers[0].wait_until_it_serves()

    receipts += [sent.receipt for load in loads for sent in load.sent if sent.receipt is not None]
    assert all(sent.receipt is not None for sent in loads[1].sent)
    key = VerifierKey.parse((await get(servers[0].address, "/.well-known/a2ap")).json()["logKey"])
    served = [(await get(server.address, "/log/checkpoint")).text for server in servers]
    async with open_store(settings) as store:
        problems, entries = await find_problems(store, open_content_store(settings), receipts, 0)
    problems += Proofs(key).find_problems(receipts, entries, served[0])
    assert problems == []
    roots = roots_of(entries)
    for notes in (seen[0], seen[1], served):
        checkpoints = [open_checkpoint(note, key) for note in notes]
        sizes = [checkpoint.tree_size for checkpoint in checkpoints]
        assert sizes == sorted(sizes)
        assert [checkpoint.root_hash for checkpoint in checkpoints] == [roots[size] for size in sizes]
    assert sizes == [len(entries)] * 2


async def prepare(address: str) -> list[Receipt]:
    """Register the agents of the load and the source that they cite."""
    receipts = []
    documents = {"/agents": [signed_registration(agent) for agent in EVERYBODY], "/sources": [signed_source()]}
    async with httpx.AsyncClient(base_url=address, trust_env=False, timeout=PATIENCE) as http:
        for path, some in documents.items():
            for document in some:
                receipts.append((await http.post(path, content=document)).raise_for_status().json())
        (await http.put(f"/sources/{sha256_digest(SOURCE)}", content=SOURCE)).raise_for_status()
    return receipts


async def watch(load: Load, notes: list[str]) -> None:
    """Collect the checkpoints that a server gives out, for as long as it is there and under load."""
    while not load.stopped:
        try:
            notes.append((await get(load.address, "/log/checkpoint")).text)
        except httpx.TransportError:
            return
        await asyncio.sleep(0.05)


async def get(address: str, path: str) -> httpx.Response:
    async with httpx.AsyncClient(base_url=address, trust_env=False, timeout=PATIENCE) as http:
        return (await http.get(path)).raise_for_status()


async def until(has_come: Callable[[], bool]) -> None:
    while not has_come():
        await asyncio.sleep(0.01)
