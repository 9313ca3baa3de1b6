"""The page of a source: its text, the cited passages and their links both ways, long sources, and withheld texts."""

import asyncio
import re
from pathlib import Path

import httpx
import pytest
from builders import QUOTE, SOURCE, SOURCE_ID, segment, signed_source, signed_statement, source_redaction_message
from chromium import NoChromiumError, chromium
from http_client import OPERATOR, bearer, client
from page_reader import BROWSER, Parsed, open_page, open_past_page, parsed
from pdfs import write_pdf
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, accept, hash_of, pieces, settle, signed_node_source, verified_world
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from served import served

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.evidence import ByteRange, build_segment
from graph.http.assets import built_entry
from graph.platform import Platform
from graph.web.media_address import media_address
from graph.web.page import SCRIPT

__all__ = ["client", "platform"]

PASSAGE = f"bytes-{SOURCE.index(QUOTE.encode())}-{SOURCE.index(QUOTE.encode()) + len(QUOTE)}"


async def hold(platform: Platform, source: bytes, **changes: object) -> str:
    """Register a source, hand in its bytes, and return its address."""
    await accept(platform, signed_source(AUTHOR, source=source, **changes))  # type: ignore[arg-type]
    await platform.sources.put(sha256_digest(source), pieces(source))
    return f"/sources/{sha256_digest(source)}"


def marks(page: Parsed) -> dict[str, str]:
    """Return the text of each marked passage by its id."""
    return {one.attributes["id"]: one.text for one in page.named("mark") if "id" in one.attributes}


def words(page: Parsed) -> str:
    return " ".join(page.one("main").text.split())


async def test_captions_are_read_with_their_times_and_each_passage_is_linked_with_its_statements(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    address = f"/sources/{sha256_digest(SOURCE)}"
    page = await open_page(client, address)
    assert page.one("h1").text == "City council meeting"
    assert marks(page) == {PASSAGE: QUOTE}
    assert "We heard from café owners on Elm Street — they want outdoor tables." in words(page)
    assert {f"../statements/{hash_of(world.statement)}", f"#{PASSAGE}"} <= set(page.links)
    assert "https://example.org/meetings/1#t=135" in page.links and "0:02:15" in words(page)
    claim = await open_page(client, f"/statements/{hash_of(world.statement)}")
    start = PASSAGE.split("-")[1]
    assert f"..{address}?at={start}#{PASSAGE}" in claim.links


async def test_a_program_at_the_same_address_gets_the_bytes(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    address = f"/sources/{sha256_digest(SOURCE)}"
    page = await open_page(client, address)
    (link,) = {link for link in page.links if link.endswith("_mediatype=application/octet-stream")}
    for asked, accepted in ((address, "*/*"), (link.removeprefix(".."), BROWSER)):
        answer = await client.get(asked, headers={"accept": accepted})
        assert answer.content == SOURCE and "Accept" in answer.headers["vary"]


async def test_a_name_leads_to_the_hash_and_an_unknown_one_to_nothing(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await verified_world(platform)
    led = await client.get(f"/sources/{SOURCE_ID}?at=3", headers={"accept": BROWSER})
    assert led.status_code == 307 and led.headers["location"] == f"../sources/{sha256_digest(SOURCE)}?at=3"
    await open_page(client, "/sources/urn:doc:none", 404)
    await open_page(client, f"/sources/{sha256_digest(b'none')}", 404)
    await open_page(client, f"/sources/{sha256_digest(SOURCE)}?at=soon", 400)


async def test_passages_that_overlap_are_all_reached(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    quotes = ("The new zoning map keeps", "zoning map", "map keeps the height", "outdoor tables")
    statements = [signed_statement(AUTHOR, claim=f"Claim {quote}", evidence=[segment(quote)]) for quote in quotes]
    shared = signed_statement(STRANGER, claim="Another on the map", evidence=[segment("zoning map")])
    await accept(platform, *statements, shared)
    page = await open_page(client, f"/sources/{sha256_digest(SOURCE)}")
    starts = [SOURCE.index(quote.encode()) for quote in quotes]
    anchors = {f"bytes-{start}-{start + len(quote)}" for start, quote in zip(starts, quotes, strict=True)}
    ids = [element.attributes["id"] for element in page.elements if "id" in element.attributes]
    assert anchors <= set(ids) and len(ids) == len(set(ids))
    assert {f"#{anchor}" for anchor in anchors} <= set(page.links)
    assert {f"../statements/{hash_of(one)}" for one in (*statements, shared)} <= set(page.links)
    assert QUOTE in words(page)
    assert f"#claims-{starts[1]}-{starts[1] + len(quotes[1])}" in page.links


async def test_a_long_text_is_shown_in_sections_and_each_passage_is_in_the_one_of_its_bytes(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    lines = [f"Line {number}: the café board met — again.\n".encode() for number in range(20_000)]
    source = b"".join(lines)
    address = await hold(platform, source, source_id="urn:doc:test:minutes", media_type="text/markdown")
    quote = "Line 12345: the café board met"
    statement = signed_statement(AUTHOR, evidence=[segment(quote, source=source, source_id="urn:doc:test:minutes")])
    await accept(platform, statement)
    start = source.index(quote.encode())
    anchor = f"bytes-{start}-{start + len(quote.encode())}"
    first = await open_page(client, address)
    assert marks(first) == {} and "Section 1 of" in words(first)
    (part,) = [link for link in first.links if f"at={start}#at" in link]
    there = await client.get(part.removeprefix(".."), headers={"accept": BROWSER})
    assert marks(parsed(there.text)) == {anchor: quote} and len(there.text) < 100_000


async def test_the_sections_of_a_text_are_the_whole_text(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    source = "".join(f"{number} é\n" if number % 900 else "—" * 5000 for number in range(5400)).encode()
    address = await hold(platform, source, source_id="urn:doc:test:numbers")
    read, after = "", f"{address}?at=0"
    while after:
        page = await open_page(client, after)
        read += "".join(one.text for one in page.elements if one.name == "p" and one.attributes.get("dir") == "auto")
        nexts = {one.attributes["href"] for one in page.named("a") if one.attributes.get("rel") == "next"}
        after = nexts.pop().removeprefix("..").partition("#")[0] if nexts else ""
    assert "".join(read.split()) == "".join(source.decode().split())


async def test_a_megabyte_without_a_space_is_cut_between_characters(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    source = ("é" * 500_000).encode()
    address = await hold(platform, source, source_id="urn:doc:test:e", media_type="text/plain")
    for at in (0, 500_001, 999_999):
        answer = await client.get(f"{address}?at={at}", headers={"accept": BROWSER})
        assert answer.status_code == 200 and len(answer.text) < 40_000
        assert "\ufffd" not in answer.text and "é" * 1000 in answer.text


async def test_of_html_only_the_visible_text_is_shown(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    source = (
        b"<!doctype html><title>x</title><h1>Minutes</h1><script>alert(1)</script><p hidden>Secret.</p>"
        b"<p>The board met &amp; <b>voted</b> on <i>Tuesday</i>.</p><ul><li>Item one<li>Item two</ul>"
    )
    address = await hold(platform, source, source_id="urn:doc:test:html", media_type="text/html")
    quote = "voted</b> on <i>Tuesday"
    evidence = segment(quote, source=source, source_id="urn:doc:test:html")
    await accept(platform, signed_statement(AUTHOR, evidence=[{**evidence, "quoteText": "voted on Tuesday"}]))
    page = await open_page(client, address)
    assert list(marks(page).values()) == ["voted on Tuesday"]
    paragraphs = [one.text for one in page.elements if one.name == "p" and one.attributes.get("dir") == "auto"]
    assert paragraphs == ["Minutes", "The board met & voted on Tuesday.", "Item one", "Item two"]
    assert "Secret" not in words(page) and "alert(1)" not in words(page)


async def test_a_pdf_is_shown_by_its_pages_with_the_quotes_marked(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    pytest.importorskip("pypdf")
    await settle(platform)
    source = write_pdf(["Minutes of the board."], ["The height limit", "stays at forty feet."])
    address = await hold(platform, source, source_id="urn:doc:test:pdf", media_type="application/pdf")
    quote = "limit stays at forty feet"
    evidence = build_segment(
        "urn:doc:test:pdf",
        0,
        len(source),
        document_hash=sha256_digest(source),
        content_hash=sha256_digest(source),
        quote=quote,
        page=2,
    )
    await accept(platform, signed_statement(AUTHOR, evidence=[evidence]))
    page = await open_page(client, address)
    assert marks(page) == {f"bytes-0-{len(source)}": quote}
    assert "Page 1 Minutes of the board. Page 2 The height limit stays at forty feet." in words(page)


async def test_bytes_that_are_no_text_are_not_shown(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    address = await hold(platform, b"\x89PNG\r\n\0\0\0", source_id="urn:doc:test:png", media_type="image/png")
    page = await open_page(client, address)
    assert "No text is shown: the source is not a text." in words(page)


async def test_a_source_above_a_readers_class_shows_its_hash_and_the_reason_alone(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    await accept(platform, signed_node_source(platform, SOURCE, boundary=Boundary.CONFIDENTIAL))
    address = f"/sources/{sha256_digest(SOURCE)}"
    answer = await client.get(address, headers={"accept": BROWSER})
    page = parsed(answer.text)
    assert "this reader is cleared for public" in words(page) and sha256_digest(SOURCE)[7:] in words(page)
    assert not [text for text in (QUOTE, "café", "City council meeting", "example.org") if text in answer.text]
    assert f"../statements/{hash_of(world.statement)}" in page.links
    operator = await client.get(address, headers={"accept": BROWSER, **bearer(OPERATOR)})
    assert marks(parsed(operator.text)) == {PASSAGE: QUOTE}


async def test_an_erased_source_says_so_and_its_remainder_is_read_without_the_erased_words(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await verified_world(platform)
    start = SOURCE.index(b"Elm Street")
    left = SOURCE[:start] + b" " * 10 + SOURCE[start + 10 :]
    message = source_redaction_message(
        sha256_digest(SOURCE),
        redacting_agent=platform.node.agent_id,
        byte_ranges=[ByteRange(start, start + 10)],
        redacted_document_hash=sha256_digest(left),
    )
    await accept(platform, platform.node.sign(message).envelope.received)
    page = await open_page(client, f"/sources/{sha256_digest(SOURCE)}")
    assert "The text is not shown" in words(page) and "The person asked for it." in words(page)
    assert "Elm Street" not in words(page)
    assert f"../sources/{sha256_digest(left)}" in page.links
    remainder = await open_page(client, f"/sources/{sha256_digest(left)}")
    assert QUOTE in words(remainder) and "Elm Street" not in words(remainder)


async def test_hostile_words_of_a_source_are_text_alone(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    source = b"</p><script>alert(1)</script> \xe2\x80\xaegnp.exe {{ 7 * 7 }} \xff\n"
    address = await hold(platform, source, source_id="urn:doc:test:bad", title="<b>")
    await accept(platform, signed_statement(AUTHOR, evidence=[segment("alert(1)", source=source)]))
    page = await open_page(client, address)
    assert "</p><script>alert(1)</script> U+202Egnp.exe {{ 7 * 7 }} \ufffd" in words(page)
    assert page.one("h1").text == "<b>"
    scripts = [one for one in page.named("script") if "src" not in one.attributes]
    assert {one.attributes["type"] for one in scripts} == {"application/json"}
    assert "style" not in {name for one in page.elements for name in one.attributes}


async def test_the_past_of_a_source_has_the_citations_of_its_time(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    before = (await client.post("/graphql", json={"query": "{ log { size } }"})).json()["data"]["log"]["size"]
    await accept(platform, signed_statement(AUTHOR))
    address = f"/sources/{sha256_digest(SOURCE)}"
    assert marks(await open_page(client, address)) == {PASSAGE: QUOTE}
    then = await open_past_page(client, f"{address}?asOf={before}")
    assert marks(then) == {} and QUOTE in words(then)


@pytest.mark.parametrize(
    ("origin", "address"),
    [
        ("https://www.youtube.com/watch?v=x&t=4", "https://www.youtube.com/watch?v=x&t=61s"),
        ("https://youtu.be/x", "https://youtu.be/x?t=61s"),
        ("https://notyoutube.com/x", "https://notyoutube.com/x#t=61"),
        ("http://example.org/a.mp4#chapter", "http://example.org/a.mp4#t=61"),
        ("javascript:alert(1)", None),
        ("https://[", None),
        ("urn:x", None),
        (None, None),
    ],
)
def test_the_address_of_a_second_is_that_of_the_medium(origin: str | None, address: str | None) -> None:
    assert media_address(origin, 61_999) == address


@pytest.mark.both_engines
async def test_the_schema_tells_where_citations_lie_and_gives_the_passages_of_a_part(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await verified_world(platform)
    await accept(platform, signed_statement(STRANGER, evidence=[segment(QUOTE), segment("outdoor tables")]))
    query = """query ($name: String!, $start: Int, $end: Int, $parts: Int!) {
      documents(filter: {name: $name}) { nodes {
        citationCounts(parts: $parts) { byteStart byteEnd firstByte citations }
        chunks(start: $start, end: $end) { nodes { byteStart } totalCount } } } }"""

    async def ask(**variables: object) -> tuple[list[tuple[int, ...]], list[int], int]:
        asked = {"name": sha256_digest(SOURCE), "parts": 2, **variables}
        answer = (await client.post("/graphql", json={"query": query, "variables": asked})).json()
        (found,) = answer["data"]["documents"]["nodes"]
        counts = [tuple(part.values()) for part in found["citationCounts"]]
        return counts, [one["byteStart"] for one in found["chunks"]["nodes"]], found["chunks"]["totalCount"]

    quote, tables, half = SOURCE.index(QUOTE.encode()), SOURCE.index(b"outdoor"), -(-len(SOURCE) // 2)
    counts, starts, total = await ask()
    assert counts == [(0, half, quote, 2), (half, len(SOURCE), tables, 1)]
    assert (starts, total) == ([quote, tables], 2)
    assert (await ask(start=quote + len(QUOTE)))[1:] == ([tables], 1)
    assert (await ask(end=tables))[1:] == ([quote], 1)
    assert (await ask(start=quote + 1, end=quote + 2))[1:] == ([quote], 1)
    refused = await client.post("/graphql", json={"query": query, "variables": {"name": "x", "parts": 0}})
    assert "parts is 0" in str(refused.json()) or refused.json()["data"]["documents"]["nodes"] == []


async def test_the_browser_checks_the_bytes_and_sees_a_flipped_bit(platform: Platform, tmp_path: Path) -> None:
    if built_entry(SCRIPT) is None:
        pytest.skip("the scripts of the pages are not built")
    await verified_world(platform)
    try:
        with chromium(tmp_path / "profile") as browser:
            async with served(platform) as address:
                await asyncio.to_thread(check_and_sabotage, browser, f"{address}/sources/{sha256_digest(SOURCE)}")
    except NoChromiumError as error:
        pytest.skip(str(error))


def check_and_sabotage(browser: Chrome, address: str) -> None:
    wait = WebDriverWait(browser, 30)

    def says(words: str) -> None:
        wait.until(lambda _: words in browser.find_element(By.CSS_SELECTOR, ".check-results").text)

    def passage() -> str:
        return str(browser.find_element(By.CSS_SELECTOR, "[data-check]").text)

    browser.get(f"{address}#{PASSAGE}")
    says("These are the cited bytes")
    says("1 hold their quotes word for word")
    assert passage() == "✓ holds its quote"
    button = browser.find_element(By.CSS_SELECTOR, ".check-results button")
    button.click()
    says("These are not the cited bytes")
    assert passage() == "✗ other bytes than cited"
    assert re.search(r"One bit of byte \d+ ", browser.find_element(By.CSS_SELECTOR, ".check-results").text)
    button.click()
    says("These are the cited bytes")
    browser.execute_script("location.hash = '#bytes-100-110'")
    wait.until(lambda _: "at=100" in browser.current_url)
