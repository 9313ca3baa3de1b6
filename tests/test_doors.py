"""The bare address: a browser is led to GraphiQL, and everything else is told the doors of the node."""

import httpx
import pytest
from http_client import client
from platform_fixture import platform
from served import served

from graph.platform import Platform

__all__ = ["client", "platform"]

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


async def test_a_browser_at_the_bare_address_is_led_to_graphiql(platform: Platform) -> None:
    async with served(platform) as address, httpx.AsyncClient(trust_env=False) as visitor:
        led = await visitor.get(address, headers={"accept": BROWSER})
        page = await visitor.get(address, headers={"accept": BROWSER}, follow_redirects=True)
    assert (led.status_code, led.headers["location"], led.headers["vary"]) == (307, "graphql", "Accept")
    assert (str(page.url), page.status_code) == (f"{address}/graphql", 200)
    assert page.headers["content-type"].startswith("text/html")


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
