"""Every page in a real browser: axe finds nothing in both colour schemes at two widths, nothing overflows, no error is
written to the console, and nothing is asked of another origin."""

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe import install_axe, overflow, requests_of, severe, views, violations
from builders import SOURCE, agent_id, signed_statement
from chromium import NoChromiumError, chromium
from npm_tool import NoNpmError
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, VERIFIER_A, accept, hash_of, verified_world
from selenium.webdriver import Chrome
from selenium.webdriver.support.ui import WebDriverWait
from served import served
from test_disputes import FORTY, SIXTY

from a2ap.canonical import sha256_digest
from graph.platform import Platform

__all__ = ["platform"]

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 60  # seconds for a page's scripts on a busy machine


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    try:
        return install_axe(tmp_path_factory.mktemp("axe"))
    except NoNpmError as error:
        miss(str(error))


@pytest.fixture
async def built() -> None:
    """Have the scripts of the pages where the platform looks for them."""
    command = (sys.executable, "build_web.py")
    building = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stderr=asyncio.subprocess.PIPE)
    _, said = await building.communicate()
    if building.returncode:
        miss(f"the scripts are not built: {said.decode().strip()}")


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Chrome]:
    try:
        with chromium(tmp_path / "profile") as session:
            session.set_script_timeout(PATIENCE)
            yield session
    except NoChromiumError as error:
        miss(str(error))


def miss(reason: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


async def test_axe_finds_nothing_on_any_page(platform: Platform, built: None, browser: Chrome, axe: str) -> None:
    world = await verified_world(platform)
    await accept(platform, signed_statement(AUTHOR, claim=FORTY), signed_statement(STRANGER, claim=SIXTY))
    statement, verdict = hash_of(world.statement), hash_of(world.responses[0])
    pages = (
        "",
        "ask?q=height+limit",
        "search?q=height",
        "topics",
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
        f"graph?of={statement}",
        "records",
        "verify",
        "statements/urn:uuid:none",
        "graphql",
    )
    async with served(platform) as address:
        found = await asyncio.to_thread(examine, browser, axe, address, pages)
    assert found == []


def examine(browser: Chrome, axe: str, address: str, pages: tuple[str, ...]) -> list[str]:
    """Return the faults of the pages."""
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
    expected = "statements/urn:uuid:none"  # a page that is not there is an error of the network to the console
    faults += [f"console: {message}" for message in severe(browser) if expected not in message]
    origin = urlsplit(address).netloc
    asked = {urlsplit(request["url"]) for request in requests_of(browser)}
    faults += [
        f"asked for {one.geturl()}"
        for one in asked
        if one.scheme in ("http", "https", "ws", "wss") and one.netloc != origin
    ]
    return faults
