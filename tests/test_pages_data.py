"""The data of a page as JSON: at addresses that have no other resource."""

import httpx
import pytest
from builders import agent_id
from http_client import client
from page_reader import BROWSER, open_page
from platform_fixture import platform
from scenario import AUTHOR, verified_world

from graph.platform import Platform

__all__ = ["client", "platform"]

JSON = {"accept": "application/json"}


@pytest.mark.parametrize(
    ("address", "member"),
    [
        ("/agents?name=Test+agent+1", "agents"),
        ("/statements?verified=yes", "statements"),
        ("/disputes", "contradictions"),
        ("/log", "logEntries"),
        ("/log/compare?from=2&to=3", "log"),
        ("/records", "passports"),
        ("/topics", "topics"),
        ("/topics/height%20limit", "statementsAbout"),
        ("/ask?q=What+did+they+say+about+the+height+limit%3F", "ask"),
        (f"/graph?of={agent_id(AUTHOR)}", "neighbours"),
    ],
)
async def test_a_program_gets_the_data_of_a_page(
    platform: Platform, client: httpx.AsyncClient, address: str, member: str
) -> None:
    await verified_world(platform)
    answer = await client.get(address, headers=JSON)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json"), answer.text
    assert member in answer.json()["data"]
    assert (answer.headers["vary"], answer.headers["x-content-type-options"]) == (
        "Accept, Authorization, Cookie",
        "nosniff",
    )
    page = await open_page(client, address)
    twin = [link for link in page.links if link.endswith("_mediatype=application%2Fjson")][-1]
    same = await client.get(str(httpx.URL(f"http://a2ap.test{address}").join(twin)), headers={"accept": BROWSER})
    assert same.json() == answer.json()


async def test_the_refusal_of_the_data_of_a_page_is_a_problem(platform: Platform, client: httpx.AsyncClient) -> None:
    for address, status in (("/log?type=nothing", 400), ("/topics/nothing-of-the-kind", 404)):
        answer = await client.get(address, headers=JSON)
        assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json"), address
