"""The page of an answer: claims by their standing, facets that narrow it, one sentence for nothing, and the query."""

import json
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from builders import QUOTE, SOURCE_ID, agent_id, signed_response, signed_statement
from cypher_world import SECRET, asked_world, hide_a_source
from http_client import OPERATOR, bearer, client
from page_reader import BROWSER, Parsed, open_page, open_past_page, parsed
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, hash_of, settle, verified_world
from test_pages import HOSTILE

from a2ap.canonical import sha256_digest
from graph.platform import Platform
from graph.web.ask import cells_of

__all__ = ["client", "platform"]


def asking(question: str, **parameters: object) -> str:
    return f"/ask?{urlencode({'q': question, **parameters})}"


def text_of(page: Parsed) -> str:
    return " ".join(page.one("main").text.split())


def claims_on(page: Parsed) -> list[str]:
    """Return the hashes of the statements that head the cards of an answer."""
    cards = [element.text.split("\n") for element in page.named("article")]
    assert all(cards)
    links = [link for link in page.links if link.startswith("./statements/sha256:")]
    return [link.removeprefix("./statements/") for link in links]


async def test_claims_are_grouped_by_their_standing(platform: Platform, client: httpx.AsyncClient) -> None:
    known = await asked_world(platform)
    said = signed_statement(AUTHOR, claim=f"The Mayor said: “{QUOTE}”")
    await accept(platform, said, *(signed_response(said, one) for one in (VERIFIER_A, VERIFIER_B)))
    page = await open_page(client, asking("What are the newest statements?"))
    ids = [element.attributes.get("id") for element in page.named("h2")]
    assert [one for one in ids if one in ("holding", "said", "pending", "disputed")] == [
        "holding",
        "said",
        "pending",
        "disputed",
    ]
    html = (await client.get(asking("What are the newest statements?"), headers={"accept": BROWSER})).text
    parts = html.split('<section aria-labelledby="')
    groups = {part.partition('"')[0]: part for part in parts}
    assert hash_of(known["zoning"]) in groups["holding"] and hash_of(said) in groups["said"]
    assert hash_of(known["tables"]) in groups["pending"] and "Missing:" in groups["pending"]
    assert "Its author has taken it back." in groups["pending"]
    assert hash_of(known["parking"]) in groups["disputed"] and hash_of(known["no_parking"]) in groups["disputed"]
    assert "Challenged by" in groups["disputed"] and "Nobody says so." in groups["disputed"]
    assert "7 claims: 1 holding, 1 said, as quoted, 3 not yet accepted, 2 disputed." in text_of(page)


async def test_a_claim_shows_quote_source_speaker_time_score_and_operators(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    said = signed_statement(AUTHOR, claim=f"The Mayor said: “{QUOTE}”")
    await accept(platform, said, *(signed_response(said, one) for one in (VERIFIER_A, VERIFIER_B)))
    page = await open_page(client, asking("What did they say about the height limit?"))
    text = text_of(page)
    assert page.one("blockquote").text == QUOTE
    assert [link for link in page.links if link.startswith("./sources/sha256:") and "#bytes-" in link]
    assert "The Mayor · stated by Test agent 1 on 2025-10-14" in text
    assert "00:02:15 in the recording to 00:02:18" in text or "00:02:15 in the recording to 00:02:19" in text
    assert "2 independent operators" in text and "(95 %:" in text
    (field,) = [element for element in page.named("input") if element.attributes.get("type") == "search"]
    assert field.attributes["value"] == "What did they say about the height limit?"


async def test_facets_narrow_the_answer_by_plain_links(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    mayor = signed_statement(AUTHOR, claim="The Mayor said: “The limit is low.”")
    clerk = signed_statement(STRANGER, claim="The Clerk said: “The limit is high.”")
    await accept(platform, mayor, clerk)
    page = await open_page(client, asking("What did they say about the limit?"))
    assert set(claims_on(page)) == {hash_of(mayor), hash_of(clerk)}
    facets = {name: [link for link in page.links if f"&{name}=" in link] for name in ("source", "speaker", "agent")}
    assert len(facets["speaker"]) == len(facets["agent"]) == 2 and len(facets["source"]) == 1
    assert any("date=2025-10-14" in link for link in page.links)
    (link,) = [link for link in facets["speaker"] if "Mayor" in link]
    narrowed = await open_page(client, link.removeprefix("."))
    assert claims_on(narrowed) == [hash_of(mayor)] and "1 of 2 claims" in text_of(narrowed)
    assert [one for one in narrowed.named("a") if one.attributes.get("aria-current")]
    back = [one.attributes["href"] for one in narrowed.named("a") if one.attributes.get("aria-current")]
    assert "speaker" not in back[0] and "q=" in back[0]
    both = await open_page(client, asking("about the limit", speaker="The Mayor", agent=agent_id(STRANGER)))
    assert claims_on(both) == [] and "none has the chosen values" in text_of(both)


async def test_nothing_found_is_one_sentence_with_other_topics(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    claims = [f"On item {n}, the {name}, the Mayor said: “Yes.”" for n, name in enumerate(["roof", "bridge", "park"])]
    await accept(platform, *(signed_statement(AUTHOR, claim=claim) for claim in claims))
    page = await open_page(client, asking("What did they say about submarines?"))
    assert "Nothing was said about submarines. Other topics:" in text_of(page)
    topics = [link for link in page.links if link.startswith("./topics/")]
    assert sorted(topics) == ["./topics/bridge", "./topics/park", "./topics/roof"]
    await open_page(client, topics[0].removeprefix("."))


@pytest.mark.parametrize("withheld", [False, True])
async def test_the_query_that_answered_runs_in_the_playground(
    platform: Platform, client: httpx.AsyncClient, withheld: bool
) -> None:
    await asked_world(platform)
    if withheld:
        await hide_a_source(platform)
    page = await open_page(client, asking("Which statements are about zoning?"))
    assert "questions/statements_about" in page.one("details").text and "UNWIND $statements" in page.one("details").text
    (link,) = [link for link in page.links if "graphql?" in link and "Cypher" in link]
    asked = parse_qs(urlsplit(link).query)
    body = {"query": asked["q"][0], "variables": json.loads(asked["v"][0])}
    answer = (await client.post("/graphql", json=body)).json()
    assert "errors" not in answer, answer
    rows = answer["data"]["cypher"]["rows"]
    assert len(rows) == 6 and any("The zoning map changes on Elm Street." in row for row in rows)


async def test_rows_that_are_no_statements_are_a_table(platform: Platform, client: httpx.AsyncClient) -> None:
    await asked_world(platform)
    number = await open_page(client, asking("How many statements are about zoning?"))
    cells = [element.text for element in number.named("td")]
    assert cells[:2] == ["6", "1"]
    agents = await open_page(client, asking("Which agents are here?"))
    links = {one.text for one in agents.named("a") if one.attributes["href"].startswith("./find?name=urn")}
    assert agent_id(AUTHOR) in links


async def test_a_question_without_words_leads_home_and_a_long_one_is_refused(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    led = await client.get("/ask?q=+", headers={"accept": BROWSER})
    assert (led.status_code, led.headers["location"]) == (303, "./")
    page = await open_page(client, asking("x" * 1001), 400)
    assert "1001 characters" in page.one("main").text
    assert (await client.get(asking("zoning"), headers={"accept": "text/turtle"})).status_code == 405


async def test_hostile_words_of_a_question_and_a_claim_are_text(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    await accept(platform, signed_statement(AUTHOR, claim=f"The zoning {HOSTILE}"))
    page = await open_page(client, asking('zoning"><script>alert(3)</script>'))
    assert page.one("h1").text == 'zoning"><script>alert(3)</script>'
    assert not list(page.named("img"))
    assert not [element for element in page.named("script") if "src" not in element.attributes]
    assert not [name for element in page.elements for name in element.attributes if name.startswith("on")]


async def test_withheld_words_are_shown_to_the_operator_alone(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    await hide_a_source(platform)
    address = asking("Which statements are about a meeting?")
    public = await client.get(address, headers={"accept": BROWSER})
    assert "There was a meeting." in public.text and "The quote is withheld" in public.text
    assert SECRET not in public.text and "Closed minutes" not in public.text
    operator = await client.get(address, headers={"accept": BROWSER, **bearer(OPERATOR)})
    assert SECRET in operator.text
    parsed(operator.text)


async def test_an_answer_of_the_past_has_the_claims_of_then(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    now = await open_page(client, asking("the height limit"))
    assert "1 holding" in text_of(now)
    (bookmark,) = [link for link in now.links if "asOf=" in link]
    size = int(parse_qs(urlsplit(bookmark).query)["asOf"][0])
    then = await open_past_page(client, asking("the height limit", asOf=size - 3))
    assert "1 not yet accepted" in text_of(then) and claims_on(then) == [hash_of(world.statement)]
    assert any("q=the+height+limit" in link and f"asOf={size - 3}" in link for link in then.links)


def test_the_cells_of_a_row_are_texts_and_names() -> None:
    columns = ["statement", "names", "node", "score", "verified", "none"]
    name = sha256_digest(b"")
    row = [name, ["a", "b"], {"label": "Agent", "agent_id": SOURCE_ID}, 0.123456, True, None]
    cells = cells_of(columns, row)
    assert [part["name"] for cell in cells for part in cell["parts"]] == [name, None, None, SOURCE_ID, *[None] * 3]
    assert [cell["parts"][-1]["text"] for cell in cells][3:] == ["0.1235", "yes", "–"]
