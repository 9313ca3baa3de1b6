"""The page on MCP: a client starts the server as the page configures it, and the page names all tools and options."""

import json
import re
from pathlib import Path

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_world import ROOT, answer_of, child, new_agent
from platform_fixture import platform
from scenario import settle
from served import served

from graph.platform import Platform

__all__ = ["platform"]

PAGE = (ROOT / "docs" / "how-to" / "mcp.md").read_text(encoding="utf-8")


async def test_the_configuration_of_the_page_starts_the_server_with_the_tools_of_the_page(
    platform: Platform, tmp_path: Path
) -> None:
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, flags=re.DOTALL)
    stated = json.loads(block.replace("/home/clerk/minutes", str(tmp_path)).replace("/home/clerk", str(tmp_path)))
    server = stated["mcpServers"]["a2ap"]
    assert server["command"] == "a2ap" and server["args"][0] == "mcp"
    await settle(platform)
    async with served(platform) as node, await new_agent(tmp_path, node):
        start = child(tmp_path / "clerk.key", node)
        environment = {**server["env"], "A2AP_URL": node, **(start.env or {})}
        arguments = ["-m", "graph.cli", *server["args"]]
        command = StdioServerParameters(command=start.command, args=arguments, env=environment, cwd=ROOT)
        async with Client(command) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert tools == set(re.findall(r"^\| `([a-z_]+)` \|", PAGE, flags=re.MULTILINE))
            assert answer_of(await client.call_tool("search", {"words": "limit"}))["hits"] == []
            templates = {one.uri_template for one in (await client.list_resource_templates()).resource_templates}
            assert {one.partition("://")[0] for one in templates} == set(re.findall(r"`([a-z]+)://HASH`", PAGE))


@pytest.mark.parametrize(
    "option", ["--folder", "--read-only", "--sign-without-confirmation", "--log-key", "--name", "--http"]
)
def test_the_page_describes_the_options_that_matter(option: str) -> None:
    assert option in PAGE
