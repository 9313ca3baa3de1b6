"""GraphiQL as it was built: in the wheel, and in a real browser, where it asks nobody else for anything."""

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest
from chromium import NoChromiumError, chromium
from platform_fixture import platform
from scenario import verified_world
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from served import served

from graph.http.assets import FOLDER
from graph.platform import Platform

__all__ = ["platform"]

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 90  # seconds; on a busy machine the editor takes a while


@pytest.fixture
async def graphiql() -> None:
    """Have the files of GraphiQL where the platform looks for them."""
    command = (sys.executable, "build_web.py")
    building = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stderr=asyncio.subprocess.PIPE)
    _, said = await building.communicate()
    if building.returncode:
        miss(f"GraphiQL is not built: {said.decode().strip()}")


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Chrome]:
    try:
        with chromium(tmp_path / "profile") as session:
            yield session
    except NoChromiumError as error:
        miss(str(error))


def miss(what: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(what, pytrace=False)
    pytest.skip(what)


async def test_the_wheel_holds_what_was_built(graphiql: None, tmp_path: Path) -> None:
    command = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path))
    built = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.DEVNULL)
    assert await built.wait() == 0
    [wheel] = tmp_path.glob("*.whl")
    held = set(ZipFile(wheel).namelist())
    assert {f"graph/http/{FOLDER}/{file.name}" for file in (ROOT / "graph/http" / FOLDER).iterdir()} <= held
    assert not any("node_modules" in name or name.startswith("web/") for name in held)


async def test_graphiql_opens_and_runs_its_first_example(
    platform: Platform, graphiql: None, browser: Chrome, tmp_path: Path
) -> None:
    await verified_world(platform)
    async with served(platform) as address:
        await asyncio.to_thread(run_the_first_example, browser, f"{address}/graphql")
        browser.save_screenshot(str(tmp_path / "graphiql.png"))
        assert asked_for(browser) == {address}
        assert [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def run_the_first_example(browser: Chrome, address: str) -> None:
    """Open the page, press the button, and wait for rows."""
    browser.get(address)
    waiting = WebDriverWait(browser, PATIENCE)
    button = waiting.until(lambda _: browser.find_element(By.CSS_SELECTOR, "button.graphiql-execute-button"))
    assert browser.title == "GraphQL playground · A2AP"
    waiting.until(lambda _: "WhatDidTheySayAboutZoning" in text_of(browser, ".graphiql-editors"))
    button.click()
    waiting.until(lambda _: "height limit" in text_of(browser, ".graphiql-response"))
    # Hashes in the answer lead to their pages.
    links = ".graphiql-response .detected-link"
    waiting.until(lambda _: "sha256:" in text_of(browser, links))
    # The reference of the schema is there: introspection went through our bounds.
    waiting.until(lambda _: "fetch" not in text_of(browser, ".graphiql-container .graphiql-doc-explorer").lower())


def text_of(browser: Chrome, selector: str) -> str:
    found = browser.find_elements(By.CSS_SELECTOR, selector)
    # Editors put hard spaces between words.
    return " ".join(element.text for element in found).replace("\N{NO-BREAK SPACE}", " ")


def asked_for(browser: Chrome) -> set[str]:
    """Return the origins that the browser has asked for anything."""
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    addresses = [
        event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"
    ]
    addresses += [event["params"]["url"] for event in events if event["method"] == "Network.webSocketCreated"]
    parts = [urlsplit(one) for one in addresses if not one.startswith(("data:", "blob:", "chrome", "about:"))]
    return {f"{part.scheme.replace('ws', 'http', 1)}://{part.netloc}" for part in parts}
