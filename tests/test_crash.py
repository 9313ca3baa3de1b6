"""Killed in the middle of writing: what was acknowledged is in the graph, in the log and in the content store."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

import pytest
import writer_process
from graph_contents import nodes_with_label
from quick_java import QUICK
from servers import log_of, server

from a2ap.canonical import sha256_digest
from a2ap.log.entry import LogEntry
from graph.database.endpoint import Endpoint
from graph.engine.files import EngineFolder
from graph.engine.process import start_time
from graph.platform import Platform, open_platform
from graph.settings import Settings
from graph.store import Store
from graph.submission.rebuild import read_entries

ENOUGH = 100


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """Yield a data folder; an engine that a test leaves behind is killed."""
    yield tmp_path
    running = EngineFolder(tmp_path / "engine").running()
    if running is not None and start_time(running.pid) == running.started:
        os.kill(running.pid, signal.SIGKILL)


async def write_and_be_killed(env: Mapping[str, str], data: Path, seed: int, *, engine: bool = False) -> list[LogEntry]:
    """Return the receipts that a server printed until it was killed, perhaps together with its engine."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, writer_process.__file__, str(seed), "0"),
        env={**os.environ, **env, "A2AP_DATA": str(data)},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
    )
    assert child.stdout is not None
    lines = [await child.stdout.readline() for _ in range(ENOUGH)]
    if engine:
        running = EngineFolder(data / "engine").running()
        assert running is not None
        os.kill(running.pid, signal.SIGKILL)
    child.kill()
    lines += (await child.stdout.read()).splitlines(keepends=True)
    assert await child.wait() == -signal.SIGKILL
    return list(read_entries(line.decode() for line in lines if line.endswith(b"\n")))


async def check_acknowledged(platform: Platform, acknowledged: list[LogEntry]) -> None:
    entries = await log_of(platform.store)
    assert len(acknowledged) >= ENOUGH
    assert all(entries[entry.log_index] == entry for entry in acknowledged)
    for entry in entries:
        assert sha256_digest(await platform.content.get(entry.document_hash)) == entry.document_hash
    stored = {node["signed_hash"] for node in await nodes_with_label(platform.store, "Statement")}
    assert stored == {entry.signed_hash for entry in entries if entry.type == "ProvenanceStatement"}


async def test_a_server_that_is_killed_loses_nothing_acknowledged(
    store: Store, engine: Endpoint, tmp_path: Path
) -> None:
    endpoint = {"A2AP_TEST_ENDPOINT": json.dumps(asdict(engine))}
    acknowledged = await write_and_be_killed(endpoint, tmp_path, 1)
    async with server(engine, tmp_path) as platform:
        await check_acknowledged(platform, acknowledged)


@pytest.mark.parametrize("engine_too", [False, True])
async def test_the_next_server_finds_or_starts_the_engine_of_one_that_was_killed(data: Path, engine_too: bool) -> None:
    embedded = {"NEO4J_URI": "", "A2AP_ENGINE_HEAP": "256m", "A2AP_ENGINE_OPTIONS": " ".join(QUICK)}
    acknowledged = await write_and_be_killed(embedded, data, 1, engine=engine_too)
    async with open_platform(Settings(data=data, engine_heap="256m", engine_options=QUICK)) as platform:
        await check_acknowledged(platform, acknowledged)
