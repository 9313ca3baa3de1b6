"""The pages of a node with the demonstration: the time that the node takes, the weight, and the time until they answer.

The node and Chromium share the machine, and nothing slows the connection between them.
"""

import asyncio
import json
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from bench.demonstration import find_walk, serving_demonstration
from bench.views import PageView, view_twice
from build_web import build
from graph.database.endpoint import Endpoint

BUDGET = 200_000
"""The most bytes of the first view of a page, as they are sent."""

_REQUESTS = 15
_VISITS = 5
_QUERY_LINK = '<a href="'


async def measure_web_pages(endpoint: Endpoint, requests: int = _REQUESTS, visits: int = _VISITS) -> dict[str, Any]:
    """Return the figures of each page of the walk, medians of the requests and of the visits.

    `node`: milliseconds until the page has arrived at a client without a browser, and `ratio`: the same ÷ those of the
    GraphQL query behind the page alone. `first` and `second` view: the bytes by kind, and milliseconds until the first
    paint and until the scripts have made the page interactive.
    """
    build()
    with tempfile.TemporaryDirectory() as folder:
        async with serving_demonstration(endpoint, Path(folder) / "node") as address:
            walk = asdict(await find_walk(address))
            found: dict[str, Any] = {}
            async with httpx.AsyncClient(base_url=address, timeout=60) as client:
                for name, path in walk.items():
                    found[name] = await _time_page(client, path.partition("#")[0], requests)
            views = await asyncio.to_thread(_visit, address, walk, visits, Path(folder) / "profile")
            return {"visits": visits, "pages": {name: {**found[name], **views[name]} for name in walk}}


async def _time_page(client: httpx.AsyncClient, path: str, requests: int) -> dict[str, float]:
    async def page() -> httpx.Response:
        return await client.get(path, headers={"accept": "text/html"})

    query = _query_behind((await page()).raise_for_status().text)

    async def data() -> httpx.Response:
        return await client.post("/graphql", json=query)

    alone = await _median_time(data, requests)
    node = await _median_time(page, requests)
    return {"node": round(node * 1000, 1), "ratio": round(node / alone, 2)}


def _query_behind(page: str) -> dict[str, Any]:
    """Return the GraphQL request that a page links to as its query."""
    link = next(part for part in page.split(_QUERY_LINK) if "The query behind this page" in part)
    stated = parse_qs(urlsplit(link.partition('"')[0].replace("&amp;", "&")).query)
    return {"query": stated["q"][0], "variables": json.loads(stated["v"][0])}


async def _median_time(request: Callable[[], Awaitable[httpx.Response]], requests: int) -> float:
    times = []
    await request()  # what is read once is read by then
    for _ in range(requests):
        started = time.perf_counter()
        (await request()).raise_for_status()
        times.append(time.perf_counter() - started)
    return median(times)


def _visit(address: str, walk: dict[str, str], visits: int, profile: Path) -> dict[str, dict[str, Any]]:
    from chromium import chromium  # of the tests, whose folder `bench.__main__` adds

    with chromium(profile) as browser:
        return {name: _views(address + path, visits, browser) for name, path in walk.items()}


def _views(address: str, visits: int, browser: Any) -> dict[str, Any]:
    pairs = [view_twice(browser, address) for _ in range(visits)]
    return {"first": _summary([pair[0] for pair in pairs]), "second": _summary([pair[1] for pair in pairs])}


def _summary(views: list[PageView]) -> dict[str, Any]:
    kinds = views[0].transferred
    return {
        "bytes": {kind: round(median(view.transferred[kind] for view in views)) for kind in kinds},
        "painted": round(median(view.painted for view in views)),
        "interactive": round(median(view.interactive for view in views)),
    }
