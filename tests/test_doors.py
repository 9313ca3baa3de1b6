"""The bare address: a browser gets the home page, and everything else is told the doors of the node."""

import httpx
import pytest
from http_client import client
from page_reader import BROWSER
from platform_fixture import platform
from served import served

from graph.platform import Platform

__all__ = ["client", "platform"]


async def test_a_browser_at_the_bare_address_gets_the_home_page(platform: Platform) -> None:
    async with served(platform) as address, httpx.AsyncClient(trust_env=False) as visitor:
        page = await visitor.get(address, headers={"accept": BROWSER})
        head = await visitor.head(address, headers={"accept": BROWSER})
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "Ask about the claims" in page.text and "Accept" in page.headers["vary"]
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == page.headers["content-type"]


@pytest.mark.parametrize("accept", ["*/*", "application/json"])
async def test_whatever_is_no_browser_is_told_the_doors(
    platform: Platform, client: httpx.AsyncClient, accept: str
) -> None:
    answer = await client.get("/", headers={"accept": accept})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    doors = answer.json()["doors"]
    known = (await client.get("/.well-known/a2ap")).json()["doors"]
    assert doors == {"node": "/.well-known/a2ap"} | known


async def test_every_door_that_is_told_is_one_of_the_described_routes(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    routes = (await client.get("/openapi.json")).json()["paths"]
    doors = {path.partition("{")[0] for path in (await client.get("/")).json()["doors"].values()}
    assert {door for door in doors if not any(route.startswith(door) for route in routes)} == {"/openapi.json"}


async def test_who_wants_neither_a_page_nor_json_is_told_what_there_is(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    answer = await client.get("/", headers={"accept": "image/png"})
    assert (answer.status_code, answer.json()["code"]) == (406, "NOT_ACCEPTABLE")
