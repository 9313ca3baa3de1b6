"""The page of a search: marked words, pages, and no words that the reader may not see."""

from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
from builders import QUOTE, signed_statement
from cypher_world import SECRET, hide_a_source
from http_client import OPERATOR, bearer, client
from page_reader import BROWSER, open_page, open_past_page
from platform_fixture import platform
from scenario import AUTHOR, accept, settle, verified_world

from graph.platform import Platform
from graph.web.text import marked_text

__all__ = ["client", "platform"]


def searching(query: str, **parameters: object) -> str:
    return f"/search?{urlencode({'q': query, **parameters})}"


async def test_a_search_marks_its_words_in_claims_and_quotes(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    page = await open_page(client, searching("heights limits"))
    marks = [element.text for element in page.named("mark")]
    assert marks == ["height", "limit", "height", "limit"]
    assert page.one("blockquote").text == QUOTE
    assert [link for link in page.links if link.startswith("./sources/sha256:") and "#bytes-" in link]
    assert "2 independent operators" in page.one("article").text


async def test_a_program_gets_json_at_the_address_of_a_search(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    page = await open_page(client, searching("height limit"))
    (twin,) = [link for link in page.links if "_mediatype" in link]
    answer = await client.get(twin.removeprefix("."), headers={"accept": BROWSER})
    assert answer.headers["content-type"] == "application/json" and len(answer.json()["hits"]) == 1
    assert (await client.get(searching("height limit"))).json()["query"] == "height limit"


async def test_a_search_has_pages_of_twenty(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    await accept(platform, *(signed_statement(AUTHOR, claim=f"The limit number {n} is set.") for n in range(23)))
    first = await open_page(client, searching("limit"))
    assert len(list(first.named("article"))) == 20
    (onward,) = [one.attributes["href"] for one in first.named("a") if one.attributes.get("rel") == "next"]
    second = await open_page(client, onward.removeprefix("."))
    assert len(list(second.named("article"))) == 3
    assert [
        one.attributes.get("rel") for one in second.named("a") if one.attributes.get("rel") in ("next", "prev")
    ] == ["prev"]
    assert "The search has no page 3." in (await open_page(client, searching("limit", page=3))).one("main").text


async def test_a_search_without_hits_says_so_and_a_wrong_one_is_an_error(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    assert list((await open_page(client, "/search")).named("article")) == []
    nothing = await open_page(client, searching("submarines"))
    assert "No statement has these words." in nothing.one("main").text
    for address in (searching("-zoning"), searching("a", page="x"), searching("a", page=11)):
        await open_page(client, address, 400)


async def test_a_search_shows_no_words_that_its_reader_may_not_see(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    await hide_a_source(platform)
    public = await client.get(searching("meeting"), headers={"accept": BROWSER})
    assert "The quote is withheld" in public.text and SECRET not in public.text
    operator = await client.get(searching("builder night"), headers={"accept": BROWSER, **bearer(OPERATOR)})
    assert "<mark>builder</mark>" in operator.text
    assert "No statement has" in (await client.get(searching("builder night"), headers={"accept": BROWSER})).text


async def test_a_search_of_the_past_finds_the_statements_of_then(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    await accept(platform, signed_statement(AUTHOR, claim="The first limit."))
    (bookmark,) = [link for link in (await open_page(client, searching("limit"))).links if "asOf=" in link]
    assert parse_qs(urlsplit(bookmark).query)["q"] == ["limit"]
    await accept(platform, signed_statement(AUTHOR, claim="The second limit."))
    then = await open_past_page(client, bookmark.removeprefix("."))
    assert len(list(then.named("article"))) == 1
    assert len(list((await open_page(client, searching("limit"))).named("article"))) == 2


def test_marks_are_around_characters_of_the_text_and_never_around_markup() -> None:
    text = "<b>é\u202e limit & 😀 limit"
    start = text.index("limit")
    marked = marked_text(text, [{"start": start, "end": start + 5}, {"start": start + 2, "end": start + 7}])
    assert str(marked).startswith("&lt;b&gt;é<span") and "<mark>limit</mark><mark> &amp;</mark>" in marked
    assert str(marked).endswith(" 😀 limit")
    assert marked_text("ab", [{"start": 1, "end": 99}, {"start": 5, "end": 2}]) == "a<mark>b</mark>"
    assert marked_text(None, []) == ""
