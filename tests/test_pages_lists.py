"""The lists of agents and statements for people: filters in a form, pages by cursor, and addresses that can be kept."""

from urllib.parse import parse_qs, urlsplit

import httpx
from builders import SOURCE, agent_id, description, segment, signed_deactivation, signed_registration, signed_statement
from http_client import ask, client
from page_reader import Parsed, open_page, open_past_page
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, accept, hash_of, settle, verified_world

from a2ap.canonical import sha256_digest
from graph.platform import Platform

__all__ = ["client", "platform"]


def claims(page: Parsed) -> list[str]:
    return [one.text for one in page.named("h2")]


def rows(page: Parsed) -> list[str]:
    return [one.text for one in page.named("th") if one.attributes["scope"] == "row"]


def linked(page: Parsed, rel: str) -> str | None:
    found = {one.attributes["href"] for one in page.named("a") if one.attributes.get("rel") == rel}
    return found.pop() if found else None


async def test_statements_are_listed_by_status_agent_source_and_verdict(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    elsewhere = segment("other words", source=b"other words", source_id="urn:doc:test:other")
    await accept(platform, signed_statement(STRANGER, claim="Another claim.", evidence=[elsewhere]))
    page = await open_page(client, "/statements")
    assert claims(page)[0] == "Another claim." and len(claims(page)) == 2
    assert f"./statements/{hash_of(world.statement)}" in page.links
    for query, found in (
        (f"agent={agent_id(STRANGER)}", ["Another claim."]),
        (f"source={sha256_digest(SOURCE)}", claims(page)[1:]),
        ("verified=yes", claims(page)[1:]),
        ("verified=no&order=score", ["Another claim."]),
        ("status=RETRACTED", []),
        ("topic=zoning", claims(page)[1:]),
        ("topic=&agent=&status=&order=oldest", claims(page)[::-1]),
    ):
        assert claims(await open_page(client, f"/statements?{query}")) == found, query


async def test_a_form_keeps_the_stated_filters_and_a_wrong_one_is_an_error(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    page = await open_page(client, '/statements?agent="><script>x</script>&status=CURRENT')
    (field,) = [one for one in page.named("input") if one.attributes.get("name") == "agent"]
    assert field.attributes["value"] == '"><script>x</script>'
    chosen = [one.attributes["value"] for one in page.named("option") if "selected" in one.attributes]
    assert chosen == ["CURRENT", "", "newest"]
    for query in ("status=GONE", "verified=maybe", "order=random", "after=a&before=b", "after=nothing"):
        await open_page(client, f"/statements?{query}", 400)
    await open_page(client, "/agents?active=maybe", 400)


async def test_a_list_comes_in_pages_in_both_directions(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    await accept(platform, *(signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(45)))
    page = await open_page(client, "/statements?order=oldest")
    seen = claims(page)
    assert linked(page, "prev") is None
    while address := linked(page, "next"):
        page = await open_page(client, f"/statements{address}")
        seen += claims(page)
    assert seen == [f"Claim {number}." for number in range(45)]
    back = linked(page, "prev")
    assert claims(await open_page(client, f"/statements{back}")) == seen[20:40]


async def test_agents_are_listed_by_name_publisher_capability_and_activity(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    other = description(51, name="Weigher", publisher="Other house", capabilities=("weighing",))
    await accept(platform, signed_registration(51, agent=other), signed_deactivation(STRANGER))
    for query, found in (
        ("name=Weigher", ["Weigher"]),
        ("publisher=Other+house", ["Weigher"]),
        ("capability=weighing", ["Weigher"]),
        ("active=no", ["Test agent 21 deactivated"]),
        ("name=Weigher&publisher=Test+publisher", []),
    ):
        assert rows(await open_page(client, f"/agents?{query}")) == found, query
    assert rows(await open_page(client, "/agents?order=name"))[-1] == "Weigher"
    assert "./agents/urn:agent:test-51" in (await open_page(client, "/agents")).links


async def test_the_permanent_address_of_a_list_keeps_its_filters(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    size = (await ask(client, "{ log { size } }"))["log"]["size"]
    page = await open_page(client, f"/statements?agent={agent_id(AUTHOR)}")
    address = linked(page, "bookmark") or ""
    assert parse_qs(urlsplit(address).query) == {"agent": [agent_id(AUTHOR)], "asOf": [str(size)]}
    await accept(platform, signed_statement(AUTHOR))
    assert claims(await open_page(client, f"/statements?agent={agent_id(AUTHOR)}")) != []
    then = await open_past_page(client, address.removeprefix("."))
    assert claims(then) == []
    (kept,) = [one for one in then.named("input") if one.attributes.get("name") == "asOf"]
    assert kept.attributes["value"] == str(size)
