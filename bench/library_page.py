"""P3 beside `@neo4j/graphql`: the same page by that library, in Node, from the same Neo4j with the same data.

The two do different work. The library turns the selection into one Cypher query and returns the contents of the graph.
It has no clearance, no signature, and no score but the number on the node. Ours compares the class of each source with
the reader's clearance, names withheld parts with the reason, reads received bytes if a field needs them, and returns
pages under stable cursors.
"""

import asyncio
import json
import os
import shutil
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from graph.database.endpoint import Endpoint

FOLDER = Path(__file__).parent / "neo4j_graphql"
PAGE = (FOLDER / "page.graphql").read_text(encoding="utf-8")

_PATIENCE = 120.0  # seconds until it serves; making its schema takes some


class NoLibraryError(Exception):
    """The library cannot be installed or started; the message says why."""


@asynccontextmanager
async def serving_library(endpoint: Endpoint, folder: Path) -> AsyncIterator[str]:
    """Serve the graph by the library on a free port of the loopback; yield the address. Raises `NoLibraryError`.

    npm installs exactly the versions of the lockfile, into `folder`.
    """
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        raise NoLibraryError("there is no npm, or no Node")
    copy = shutil.copytree(FOLDER, folder / "neo4j_graphql", ignore=shutil.ignore_patterns("node_modules"))
    installing = await asyncio.create_subprocess_exec(npm, "ci", cwd=copy, stdout=DEVNULL, stderr=PIPE)
    _, said = await installing.communicate()
    if installing.returncode:
        raise NoLibraryError(f"npm does not get it: {said.decode(errors='replace').strip()[-500:]}")
    environment = {
        **os.environ,
        "NODE_ENV": "production",
        "NEO4J_URI": endpoint.uri,
        "NEO4J_USER": endpoint.user,
        "NEO4J_PASSWORD": endpoint.password,
        "NEO4J_DATABASE": endpoint.database,
    }
    server = await asyncio.create_subprocess_exec(
        node, "server.mjs", cwd=copy, env=environment, stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    assert server.stdin is not None and server.stdout is not None and server.stderr is not None
    try:
        line = await asyncio.wait_for(server.stdout.readline(), _PATIENCE)
        if not line:
            raise NoLibraryError(f"it does not start: {(await server.stderr.read()).decode(errors='replace')[-500:]}")
        yield str(json.loads(line)["url"])
    except TimeoutError as error:
        raise NoLibraryError(f"it does not serve within {_PATIENCE:g} seconds") from error
    finally:
        if server.returncode is None:
            server.kill()
        await server.wait()


async def check_same(address: str, ours: str, page: str, first: int) -> None:
    """Check that both return the same statements, citations and verdicts; raises `NoLibraryError` otherwise."""
    async with httpx.AsyncClient(timeout=60) as client:
        theirs = [
            _told(one, "citationsConnection") for one in (await _asked(client, address, PAGE, first))["statements"]
        ]
        nodes = (await _asked(client, ours, page, first))["statements"]["nodes"]
    if theirs != [_told(one, "citations") for one in nodes]:
        raise NoLibraryError("it gives another page")


async def _asked(client: httpx.AsyncClient, address: str, query: str, first: int) -> dict[str, Any]:
    answer = await client.post(address, json={"query": query, "variables": {"first": first}})
    told = answer.json()
    if "errors" in told:
        raise NoLibraryError(f"{address} says {json.dumps(told['errors'])[:500]}")
    return dict(told["data"])


def _told(statement: dict[str, Any], citations: str) -> tuple[str, int, list[str]]:
    cited = statement[citations]
    count = len(cited["edges"] if isinstance(cited, dict) else cited)
    return statement["id"], count, sorted(one["id"] for one in statement["verifications"])
