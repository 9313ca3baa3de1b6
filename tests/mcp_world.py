"""A node with a statement, and MCP clients of the server of an agent there, for the tests of `a2ap mcp`."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from mcp import Client
from mcp.client import ClientRequestContext
from mcp.client.session import ElicitationFnT
from mcp.client.stdio import StdioServerParameters
from mcp.types import CallToolResult, ElicitRequestParams, ElicitResult, TextContent

from a2ap import AsyncAgent
from a2ap.mcp.access import Access
from a2ap.mcp.folders import Folders
from a2ap.mcp.node_reader import NodeReader
from a2ap.mcp.server import AgentServer

T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent

MINUTES = b"The clerk opened the meeting.\nThe council voted five to two to keep the height limit at forty feet.\n"
QUOTE = "keep the height limit at forty feet"
CLAIM = "The height limit stays at forty feet."

MODES = ("legacy", "auto")
"""The two ways of MCP to start: the handshake up to 2025-11-25, and none since 2026-07-28."""


@dataclass
class Asked:
    """A user who gives one answer to every question, and the questions."""

    action: str = "accept"
    sign: bool = True
    questions: list[str] = field(default_factory=list)

    async def __call__(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        self.questions.append(params.message)
        content = {"sign": self.sign} if self.action == "accept" else None
        return ElicitResult.model_validate({"action": self.action, "content": content})


async def new_agent(folder: Path, node: str, name: str = "clerk") -> AsyncAgent:
    """Return a registered agent whose key is a file of the folder."""
    agent = AsyncAgent.create(folder / f"{name}.key", name=f"The {name}", publisher="Council", node=node)
    await agent.register()
    return agent


@asynccontextmanager
async def client_of(
    agent: AsyncAgent,
    *,
    folders: Folders | None = None,
    user: ElicitationFnT | None = None,
    mode: str = "auto",
    **settings: Any,
) -> AsyncIterator[Client]:
    """Yield a client of the agent's server in this process."""
    async with NodeReader(agent.node) as reader:
        server = AgentServer(Access(agent, reader, folders or Folders(), **settings))
        async with Client(server, elicitation_callback=user, mode=mode) as client:
            yield client


@asynccontextmanager
async def in_own_task(opening: AbstractAsyncContextManager[T]) -> AsyncIterator[T]:
    """Open and close something in one task: a fixture is set up in one and torn down in another."""
    opened: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    done = asyncio.Event()

    async def hold() -> None:
        async with opening as value:
            opened.set_result(value)
            await done.wait()

    task = asyncio.create_task(hold())
    waiting: list[asyncio.Future[Any]] = [task, opened]
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    try:
        if task.done():
            task.result()
        yield await opened
    finally:
        done.set()
        await task


def child(key: Path, node: str, *arguments: str) -> StdioServerParameters:
    """Return the command of a server in a process of its own."""
    command = ["-m", "graph.cli", "mcp", "--key", str(key), "--node", node, *arguments]
    return StdioServerParameters(command=sys.executable, args=command, env={"PYTHONPATH": str(ROOT)}, cwd=ROOT)


@asynccontextmanager
async def http_child(key: Path, node: str, *arguments: str, token: str | None = None) -> AsyncIterator[str]:
    """Start a server over HTTP in a process of its own, and yield its address."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)} | ({} if token is None else {"A2AP_MCP_TOKEN": token})
    command = ["-m", "graph.cli", "mcp", "--key", str(key), "--node", node, "--http", "--port", "0", *arguments]
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, cwd=ROOT, env=environment, stderr=asyncio.subprocess.PIPE
    )
    try:
        assert process.stderr is not None
        said = (await process.stderr.readline()).decode().strip()
        assert said.startswith("MCP at http://127.0.0.1:"), said
        yield said.removeprefix("MCP at ")
    finally:
        process.terminate()
        await process.communicate()


def text_of(result: CallToolResult) -> str:
    """Return the text of a tool's answer."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def answer_of(result: CallToolResult) -> dict[str, Any]:
    """Return the structured answer of a tool that did not fail."""
    assert not result.is_error, text_of(result)
    assert result.structured_content is not None
    found: dict[str, Any] = result.structured_content
    return found
