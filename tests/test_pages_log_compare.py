"""The page that compares two sizes of the log: entries, changed scores, proofs, and the check of a kept checkpoint."""

import json
from pathlib import Path

import httpx
from builders import signed_registration, signed_response, signed_retraction, signed_statement
from http_client import client
from page_browser import PATIENCE, built, in_browser, shown
from page_reader import open_page, open_past_page
from platform_fixture import platform
from scenario import AUTHOR, VERIFIER_A, VERIFIER_B, accept, hash_of, settle
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from graph.platform import Platform

__all__ = ["built", "client", "platform"]


async def judged_world(platform: Platform) -> tuple[bytes, int, int]:
    """Settle and submit a statement, and have it validated; return it and the sizes before and after the verdicts."""
    await settle(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement)
    start = platform.log.checkpoint.tree_size
    await accept(platform, signed_response(statement, VERIFIER_A), signed_response(statement, VERIFIER_B))
    return statement, start, platform.log.checkpoint.tree_size


async def test_two_sizes_differ_by_verdicts_and_the_score_that_they_changed(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    statement, start, end = await judged_world(platform)
    page = await open_past_page(client, f"/log/compare?from={start}&to={end}")
    text = page.one("main").text
    assert "0 statements, 2 verdicts" in " ".join(text.split())
    (row,) = [e.text for e in page.named("tr") if "not verified" in e.text]
    assert "no score yet" in row
    assert page.links.count(f"../statements/{hash_of(statement)}") == 3
    block = json.loads(next(e for e in page.named("script") if e.attributes.get("type") == "application/json").text)
    assert (block["from"], block["to"]) == (start, end)
    assert len(block["between"]) == len(await platform.log.consistency_proof(start, end))


async def test_the_present_is_the_larger_size_unless_another_is_stated(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await judged_world(platform)
    size = platform.log.checkpoint.tree_size
    page = await open_page(client, f"/log/compare?from={size}")
    text = " ".join(page.one("main").text.split())
    assert "The two sizes are the same." in text and "0 entries: 0 statements, 0 verdicts" in text


async def test_a_new_statement_and_a_retraction_are_among_the_changes(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    statement, _, end = await judged_world(platform)
    await accept(platform, signed_retraction(statement, AUTHOR))
    page = await open_past_page(client, f"/log/compare?from={end}")
    assert f"../statements/{hash_of(statement)}" in page.links
    first = await open_past_page(client, f"/log/compare?from={end - 4}&to={end - 2}")
    assert "not in the log yet" in first.one("main").text


async def test_a_policy_between_the_sizes_is_named(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    page = await open_page(client, "/log/compare?from=1")
    assert "can change the score of any statement" in page.one("main").text


async def test_without_sizes_the_page_asks_for_them(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    page = await open_page(client, "/log/compare")
    assert [e.attributes["name"] for e in page.named("input")].count("from") == 1


async def test_sizes_that_the_log_has_not_had_are_refused(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    for query, reason in (
        ("from=0", "from is 0"),
        ("from=1&to=1000", "to is 1000"),
        ("from=5&to=3", "larger than to"),
        ("from=x", "not a whole number"),
        (f"from={10**14}", "has had sizes"),
    ):
        page = await open_page(client, f"/log/compare?{query}", 400)
        assert reason in page.one("main").text, query


async def test_a_browser_checks_that_the_log_continues_a_kept_checkpoint(
    platform: Platform, client: httpx.AsyncClient, built: None, tmp_path: Path
) -> None:
    await settle(platform)
    kept, start = platform.log.checkpoint_note, platform.log.checkpoint.tree_size
    await accept(platform, *(signed_registration(number) for number in range(100, 105)))

    def visit(browser: Chrome, address: str) -> None:
        browser.get(f"{address}/log/compare?from={start}")
        waiting = WebDriverWait(browser, PATIENCE)
        waiting.until(lambda _: "3 checks hold" in shown(browser, "[data-part=summary]"))
        browser.find_element(By.NAME, "note").send_keys(kept)
        browser.find_element(By.CSS_SELECTOR, "form.panels button").click()
        waiting.until(lambda _: f"continues your checkpoint of {start}" in shown(browser, "[data-part=kept-result]"))

    await in_browser(platform, tmp_path, visit)
