"""GraphiQL as it was built: in the wheel, and in a real browser, where it asks nobody else for anything."""

import asyncio
import json
import sys
from pathlib import Path
from urllib.parse import urlsplit
from zipfile import ZipFile

from page_browser import built, in_browser
from platform_fixture import platform
from scenario import verified_world
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from graph.http.assets import FOLDER
from graph.platform import Platform

__all__ = ["built", "platform"]

ROOT = Path(__file__).resolve().parent.parent
VARIABLES = ".graphiql-editor-tool .graphiql-editor:not(.hidden)"
PATIENCE = 90  # seconds; on a busy machine the editor takes a while


async def test_the_wheel_holds_what_was_built(built: None, tmp_path: Path) -> None:
    command = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path))
    building = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.DEVNULL)
    assert await building.wait() == 0
    [wheel] = tmp_path.glob("*.whl")
    held = set(ZipFile(wheel).namelist())
    assert {f"graph/http/{FOLDER}/{file.name}" for file in (ROOT / "graph/http" / FOLDER).iterdir()} <= held
    assert not any("node_modules" in name or name.startswith("web/") for name in held)


async def test_graphiql_opens_and_runs_its_first_example(platform: Platform, built: None, tmp_path: Path) -> None:
    await verified_world(platform)

    def visit(browser: Chrome, address: str) -> None:
        run_the_first_example(browser, f"{address}/graphql")
        browser.save_screenshot(str(tmp_path / "graphiql.png"))
        assert asked_for(browser) == {address}

    await in_browser(platform, tmp_path, visit)


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


async def test_a_link_from_a_page_opens_its_query_with_variables_in_a_new_profile(
    platform: Platform, built: None, tmp_path: Path
) -> None:
    await verified_world(platform)

    def visit(browser: Chrome, address: str) -> None:
        run_the_query_of(browser, f"{address}/log/0", "query LogEntry", '"from": 0', "logEntries")

    await in_browser(platform, tmp_path, visit)


async def test_a_link_from_a_page_opens_its_query_beside_the_tabs_of_an_earlier_visit(
    platform: Platform, built: None, tmp_path: Path
) -> None:
    await verified_world(platform)

    def visit(browser: Chrome, address: str) -> None:
        browser.get(f"{address}/graphql")
        waiting = WebDriverWait(browser, PATIENCE)
        waiting.until(lambda _: browser.execute_script("return localStorage.getItem('graphiql:tabState')"))
        kept = titles(browser)
        assert "WhatDidTheySayAboutZoning" in kept
        run_the_query_of(browser, f"{address}/log/0", "query LogEntry", '"from": 0', "logEntries")
        run_the_query_of(browser, f"{address}/log/1", "query LogEntry", '"from": 1', "logEntries")
        # The tab of a query that was opened before is opened again.
        run_the_query_of(browser, f"{address}/log/0", "query LogEntry", '"from": 0', "logEntries")
        assert titles(browser) == [*kept, "LogEntry", "LogEntry"]
        # A link without variables has none of an earlier visit.
        browser.get(f"{address}/graphql?q=query%20Size%20%7B%20log%20%7B%20size%20%7D%20%7D")
        waiting.until(lambda _: "query Size" in text_of(browser, ".graphiql-query-editor"))
        assert "from" not in text_of(browser, VARIABLES)

    await in_browser(platform, tmp_path, visit)


def run_the_query_of(browser: Chrome, page: str, query: str, variables: str, answer: str) -> None:
    """Follow the link from a page to its query, and run it as it is."""
    waiting = WebDriverWait(browser, PATIENCE)
    browser.get(page)
    browser.find_element(By.PARTIAL_LINK_TEXT, "query behind this page").click()
    waiting.until(lambda _: query in text_of(browser, ".graphiql-query-editor"))
    waiting.until(lambda _: variables in text_of(browser, VARIABLES))
    browser.find_element(By.CSS_SELECTOR, "button.graphiql-execute-button").click()
    waiting.until(lambda _: '"data"' in text_of(browser, ".graphiql-response"))
    found = text_of(browser, ".graphiql-response")
    assert answer in found and '"errors"' not in found
    kept = "return (localStorage.getItem('graphiql:tabState') ?? '').includes(arguments[0])"
    waiting.until(lambda _: browser.execute_script(kept, query))


def titles(browser: Chrome) -> list[str]:
    return [tab.text for tab in browser.find_elements(By.CSS_SELECTOR, ".graphiql-tab-button")]


async def test_the_editors_follow_the_colour_scheme_of_the_system(
    platform: Platform, built: None, tmp_path: Path
) -> None:
    await verified_world(platform)

    def visit(browser: Chrome, address: str) -> None:
        wear(browser, "light")
        browser.get(f"{address}/graphql")
        waiting = WebDriverWait(browser, PATIENCE)
        waiting.until(lambda _: browser.find_elements(By.CSS_SELECTOR, ".graphiql-query-editor .monaco-editor.vs"))
        wear(browser, "dark")
        waiting.until(lambda _: browser.find_elements(By.CSS_SELECTOR, ".graphiql-query-editor .vs-dark"))
        assert not browser.find_elements(By.CSS_SELECTOR, ".monaco-editor.vs")

    await in_browser(platform, tmp_path, visit)


def wear(browser: Chrome, scheme: str) -> None:
    """Have the system of the browser prefer a colour scheme."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


async def test_the_playground_without_scripts_says_that_it_needs_them(
    platform: Platform, built: None, tmp_path: Path
) -> None:
    def visit(browser: Chrome, address: str) -> None:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        browser.get(f"{address}/graphql")
        assert text_of(browser, "main") == "GraphiQL needs JavaScript. GraphQL itself answers at this address."

    await in_browser(platform, tmp_path, visit)


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
