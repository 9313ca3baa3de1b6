"""The page of disputes: both sides beside each other, filtered by state and ground."""

import httpx
from builders import signed_statement
from http_client import client
from page_reader import Parsed, open_page
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, accept, hash_of, settle
from test_disputes import FORTY, SIXTY, validated

from graph.platform import Platform

__all__ = ["client", "platform"]


def sides(page: Parsed) -> list[str]:
    return [one.text for one in page.named("h3")]


async def test_both_sides_of_a_dispute_stand_beside_each_other_with_their_verdicts(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    forty, sixty = signed_statement(AUTHOR, claim=FORTY), signed_statement(STRANGER, claim=SIXTY)
    await accept(platform, forty, sixty, *validated(forty))
    page = await open_page(client, "/disputes")
    assert sides(page) == [FORTY, SIXTY]
    assert {f"./statements/{hash_of(forty)}", f"./statements/{hash_of(sixty)}"} <= set(page.links)
    words = " ".join(page.one("main").text.split())
    assert "2 validated, 0 challenged, 0 undecided" in words and "amount" in words
    for query, found in (
        ("ground=AMOUNT", 2),
        ("ground=DATE", 0),
        ("state=WITHDRAWN", 0),
        ("declared=no&order=newest", 2),
        ("topic=zoning", 2),
        ("topic=parking", 0),
    ):
        assert len(sides(await open_page(client, f"/disputes?{query}"))) == found, query
    await open_page(client, "/disputes?ground=TASTE", 400)


async def test_without_disputes_the_page_says_so(platform: Platform, client: httpx.AsyncClient) -> None:
    page = await open_page(client, "/disputes")
    assert "0 disputes." in page.one("main").text
