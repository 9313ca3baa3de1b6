"""Pages at the addresses of data: the form that a client prefers, errors as pages, and the page of a statement."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from builders import SOURCE, agent_id, signed_statement
from graphql import build_schema, parse, validate
from http_client import client, open_client
from page_reader import BROWSER, open_page, open_past_page, parsed
from platform_fixture import platform
from scenario import AUTHOR, accept, hash_of, settle, signed_node_source, verified_world

from a2ap.boundary import Boundary
from a2ap.bundle.bundle import MEDIA_TYPE
from a2ap.canonical import sha256_digest
from a2ap.messages.message import read_message
from graph.platform import Platform
from graph.web.page import query_text
from graph.web.registry import PAGES
from graph.web.stylesheet import STYLESHEET

__all__ = ["client", "platform"]

ROOT = Path(__file__).resolve().parent.parent
QUERIES = sorted((ROOT / "graph" / "web" / "queries").glob("*.graphql"))
CLAIM = read_message(signed_statement(AUTHOR)).envelope.document["claim"]["text"]
HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)"> {{ 7 * 7 }} \u202egnp.exe ' + "A" * 3000


async def test_one_address_gives_a_page_to_a_browser_and_the_document_to_a_program(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    address = f"/statements/{hash_of(world.statement)}"
    page = await open_page(client, address)
    assert page.one("h1").text == CLAIM
    for accepted, media_type in (
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("application/ld+json, text/html;q=0.5", "application/ld+json"),
        ("text/turtle", "text/turtle"),
    ):
        answer = await client.get(address, headers={"accept": accepted})
        assert answer.headers["content-type"].startswith(media_type) and "Accept" in answer.headers["vary"]


async def test_a_page_links_to_the_forms_for_programs(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    page = await open_page(client, f"/statements/{hash_of(world.statement)}")
    twins = [link for link in page.links if "_mediatype" in link]
    forms = {parse_qs(urlsplit(link).query)["_mediatype"][0] for link in twins}
    assert forms == {"application/json", "application/ld+json", "text/turtle", "application/n-quads"}
    for link in twins:
        answer = await client.get(link.removeprefix(".."), headers={"accept": BROWSER})
        assert answer.headers["content-type"].partition(";")[0] == parse_qs(urlsplit(link).query)["_mediatype"][0]


async def test_a_claim_gives_its_bundle_as_a_file_to_verify(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    page = await open_page(client, f"/statements/{hash_of(world.statement)}")
    (link,) = [e for e in page.named("a") if "download" in e.attributes]
    assert link.text == "Save the bundle" and link.attributes["download"].endswith(".json")
    answer = await client.get(link.attributes["href"].removeprefix(".."), headers={"accept": BROWSER})
    assert answer.headers["content-type"] == MEDIA_TYPE and answer.json()["mediaType"] == MEDIA_TYPE
    assert "../verify" in page.links


async def test_the_query_behind_a_page_gives_the_data_of_the_page(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    page = await open_page(client, f"/statements/{hash_of(world.statement)}")
    (link,) = [link for link in page.links if "graphql?" in link]
    asked = parse_qs(urlsplit(link).query)
    answer = await client.post("/graphql", json={"query": asked["q"][0], "variables": json.loads(asked["v"][0])})
    assert answer.json()["data"]["statement"]["claimText"] == CLAIM


async def test_an_error_is_a_page_for_a_browser_and_a_problem_for_a_program(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    for address, status, code in (
        ("/statements/urn:uuid:nothing", 404, "NOT_FOUND"),
        ("/nowhere/at/all", 404, "NOT_FOUND"),
        ("/statements/x?asOf=soon", 400, "INVALID_INPUT"),
        ("/statements/x?asOf=9999", 400, "INVALID_INPUT"),
        (f"/topics?asOf={2**31}", 400, "INVALID_INPUT"),
        (f"/agents?asOf={2**53}", 400, "INVALID_INPUT"),
        (f"/agents?asOf={'9' * 5000}", 400, "INVALID_INPUT"),
    ):
        page = await open_page(client, address, status)
        assert code in page.one("dl").text, address
        assert set(page.links) >= {"../" * (address.partition("?")[0].count("/") - 1) or "./"}
    program = await client.get("/statements/urn:uuid:nothing")
    assert (program.status_code, program.headers["content-type"]) == (404, "application/problem+json")
    # No cache gives it to a browser, or to another reader.
    varies = "Accept, Authorization, Cookie"
    assert (program.headers["vary"], program.headers["cache-control"]) == (varies, "no-cache")
    answer = await client.get("/graphql", params={"query": "{ log { size } }"}, headers={"accept": "application/json"})
    assert (answer.headers["vary"], answer.headers["cache-control"]) == (varies, "no-cache")


async def test_a_quote_leads_to_its_moment_in_the_recording(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR, claim="The limit stays.")
    await accept(platform, statement)
    for address in (f"/statements/{hash_of(statement)}", f"/dossier?statement={hash_of(statement)}"):
        assert "https://example.org/meetings/1#t=135" in (await open_page(client, address)).links, address


async def test_a_page_of_the_past_shows_the_verdicts_of_its_time(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    address = f"/statements/{hash_of(world.statement)}"
    now = await open_page(client, address)
    assert "Holds:" in now.one("main").text and "Verdicts (3)" in now.one("main").text
    index = read_index(now.one("main").text)
    then = await open_past_page(client, f"{address}?asOf={index + 2}")
    assert "Verdicts (1)" in then.one("main").text and "not verified" in then.one("main").text
    assert f"{address.rpartition('/')[2]}?asOf={index + 2}" in " ".join(then.links)


def read_index(text: str) -> int:
    (index,) = set(re.findall(r"In the log entry (\d+)", " ".join(text.split())))
    return int(index)


async def test_hostile_words_of_a_claim_are_text_alone(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR, claim=HOSTILE)
    await accept(platform, statement)
    page = await open_page(client, f"/statements/{hash_of(statement)}")
    assert page.one("h1").text == HOSTILE.replace("\u202e", "U+202E")
    assert not list(page.named("img"))
    scripts = [element for element in page.named("script") if "src" not in element.attributes]
    assert {element.attributes["type"] for element in scripts} <= {"application/ld+json", "application/json"}
    (review,) = [json.loads(element.text) for element in scripts]
    assert review["claimReviewed"] == HOSTILE
    assert "style" not in {name for element in page.elements for name in element.attributes}
    assert not [name for element in page.elements for name in element.attributes if name.startswith("on")]


async def test_a_page_shows_no_words_of_a_source_that_its_reader_may_not_see(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    await accept(platform, signed_node_source(platform, SOURCE, boundary=Boundary.CONFIDENTIAL))
    quote = read_message(world.statement).envelope.document["evidence"][0]["quoteText"]
    answer = await client.get(f"/statements/{hash_of(world.statement)}", headers={"accept": BROWSER})
    page = parsed(answer.text)
    assert "withheld" in page.one("main").text and quote not in answer.text


async def test_pages_run_their_own_queries_under_an_operators_list(platform: Platform, tmp_path: Path) -> None:
    world = await verified_world(platform)
    queries = tmp_path / "queries"
    queries.mkdir()
    (queries / "one.graphql").write_text("{ thisNode { agentId } }")
    async with open_client(platform, tmp_path, graphql_queries=queries) as listed:
        refused = await listed.post("/graphql", json={"query": "{ log { size } }"})
        assert "errors" in refused.json()
        page = await open_page(listed, f"/statements/{hash_of(world.statement)}")
    assert page.one("h1").text == CLAIM


async def test_a_name_leads_to_its_page(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    statement, verdict = hash_of(world.statement), hash_of(world.responses[0])
    for name, address in (
        (statement, f"statements/{statement}"),
        (read_message(world.statement).envelope.id, f"statements/{statement}"),
        (verdict, f"verifications/{verdict}"),
        (agent_id(AUTHOR), f"agents/{agent_id(AUTHOR)}"),
        (sha256_digest(SOURCE), f"sources/{sha256_digest(SOURCE)}"),
    ):
        led = await client.get("/find", params={"name": name}, headers={"accept": BROWSER})
        assert (led.status_code, led.headers["location"]) == (303, address)
    await open_page(client, "/find?name=urn:uuid:none", 404)
    await open_page(client, "/find", 400)


async def test_the_stylesheet_has_a_name_of_its_content(platform: Platform, client: httpx.AsyncClient) -> None:
    style = await client.get(f"/{STYLESHEET}")
    assert style.status_code == 200 and style.headers["content-type"].startswith("text/css")
    assert "immutable" in style.headers["cache-control"]
    assert not re.search(r"url\(|@import|https?:", style.text)
    assert (await client.get("/styles/000000000000.css")).status_code == 404


@pytest.mark.parametrize("query", QUERIES, ids=lambda path: path.stem)
def test_each_query_of_a_page_is_valid_in_the_schema(query: Path) -> None:
    schema = build_schema((ROOT / "tests" / "schema.graphql").read_text())
    assert validate(schema, parse(query_text(query.stem))) == []


def test_no_page_is_listed_twice() -> None:
    assert len(set(PAGES)) == len(PAGES)
