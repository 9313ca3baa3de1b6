"""The home page: a question field with suggestions, examples that have answers, counts, and the health of the log."""

from base64 import b64encode
from urllib.parse import parse_qs, urlsplit

import httpx
from builders import signed_statement
from cypher_world import SECRET, asked_world, hide_a_source
from http_client import OPERATOR, bearer, client
from page_reader import Parsed, open_page, open_past_page
from platform_fixture import platform
from scenario import AUTHOR, accept, settle

from a2ap.log.checkpoint import Checkpoint
from graph.platform import Platform
from graph.web.home import witnesses_of
from graph.web.suggestions import examples_of, questions_of

__all__ = ["client", "platform"]

SAID = "On item 3, the zoning map for Elm Street, the Planning Director said: “{}”"
CLAIMS = (
    SAID.format("The limit is 65 feet."),
    SAID.format("The vote is 5 to 2."),
    "On item 4, the budget of the library, the Mayor said: “The roof costs 200 thousand dollars.”",
    "On item 5, the bike lanes on Harbor Avenue, the Planner said: “They remove 80 parking spaces.”",
)


def examples_on(page: Parsed) -> list[str]:
    return [link for link in page.links if link.startswith("./ask?q=")]


def counts_on(page: Parsed) -> dict[str, str]:
    names = [element.text for element in page.named("dt")]
    return dict(zip(names, [element.text for element in page.named("dd")], strict=True))


async def test_the_home_page_has_one_question_field_with_questions_from_the_claims(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    await accept(platform, *(signed_statement(AUTHOR, claim=claim) for claim in CLAIMS))
    page = await open_page(client, "/")
    (field,) = [element for element in page.named("input") if element.attributes.get("type") == "search"]
    suggestions = page.one("datalist")
    assert field.attributes["list"] == suggestions.attributes["id"] and field.attributes["name"] == "q"
    assert page.one("form").attributes["action"] == "./ask"
    offered = [element.attributes["value"] for element in page.named("option")]
    assert "What did they say about the zoning map for Elm Street?" in offered
    assert "What did the Mayor say about the budget of the library?" in offered
    assert page.one("h1").text and "style" not in {name for one in page.elements for name in one.attributes}


async def test_each_of_three_examples_has_an_answer_with_claims(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    await accept(platform, *(signed_statement(AUTHOR, claim=claim) for claim in CLAIMS))
    examples = examples_on(await open_page(client, "/"))
    assert len(set(examples)) == 3
    for address in examples:
        answer = await open_page(client, address.removeprefix("."))
        assert "Nothing was said" not in answer.one("main").text, address
        assert [one for one in answer.named("article")], address


async def test_a_node_with_statements_of_no_topic_has_examples_with_answers(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    await accept(platform, signed_statement(AUTHOR))
    examples = examples_on(await open_page(client, "/"))
    assert len(examples) == 3
    for address in examples:
        answer = await open_page(client, address.removeprefix("."))
        assert "Nothing was said" not in answer.one("main").text, address


async def test_the_home_page_counts_and_shows_the_health_of_the_log(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await asked_world(platform)
    page = await open_page(client, "/")
    size = (await client.get("/log/checkpoint")).text.split("\n")[1]
    counts = counts_on(page)
    assert (counts["Statements"], counts["Verified"], counts["Sources"]) == ("6", "1", "1")
    assert (counts["Verdicts"], counts["Log entries"]) == ("4", size)
    text = " ".join(page.one("main").text.split())
    assert f"The newest checkpoint covers {size} entries." in text and "No witness has cosigned it" in text
    statements = [link for link in page.links if link.startswith("./statements/sha256:")]
    assert len(statements) == 6
    await open_page(client, statements[0].removeprefix("."))
    assert {"./docs", "./topics", "./log"} <= set(page.links)


async def test_an_empty_node_says_how_to_begin(platform: Platform, client: httpx.AsyncClient) -> None:
    page = await open_page(client, "/")
    text = page.one("main").text
    assert "The node has no statements yet" in text and "a2ap demo" in text and "a2ap statement create" in text
    assert examples_on(page) == [] and not list(page.named("option"))


async def test_the_home_page_of_the_past_counts_the_statements_of_then(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    await accept(platform, signed_statement(AUTHOR, claim=CLAIMS[0]))
    (bookmark,) = [link for link in (await open_page(client, "/")).links if "asOf=" in link]
    size = parse_qs(urlsplit(bookmark).query)["asOf"][0]
    await accept(platform, *(signed_statement(AUTHOR, claim=claim) for claim in CLAIMS[1:]))
    then = counts_on(await open_past_page(client, f"/?asOf={size}"))
    assert (then["Statements"], then["Log entries"]) == ("1", size)
    assert counts_on(await open_page(client, "/"))["Statements"] == "4"


async def test_the_home_page_shows_no_words_that_its_reader_may_not_see(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    await hide_a_source(platform)
    for headers in ({}, bearer(OPERATOR)):
        answer = await client.get("/", headers={"accept": "text/html", **headers})
        assert "There was a meeting." in answer.text and SECRET not in answer.text


def test_the_witnesses_are_the_other_names_under_a_checkpoint() -> None:
    text = Checkpoint("example.org/log", 5, bytes(32)).text
    line = f"— {{}} {b64encode(bytes(68)).decode()}\n"
    note = f"{text}\n{line.format('example.org/log')}{line.format('witness.example/w')}{line.format('other.example')}"
    assert witnesses_of(note, "example.org/log") == ("witness.example/w", "other.example")
    assert witnesses_of("no note", "example.org/log") == ()


def test_examples_are_of_different_shapes_about_different_topics() -> None:
    statements = [{"claimText": claim, "speaker": "The Mayor"} for claim in CLAIMS]
    names = ("zoning map for Elm Street", "budget of the library", "bike lanes on Harbor Avenue")
    topics = [{"name": name, "phrase": f"the {name}"} for name in names]
    assert examples_of(topics, statements) == (
        "What did they say about the zoning map for Elm Street?",
        "What did the Mayor say about the budget of the library?",
        "Who spoke about the bike lanes on Harbor Avenue?",
    )
    assert examples_of([], statements)[0] == "What are the newest statements?"
    assert examples_of(topics, []) == ()
    assert len(questions_of(topics, statements)) == 6
