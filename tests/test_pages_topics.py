"""The pages of topics: the list, and one topic's positions for and against, and its speakers."""

import httpx
from builders import reference_to, signed_statement
from cypher_world import asked_world
from http_client import client
from page_reader import BROWSER, open_page, open_past_page
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, VERIFIER_A, accept, hash_of, settle
from test_pages import HOSTILE

from graph.platform import Platform

__all__ = ["client", "platform"]

SAID = "On item 3, the zoning map, the {} said: “{}”"


async def test_the_list_of_topics_leads_to_the_claims_of_each(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    claims = [SAID.format("Mayor", "Yes."), SAID.format("Clerk", "No."), SAID.format("Mayor", "Later.")]
    await accept(platform, *(signed_statement(AUTHOR, claim=claim) for claim in claims))
    page = await open_page(client, "/topics")
    (link,) = [link for link in page.links if link.startswith("./topics/")]
    assert link == "./topics/zoning%20map" and next(cell.text for cell in page.named("td")) == "3"
    topic = await open_page(client, link.removeprefix("."))
    assert topic.one("h1").text == "zoning map"
    voices = [" ".join(one.text.split()) for one in topic.named("h3")]
    assert voices == ["The Mayor (2)", "The Clerk (1)"]
    assert len(list(topic.named("article"))) == 3 and "For and against" not in topic.one("main").text
    asked = next(link for link in page.links if link.startswith("./ask?"))
    assert len(list((await open_page(client, asked.removeprefix("."))).named("article"))) == 3


async def test_pages_say_that_a_topic_may_have_more_claims_than_the_list_counts(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    claims = [SAID.format("Mayor", "Yes."), SAID.format("Clerk", "No."), "The Mayor called the zoning map."]
    await accept(platform, *(signed_statement(AUTHOR, claim=claim) for claim in claims))
    page = await open_page(client, "/topics")
    assert next(cell.text for cell in page.named("td")) == "2"
    assert "A claim is counted under one topic" in page.one("main").text
    assert "count each claim under one topic" in (await open_page(client, "/")).one("main").text
    assert "3 claims with the words of the topic" in (await open_page(client, "/topics/zoning%20map")).one("main").text


async def test_a_topic_shows_both_sides_of_its_disputes_with_their_supporters(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    known = await asked_world(platform)
    support = signed_statement(VERIFIER_A, claim="Garages cost more.", supports=[reference_to(known["parking"])])
    await accept(platform, support)
    html = (await client.get("/topics/parking%20fees", headers={"accept": BROWSER})).text
    page = await open_page(client, "/topics/parking%20fees")
    positions = html[html.index('id="positions"') : html.index('id="speakers"')]
    for statement in (known["parking"], known["no_parking"], support):
        assert hash_of(statement) in positions
    assert "Supported by:" in positions and "One side" in positions and "Other side" in positions
    assert [" ".join(one.text.split()) for one in page.named("h4")][:2] == ["One side", "Other side"]
    zoning = (await open_page(client, "/topics/zoning")).one("main").text
    assert "For it, and no statement against it:" in zoning


async def test_a_topic_without_a_speaker_is_grouped_by_agent(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    await accept(
        platform,
        signed_statement(AUTHOR, claim="The bridge is narrow."),
        signed_statement(STRANGER, claim="The bridge is long."),
    )
    page = await open_page(client, "/topics/bridge")
    assert sorted(" ".join(one.text.split()) for one in page.named("h3")) == [
        f"Test agent {AUTHOR} (1)",
        f"Test agent {STRANGER} (1)",
    ]


async def test_a_topic_that_no_statement_has_is_not_found(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    await accept(platform, signed_statement(AUTHOR, claim=f"The bridge {HOSTILE}"))
    page = await open_page(client, "/topics/submarines%22%3E%3Cscript%3E", 404)
    assert 'no statement is about submarines"><script>' in page.one("main").text
    # Words that do not stand together are looked for one by one.
    assert not list((await open_page(client, "/topics/bridge%20alert")).named("img"))
    assert "share no topic yet" in (await open_page(client, "/topics")).one("main").text


async def test_the_page_of_a_topic_in_the_past_has_the_claims_of_then(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    await accept(platform, signed_statement(AUTHOR, claim=SAID.format("Mayor", "Yes.")))
    (bookmark,) = [link for link in (await open_page(client, "/topics/zoning%20map")).links if "asOf=" in link]
    await accept(platform, signed_statement(AUTHOR, claim=SAID.format("Clerk", "No.")))
    then = await open_past_page(client, bookmark.removeprefix(".."))
    assert len(list(then.named("article"))) == 1
