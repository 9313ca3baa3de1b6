"""A node with the demonstration of `a2ap demo`, and the pages that a reader opens from a question to its proof."""

import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import httpx
from rich.console import Console

from bench.load import new_platform
from graph.app import create_app
from graph.cli.server import bind, listening
from graph.database.endpoint import Endpoint
from graph.demo.result import DEFAULT_QUESTION, DemoOptions
from graph.demo.run import run_demo
from graph.platform import utc_now
from graph.settings import Settings

_TOPIC = "Planning Commission voted recommend"
_CLAIM = """query Claim($topic: String!) {
  statements(filter: {topic: $topic, verified: true}, first: 1) { nodes {
    signedHash logIndex
    citations { relevanceScore byteRange { start end } chunk { document { hash } } }
    verifications { machine agent { id } }
  } }
}"""


@dataclass(frozen=True, slots=True)
class Walk:
    """The paths of the pages, in the order in which a reader opens them."""

    home: str
    answer: str
    claim: str
    source: str
    agent: str
    entry: str
    graph: str


@asynccontextmanager
async def serving_demonstration(endpoint: Endpoint, folder: Path) -> AsyncIterator[str]:
    """Empty the database, run the demonstration on a new node, and yield the address of the node."""
    settings = Settings(data=folder)
    async with new_platform(endpoint, settings) as platform:
        ended = platform.subscribers.ended.set
        async with listening(create_app(platform, settings), bind("127.0.0.1", 0), ended, settings) as address:
            silent = Console(file=io.StringIO())
            await run_demo(DemoOptions(folder), address, platform.node, clock=utc_now, console=silent, policy=None)
            yield address


async def find_walk(address: str) -> Walk:
    """Return the walk through the demonstration: from its question to one of the claims that answer it, and on."""
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        answer = await client.post("/graphql", json={"query": _CLAIM, "variables": {"topic": _TOPIC}})
        [claim] = answer.json()["data"]["statements"]["nodes"]
    cited = max(claim["citations"], key=lambda citation: citation["relevanceScore"] or 0)
    start, end = cited["byteRange"]["start"], cited["byteRange"]["end"]
    verifier = next(one["agent"]["id"] for one in claim["verifications"] if not one["machine"])
    return Walk(
        home="/",
        answer=f"/ask?{urlencode({'q': DEFAULT_QUESTION})}",
        claim=f"/statements/{claim['signedHash']}",
        source=f"/sources/{cited['chunk']['document']['hash']}?at={start}#bytes-{start}-{end}",
        agent=f"/agents/{verifier}",
        entry=f"/log/{claim['logIndex']}",
        graph=f"/graph?{urlencode({'of': claim['signedHash']})}",
    )
