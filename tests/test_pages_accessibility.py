"""Every page in a real browser: axe finds nothing in both colour schemes at two widths, nothing overflows, no error is
written to the console, and nothing is asked of another origin."""

from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from axe import install_axe, overflow, requests_of, views, violations
from builders import SOURCE, agent_id, signed_statement
from http_client import OPERATOR, client
from npm_tool import NoNpmError
from page_browser import PATIENCE, built, in_browser, miss
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, VERIFIER_A, accept, hash_of, verified_world
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait
from test_disputes import FORTY, SIXTY
from test_pages_records import hand_in_one_of_each

from a2ap.canonical import sha256_digest
from graph.platform import Platform

__all__ = ["built", "client", "platform"]


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    try:
        return install_axe(tmp_path_factory.mktemp("axe"))
    except NoNpmError as error:
        miss(str(error))


async def test_axe_finds_nothing_on_any_page(
    platform: Platform, client: httpx.AsyncClient, built: None, axe: str, tmp_path: Path
) -> None:
    world = await verified_world(platform)
    await accept(platform, signed_statement(AUTHOR, claim=FORTY), signed_statement(STRANGER, claim=SIXTY))
    statement, verdict = hash_of(world.statement), hash_of(world.responses[0])
    pages = (
        "",
        "ask?q=height+limit",
        "search?q=height",
        "topics",
        "topics/height%20limit",
        "docs",
        "statements",
        f"statements/{statement}",
        f"verifications/{verdict}",
        "agents",
        f"agents/{agent_id(VERIFIER_A)}",
        f"sources/{sha256_digest(SOURCE)}",
        "disputes",
        "log",
        "log/3",
        "log/compare",
        "export",
        f"cite/{statement}",
        f"dossier?statement={statement}",
        f"graph?of={statement}",
        "desk",
        "desk/new-statement",
        f"desk/statements/{statement}",
        "records",
        "records?kind=packets",
        "session",
        "verify",
        "graphql",
    )
    records = await hand_in_one_of_each(client, statement)
    found: list[str] = []
    await in_browser(
        platform, tmp_path, lambda browser, address: found.extend(examine(browser, axe, address, (*pages, *records)))
    )
    assert found == []


async def test_axe_finds_nothing_on_the_pages_of_the_operator(
    platform: Platform, client: httpx.AsyncClient, built: None, axe: str, tmp_path: Path
) -> None:
    await verified_world(platform)
    found: list[str] = []

    def visit(browser: Chrome, address: str) -> None:
        browser.get(f"{address}/session?to=operator")
        browser.find_element(By.NAME, "token").send_keys(OPERATOR, Keys.ENTER)
        WebDriverWait(browser, PATIENCE).until(lambda one: one.current_url == f"{address}/operator")
        found.extend(examine(browser, axe, address, ("session", "operator?threshold=0.9&quorum=50")))

    await in_browser(platform, tmp_path, visit)
    assert found == []


def examine(browser: Chrome, axe: str, address: str, pages: tuple[str, ...]) -> list[str]:
    """Return the faults of the pages."""
    browser.set_script_timeout(PATIENCE)
    faults = []
    for scheme, width in views(browser):
        for page in pages:
            browser.get(f"{address}/{page}")
            if page == "graphql":
                WebDriverWait(browser, PATIENCE).until(
                    lambda _: browser.execute_script("return document.querySelector('.graphiql-editors .view-line')")
                )
            faults += [f"{page} in {scheme} at {width}: {one}" for one in violations(browser, axe)]
            if wide := overflow(browser):
                faults.append(f"{page} in {scheme} at {width} is {wide} pixels wider than the window")
    origin = urlsplit(address).netloc
    asked = {urlsplit(request["url"]) for request in requests_of(browser)}
    faults += [
        f"asked for {one.geturl()}"
        for one in asked
        if one.scheme in ("http", "https", "ws", "wss") and one.netloc != origin
    ]
    return faults
