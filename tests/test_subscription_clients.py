"""The clients that others use, from npm, and our own: they follow the log, lose the server, and go on from there."""

import asyncio
import json
import os
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from builders import signed_registration
from npm_tool import NoNpmError, install
from platform_fixture import platform
from scenario import accept

from graph.app import create_app
from graph.cli.server import bind, listening
from graph.platform import Platform

__all__ = ["platform"]

SOURCE = Path(__file__).parent / "graphql_clients"
CLIENTS = ("graphql-sse", "graphql-ws", "EventSource", "a2ap log watch")
PATIENCE = 120  # seconds in which all clients must have heard


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return install(SOURCE, tmp_path_factory.mktemp("npm"))
    except NoNpmError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


async def test_clients_from_npm_miss_nothing_when_the_server_is_started_again(
    platform: Platform, clients: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.http.event_stream.KEEP_ALIVE", 0.1)
    app, ended, port = create_app(platform, platform.settings), platform.subscribers.ended, 0
    start = platform.log.size
    heard: defaultdict[str, list[int]] = defaultdict(list)
    async with listening(app, bind("127.0.0.1", 0), ended.set) as address:
        port = int(address.rpartition(":")[2])
        follower = await asyncio.create_subprocess_exec(
            "node", "follow.mjs", f"{address}/graphql", cwd=clients, stdout=asyncio.subprocess.PIPE
        )
        assert follower.stdout is not None
        watch = ("-m", "graph.cli", "watch", "log", "--json", "--url", address)
        ours = await asyncio.create_subprocess_exec(sys.executable, *watch, stdout=asyncio.subprocess.PIPE)
        assert ours.stdout is not None
        async with asyncio.timeout(PATIENCE):
            while platform.subscribers.count < len(CLIENTS):
                await asyncio.sleep(0.05)
            await asyncio.sleep(0.6)  # so that signs of life come before the first event
            await accept(platform, *(signed_registration(number) for number in range(1, 6)))
            await hear(follower.stdout, heard, platform.log.size - start)
    await accept(platform, *(signed_registration(number) for number in range(6, 11)))
    ended.clear()
    try:
        async with listening(app, bind("127.0.0.1", port), ended.set), asyncio.timeout(PATIENCE):
            await accept(platform, *(signed_registration(number) for number in range(11, 13)))
            await hear(follower.stdout, heard, platform.log.size - start)
            while len(heard["a2ap log watch"]) < platform.log.size - start:
                told = json.loads(await ours.stdout.readline())["log"]
                heard["a2ap log watch"] += [entry["logIndex"] for entry in told["entries"]]
    finally:
        for process in (follower, ours):
            process.kill()
            await process.wait()
    assert heard.pop("complete") == [0]
    assert heard == {client: list(range(start, platform.log.size)) for client in CLIENTS}


async def hear(output: asyncio.StreamReader, heard: defaultdict[str, list[int]], entries: int) -> None:
    """Take what the clients print until each has told of so many entries."""
    while not all(len(heard[client]) >= entries for client in CLIENTS[:-1]):
        line = await output.readline()
        assert line, "the clients have ended"
        told = json.loads(line)
        if told.get("complete"):
            assert told["client"] == "query"
            heard["complete"].append(0)
        else:
            heard[told["client"]] += told["entries"]
