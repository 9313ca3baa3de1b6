"""Texts of agents that attack the reader of a page: nothing in them runs, hides, reorders or widens anything.

Each page of a node whose every text is hostile is read over HTTP; those that show most texts are opened in a browser.
"""

import asyncio
import json
import re
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest_asyncio
from axe import overflow, requests_of
from builders import agent_id
from hostile_world import AUTHOR_OF_TEXTS, PRODUCT, RUN, TEXT, HostileWorld
from http_client import OPERATOR, open_client
from page_browser import PATIENCE, built, in_browser
from page_reader import Element, Parsed, parsed
from selenium.webdriver import Chrome
from walk_names import Names
from walk_pages import pages_of, pages_with

from a2ap.canonical import sha256_digest
from graph.content.content_store import open_content_store
from graph.node import load_node
from graph.platform import Platform, platform_on
from graph.settings import Settings
from graph.store import Store
from graph.web.registry import PAGES

__all__ = ["built"]

WORD = re.compile(r"[\w-]+")

ELEMENTS = frozenset(
    WORD.findall("""
    a article bdi blockquote body br button caption circle code datalist dd details div dl dt figcaption figure
    footer form g h1 h2 h3 h4 head header html input label li line link main mark meta nav noscript ol option p path
    polyline pre rect script section select span strong summary svg table tbody td text th thead time title tr ul
    """)
)
"""The elements of the templates."""

ATTRIBUTES = frozenset(
    WORD.findall("""
    action aria-current aria-describedby aria-hidden aria-label aria-labelledby autocomplete charset class colspan
    content cx cy data-bytes data-check data-document data-hash data-here data-kind data-length data-module
    data-part data-passage data-record data-records data-replaces data-root data-size datetime dir disabled download
    fill-opacity for height href id inputmode lang list max maxlength method min name pattern placeholder points
    preserveaspectratio property r rel required role rx scope selected src step tabindex text-anchor title type
    value viewbox width x x1 x2 y y1 y2
    """)
)
"""The attributes of the templates."""

ADDRESSES = ("action", "formaction", "href", "poster", "src", "srcdoc", "xlink:href")
RUNNING = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
"""The beginning of an address that has a scheme or a host of its own."""

HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
STACKED = re.compile("[\u0300-\u036f\u0483-\u0489]{5}")

WITHOUT_TEXTS = frozenset(
    {
        *("/desk/new-statement", "/docs", "/export", "/find", "/operator", "/records/{name}", "/session"),
        *("/styles/{name}", "/topics"),
    }
)
"""Pages without a text of the graph outside of data for their scripts, and addresses that lead to others."""


@pytest_asyncio.fixture
async def platform(store: Store, tmp_path: Path) -> AsyncIterator[Platform]:
    """Yield a platform that records what does not hold, instead of refusing it."""
    settings = Settings(data=tmp_path, on_failed_evidence="record", on_unbound_verdict="record")
    async with platform_on(store, open_content_store(settings), load_node(tmp_path / "node.key"), settings) as running:
        yield running


async def test_no_text_of_an_agent_is_more_than_text_on_any_page(platform: Platform, tmp_path: Path) -> None:
    names = await (await HostileWorld(platform).build()).names()
    faults: list[str] = []
    shown: defaultdict[str, bool] = defaultdict(bool)
    async with open_client(platform, tmp_path, graphql_max_cost=10**9) as client:
        for asked in [*pages_of(names), *pages_with("fence"), *pages_with(TEXT[:300])]:
            answer = await asked.of(client, OPERATOR)
            while answer.status_code == 503:  # the graph of a past size is being made
                await asyncio.sleep(0.5)
                answer = await asked.of(client, OPERATOR)
            route = route_of(asked.path)
            if answer.status_code in (303, 307) or route == "/verify":  # the checker shows nothing of the node
                continue
            found = list(faults_of(answer))
            faults += [f"{asked}: {fault}" for fault in found]
            shown[route] |= answer.status_code == 200 and RUN in words_of(parsed(answer.text))
    assert faults == [], Counter(fault.rpartition(": ")[2][:100] for fault in faults)
    missing = {route for route, is_shown in shown.items() if not is_shown}
    assert missing <= WITHOUT_TEXTS, missing


def route_of(path: str) -> str:
    """Return the path of the route of a page that is asked for."""

    def matches(route: str) -> bool:
        pattern = re.sub(r"\\{[^}]*path\\}", ".+", re.escape(route))
        return re.fullmatch(re.sub(r"\\{[^}]*\\}", "[^/]+", pattern), path) is not None

    return next(str(route.path) for page in PAGES for route in page.router.routes if matches(route.path))


def faults_of(answer: httpx.Response) -> Iterator[str]:
    """Yield the ways in which a page is more than the elements of its template with texts in them."""
    if answer.status_code >= 500:
        yield f"status {answer.status_code}"
    policy = answer.headers.get("content-security-policy", "")
    if "default-src 'none'" not in policy or "'unsafe" in policy:
        yield f"the policy is {policy!r}"
    if answer.headers["content-type"] != "text/html; charset=utf-8":
        yield f"the type is {answer.headers['content-type']}"
        return
    page = parsed(answer.text)
    for element in page.elements:
        yield from faults_of_element(element)
    words = "".join(element.text for element in page.elements if element.name in ("title", "body"))
    if PRODUCT in words:
        yield "a template in a text is filled in"
    yield from (f"hidden {found[0]!r} in {around(words, found)}" for found in HIDDEN.finditer(words))
    yield from (f"stacked marks in {around(words, found)}" for found in STACKED.finditer(words))


def faults_of_element(element: Element) -> Iterator[str]:
    """Yield the ways in which an element is not one of a template."""
    if element.name not in ELEMENTS:
        yield f"element {element.name}"
    if element.name == "script" and "src" not in element.attributes:
        if element.attributes.get("type") not in ("application/json", "application/ld+json"):
            yield f"script {element.text[:80]!r}"
        else:
            json.loads(element.text)
    for name, value in element.attributes.items():
        if name not in ATTRIBUTES:
            yield f"attribute {name} of {element.name}"
        if name in ADDRESSES and RUNNING.match(value.strip()) and value != "data:,":
            parts = urlsplit(value)
            if parts.scheme not in ("http", "https") or "noopener" not in element.attributes.get("rel", ""):
                yield f"{name} {value[:80]!r} of {element.name}"
        # The field of a form keeps the text that the reader sends again.
        if not (name == "value" and element.name in ("input", "option")):
            yield from (f"hidden {found[0]!r} in {name} of {element.name}" for found in HIDDEN.finditer(value))


def words_of(page: Parsed) -> str:
    """Return the words of a page, without the data of its scripts."""
    text = page.one("body").text
    for script in page.named("script"):
        text = text.replace(script.text, "") if script.text else text
    return text


def around(text: str, found: re.Match[str]) -> str:
    """Return some of the text around a place, as ASCII."""
    return ascii(text[max(found.start() - 40, 0) : found.end() + 20])


async def test_nothing_runs_and_nothing_widens_a_page_in_a_browser(
    platform: Platform, built: None, tmp_path: Path
) -> None:
    world = await HostileWorld(platform).build()
    pages = shown_pages(world, await world.names())
    faults: list[str] = []
    await in_browser(platform, tmp_path, lambda browser, address: faults.extend(visit(browser, address, pages)))
    assert faults == []


def shown_pages(world: HostileWorld, names: Names) -> tuple[str, ...]:
    """Return the pages that show most texts."""
    statements, endless = names.statements[-4:], sha256_digest(world.endless)
    return (
        "",
        "ask?q=Who+spoke+about+the+fence%3F",
        "search?q=fence",
        *(f"statements/{one}" for one in (*names.statements[:1], *statements)),
        *(f"verifications/{one}" for one in names.verifications[-2:]),
        "agents",
        f"agents/{agent_id(AUTHOR_OF_TEXTS)}",
        f"sources/{endless}",
        f"sources/{endless}?at=500000",
        *(f"sources/{one}" for one in names.sources[:3]),
        "disputes",
        "statements",
        "topics",
        f"passports/{names.passports[0]}",
        f"packs/{names.packs[0]}",
        f"packets/{names.packets[0]}",
        "records",
        f"graph?of={statements[0]}",
        f"graph?of={agent_id(AUTHOR_OF_TEXTS)}",
        "log",
        f"log/{len(names.messages) - 3}",
        "export",
        "desk",
        "desk/new-statement",
        f"desk/statements/{statements[0]}",
        f"dossier?statement={statements[0]}&statement={statements[1]}",
        f"cite/{statements[0]}",
    )


def visit(browser: Chrome, address: str, pages: tuple[str, ...]) -> list[str]:
    """Open pages at two widths; return their faults."""
    faults: list[str] = []
    browser.set_script_timeout(PATIENCE)
    for width in (360, 1200):
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        for page in pages:
            browser.get(f"{address}/{page}")
            browser.execute_async_script(_SETTLED)
            if browser.execute_script("return window.hostile") is not None:
                faults.append(f"{page} runs a text")
            if wide := overflow(browser):
                faults.append(f"{page} at {width} is {wide} pixels wider than the window: {widest(browser)}")
    origin = urlsplit(address).netloc
    asked = {urlsplit(request["url"]) for request in requests_of(browser)}
    return faults + [
        f"asked for {one.geturl()}"
        for one in asked
        if one.scheme in ("http", "https", "ws", "wss") and one.netloc != origin
    ]


_SETTLED = "setTimeout(arguments[0], 300)"  # milliseconds for the scripts of the page to have shown their texts


def widest(browser: Chrome) -> str:
    """Return the elements that reach beyond the window."""
    found: str = browser.execute_script(
        """return [...document.querySelectorAll("body *")]
          .filter((one) => one.getBoundingClientRect().right > window.innerWidth && !one.closest(".wide"))
          .map((one) => `${one.tagName}.${one.className}`).slice(0, 12).join(" ")"""
    )
    return found
