"""Servers that share a graph leave one log: no gap, nothing twice, and every receipt says what is there."""

import asyncio
import json
import os
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import writer_process
from builders import signed_registration
from servers import log_of, receipts_of, server, server_on
from writer_process import BATCH, SHARED, claims

from a2ap.log.entry import LogEntry
from graph.database.endpoint import Endpoint
from graph.errors import LogMismatchError
from graph.log.entry import Receipt
from graph.platform import Platform
from graph.store import Store
from graph.submission.rebuild import read_entries
from graph.transparency.graph_entries import entries_between

EACH = 150
PROCESSES = 40


async def append_all(platform: Platform, seed: int, count: int) -> list[Receipt]:
    receipts = receipts_of(await platform.submit_many([signed_registration(seed), signed_registration(SHARED)]))
    for first in range(0, count, BATCH):
        receipts += receipts_of(await platform.submit_many(claims(seed, first)))
        if first < 50:
            receipts += receipts_of(await platform.submit_many(claims(SHARED, first)))
    return receipts


async def test_two_servers_leave_one_log(store: Store, engine: Endpoint, tmp_path: Path) -> None:
    """They also found the graph together: both come to an empty one, with one data folder and no key in it yet."""

    async def serve(seed: int) -> list[Receipt]:
        async with server(engine, tmp_path) as platform:
            return await append_all(platform, seed, EACH)

    first, second = await asyncio.gather(serve(1), serve(2))
    entries = await log_of(store)
    assert all(entries[receipt.entry.log_index] == receipt.entry for receipt in (*first, *second))
    # The node's registration and policy, three agents, and each statement with the machine's verdict on it.
    assert len(entries) == 2 + 3 + 2 * (2 * EACH + 50)
    made = Counter(receipt.entry.log_index for receipt in (*first, *second) if receipt.created)
    assert set(made.values()) == {1}


class Committing:
    """A store that shows the end of a batch first, as the embedded engine may while it commits."""

    def __init__(self, store: Store, times: int) -> None:
        self._store = store
        self._times = times

    async def read(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        self._times -= 1
        rows = await self._store.read(name, **parameters)
        return rows[2:] if self._times >= 0 else rows


async def test_entries_of_a_batch_that_is_seen_in_part_are_read_again(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as platform:
        await append_all(platform, 1, 2)
    entries = await entries_between(store, 0, 100)
    assert len(entries) > 4 and await entries_between(Committing(store, 2), 0, 100) == entries
    with pytest.raises(LogMismatchError, match="entry 0 is missing from the graph; entry 2 follows"):
        await entries_between(Committing(store, 100), 0, 100)


async def test_two_processes_leave_one_log(store: Store, engine: Endpoint, tmp_path: Path) -> None:
    env = os.environ | {"A2AP_DATA": str(tmp_path)}
    if engine.kind == "neo4j":
        env |= {"NEO4J_URI": engine.uri, "NEO4J_USER": engine.user, "NEO4J_PASSWORD": engine.password}
        env |= {"NEO4J_DATABASE": engine.database}
    else:
        env |= {"A2AP_TEST_ENDPOINT": json.dumps(asdict(engine))}

    async def process(seed: int) -> list[tuple[bool, LogEntry]]:
        command = (sys.executable, writer_process.__file__, str(seed), str(PROCESSES))
        child = await asyncio.create_subprocess_exec(
            *command, env=env, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
        )
        printed, _ = await child.communicate()
        assert child.returncode == 0
        lines = printed.decode().splitlines()
        return [(json.loads(line).pop("created"), entry) for line, entry in zip(lines, entries_in(lines), strict=True)]

    first, second = await asyncio.gather(process(1), process(2))
    entries = await log_of(store)
    assert all(entries[entry.log_index] == entry for _, entry in (*first, *second))
    assert len(entries) == 2 + 3 + 2 * (3 * PROCESSES)
    made = Counter(entry.log_index for created, entry in (*first, *second) if created)
    assert set(made.values()) == {1}


def entries_in(lines: list[str]) -> list[LogEntry]:
    return list(read_entries(lines))


async def test_a_large_batch_is_not_starved_by_small_ones(store: Store, engine: Endpoint, tmp_path: Path) -> None:
    async with server(engine, tmp_path) as busy, server(engine, tmp_path) as large:
        await busy.submit_many([signed_registration(1), signed_registration(2)])
        done = asyncio.Event()

        async def keep_busy() -> None:
            documents = iter(document for first in range(0, 10_000, BATCH) for document in claims(1, first))
            while not done.is_set():
                await busy.submit(next(documents))

        neighbour = asyncio.create_task(keep_busy())
        documents = [document for first in range(0, 60, BATCH) for document in claims(2, first)]
        receipts = receipts_of(await large.submit_many(documents))
        done.set()
        await neighbour
    entries = await log_of(store)
    assert all(entries[receipt.entry.log_index] == receipt.entry for receipt in receipts)
