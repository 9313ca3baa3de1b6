"""`a2ap mcp` as a process of its own: over stdio and HTTP, with a node that is up or down, and without a start."""

import json
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import httpx2
import pytest
import pytest_asyncio
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_world import (
    CLAIM,
    MINUTES,
    MODES,
    QUOTE,
    ROOT,
    Asked,
    answer_of,
    child,
    client_of,
    http_child,
    new_agent,
    text_of,
)
from platform_fixture import platform
from scenario import hash_of, settle, verified_world
from served import served

from a2ap import AsyncAgent
from a2ap.mcp.errors import ServerError
from a2ap.mcp.http_endpoint import Endpoint
from graph.platform import Platform

__all__ = ["platform"]

TOKEN = "the-token-of-this-test"
START = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
ACCEPTED = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


@pytest_asyncio.fixture
async def agent(platform: Platform, tmp_path: Path) -> AsyncIterator[AsyncAgent]:
    await settle(platform)
    (tmp_path / "minutes.txt").write_bytes(MINUTES)
    async with served(platform) as node, await new_agent(tmp_path, node) as made:
        yield made


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_publishes_over_stdio_after_its_user_has_confirmed(
    agent: AsyncAgent, tmp_path: Path, mode: str
) -> None:
    user = Asked()
    command = child(tmp_path / "clerk.key", agent.node, "--folder", str(tmp_path))
    async with Client(command, elicitation_callback=user, mode=mode) as client:
        arguments = {"claim": CLAIM, "quotes": [QUOTE], "path": "minutes.txt"}
        found = answer_of(await client.call_tool("publish_statement", arguments))
        assert found["created"] and len(user.questions) == 1
        own = await client.call_tool("publish_statement", arguments | {"path": "clerk.key"})
        assert own.is_error and "cannot be published" not in text_of(own) and "can be published" in text_of(own)
        verified = answer_of(await client.call_tool("verify_statement", {"statement": found["signed_hash"]}))
        assert verified["claim"]["text"] == CLAIM


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_publishes_over_http_after_its_user_has_confirmed(
    agent: AsyncAgent, tmp_path: Path, mode: str
) -> None:
    user = Asked()
    async with (
        http_child(tmp_path / "clerk.key", agent.node, "--folder", str(tmp_path)) as address,
        Client(address, elicitation_callback=user, mode=mode) as client,
    ):
        arguments = {"claim": CLAIM, "quotes": [QUOTE], "path": "minutes.txt"}
        assert answer_of(await client.call_tool("publish_statement", arguments))["created"]
    assert len(user.questions) == 1


async def test_a_reader_needs_no_key(platform: Platform, tmp_path: Path) -> None:
    statement = hash_of((await verified_world(platform)).statement)
    async with served(platform) as node:
        command = child(tmp_path / "none.key", node, "--read-only")
        command.args = [one for one in command.args if one not in ("--key", str(tmp_path / "none.key"))]
        async with Client(command) as client:
            assert "publish_statement" not in {tool.name for tool in (await client.list_tools()).tools}
            assert answer_of(await client.call_tool("verify_statement", {"statement": statement}))["proved"]


async def test_another_host_or_origin_is_refused_and_no_page_reads_an_answer(agent: AsyncAgent, tmp_path: Path) -> None:
    async with http_child(tmp_path / "clerk.key", agent.node) as address, httpx.AsyncClient() as http:
        for headers, status in (
            ({}, 200),
            ({"origin": "http://localhost:3000"}, 200),
            ({"host": "evil.example"}, 421),
            ({"host": "127.0.0.1.evil.example"}, 421),
            ({"origin": "https://evil.example"}, 403),
            ({"origin": "null"}, 403),
            ({"origin": "http://localhost.evil.example"}, 403),
            ({"content-type": "text/plain"}, 400),
        ):
            answer = await http.post(address, json=START, headers=ACCEPTED | headers)
            assert answer.status_code == status, headers
            assert not any(name.startswith("access-control-") for name in answer.headers)
        preflight = await http.options(address, headers={"origin": "http://localhost:3000"})
        assert preflight.status_code >= 400
        assert not any(name.startswith("access-control-") for name in preflight.headers)
        assert (await http.post(address, content=b"x" * (2**20 + 1), headers=ACCEPTED)).status_code == 413


async def test_a_token_is_needed_if_one_is_set(agent: AsyncAgent, tmp_path: Path) -> None:
    async with http_child(tmp_path / "clerk.key", agent.node, token=TOKEN) as address:
        async with httpx.AsyncClient() as http:
            for given in (
                None,
                "Bearer wrong",
                TOKEN,
                f"Bearer {TOKEN}x",
                f"Basic {TOKEN}",
                f"bearer {TOKEN}",
                f"Bearer {TOKEN}",
            ):
                headers = ACCEPTED if given is None else ACCEPTED | {"authorization": given}
                answer = await http.post(address, json=START, headers=headers)
                assert answer.status_code == (200 if (given or "").lower() == f"bearer {TOKEN}" else 401), given
                assert TOKEN not in answer.text
        async with (
            httpx2.AsyncClient(headers={"authorization": f"Bearer {TOKEN}"}) as http2,
            Client(streamable_http_client(address, http_client=http2)) as client,
        ):
            assert (await client.list_tools()).tools


@pytest.mark.parametrize(
    ("endpoint", "words"),
    [
        ({"host": "0.0.0.0"}, "A2AP_MCP_TOKEN states the token"),
        ({"host": "0.0.0.0", "token": TOKEN}, "--name states its host names"),
        ({"host": "192.0.2.1", "names": ("a.example",)}, "A2AP_MCP_TOKEN states the token"),
        ({"token": "short"}, "16 or more visible ASCII characters"),
    ],
)
def test_an_endpoint_for_other_machines_needs_a_token_and_a_name(endpoint: dict[str, str], words: str) -> None:
    with pytest.raises(ServerError, match=words):
        Endpoint(**endpoint)  # type: ignore[arg-type]


async def test_a_node_that_is_down_is_an_error_in_one_sentence(
    agent: AsyncAgent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("a2ap.agent.exchange._FIRST_PAUSE", 0.01)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        node = f"http://127.0.0.1:{unused.getsockname()[1]}"
        async with (
            AsyncAgent.load(tmp_path / "clerk.key", node, token=TOKEN) as lost,
            client_of(lost, without_confirmation=True) as client,
        ):
            for tool, arguments in (
                ("consensus_on", {"statement": "sha256:1"}),
                ("trace_evidence", {"statement": "sha256:1"}),
                ("verify_statement", {"statement": "sha256:1"}),
                ("ask", {"question": "What?"}),
                ("search", {"words": "x"}),
                ("blast_radius", {"of": "agent", "name": "urn:agent:x"}),
                ("publish_statement", {"claim": CLAIM, "quotes": [QUOTE], "source": "sha256:1"}),
                ("challenge", {"statement": "sha256:1", "criterion": "source-accuracy", "reason": "No."}),
            ):
                result = await client.call_tool(tool, arguments)
                told = text_of(result)
                assert result.is_error and told.endswith(f"{node} does not answer: connection refused"), told
            for reading in (client.list_resources(), client.read_resource("statement://sha256:1")):
                with pytest.raises(MCPError, match="does not answer: connection refused"):
                    await reading


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no key file: state --key or A2AP_KEY, or --read-only"),
        (["--key", "none.key"], "none.key"),
        (["--read-only", "--folder", "/nowhere"], "/nowhere"),
        (["--read-only", "--node", "ftp://x"], "node is 'ftp://x'"),
        (["--read-only", "--http", "--host", "0.0.0.0"], "A2AP_MCP_TOKEN"),
        (["--read-only", "--log-key", "x"], "x"),
    ],
)
@pytest.mark.parametrize("module", ["graph.cli", "a2ap.mcp"])
def test_a_server_that_cannot_start_says_so_in_one_line(
    tmp_path: Path, module: str, arguments: list[str], words: str
) -> None:
    command = [sys.executable, "-m", module, *(["mcp"] if module == "graph.cli" else []), *arguments]
    environment = {"PATH": "", "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    ended = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert ended.returncode in (1, 2) and ended.stdout == ""
    assert words in ended.stderr and len(ended.stderr.splitlines()) == 1 and ended.stderr.startswith("a2ap: ")


def test_the_process_writes_nothing_but_the_protocol_to_its_output(tmp_path: Path) -> None:
    command = child(tmp_path / "x.key", "http://127.0.0.1:9", "--read-only")
    arguments = [one for one in command.args if one not in ("--key", str(tmp_path / "x.key"))]
    ended = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(tmp_path)},
        input=json.dumps(START) + "\n" + "no JSON\n",
        capture_output=True,
        text=True,
    )
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    assert lines[0]["result"]["serverInfo"]["name"] == "a2ap" and all(line["jsonrpc"] == "2.0" for line in lines)
    assert ended.returncode == 0
