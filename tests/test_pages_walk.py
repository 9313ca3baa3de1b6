"""The walk of a reader in a real browser: question, claim, quote at its second, verdict, agent, proof; by mouse in six
clicks, and by the keyboard alone; and the claim and the answer without scripts."""

from pathlib import Path

import httpx
import pytest
from http_client import client
from page_browser import PATIENCE, built, in_browser
from page_reader import open_page
from platform_fixture import platform
from scenario import VERIFIER_A, hash_of, verified_world
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from a2ap.messages.message import read_message
from graph.platform import Platform

__all__ = ["built", "client", "platform"]

QUESTION = "What did they say about the height limit?"
MOST_TABS = 200


class Mouse:
    """A reader who clicks links; counts the clicks."""

    def __init__(self, browser: Chrome) -> None:
        self._browser = browser
        self.steps = 0

    def follow(self, link: WebElement) -> None:
        """Click a link."""
        self.steps += 1
        self._browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", link)
        link.click()

    def ask(self, field: WebElement, question: str) -> None:
        """Write a question into its field and ask it."""
        field.send_keys(question, Keys.ENTER)


class Keyboard(Mouse):
    """A reader who moves from element to element with the tabulator key, and follows a link with the enter key."""

    def follow(self, link: WebElement) -> None:
        """Move to a link and follow it."""
        self.steps += 1
        self._move_to(link)
        ActionChains(self._browser).send_keys(Keys.ENTER).perform()

    def ask(self, field: WebElement, question: str) -> None:
        """Move to the field, write the question and ask it."""
        self._move_to(field)
        ActionChains(self._browser).send_keys(question, Keys.ENTER).perform()

    def _move_to(self, element: WebElement) -> None:
        for _ in range(MOST_TABS):
            if self._browser.switch_to.active_element == element:
                return
            ActionChains(self._browser).send_keys(Keys.TAB).perform()
        raise AssertionError(f"{MOST_TABS} tabs do not lead to {element.get_attribute('outerHTML')}")


@pytest.mark.both_engines
@pytest.mark.parametrize("reader", [Mouse, Keyboard])
async def test_a_reader_gets_from_a_question_to_its_proof_in_six_steps(
    platform: Platform, built: None, tmp_path: Path, reader: type[Mouse]
) -> None:
    world = await verified_world(platform)
    statement = read_message(world.statement).envelope
    quote = " ".join(statement.document["evidence"][0]["quoteText"].split())

    def walk(browser: Chrome, address: str) -> None:
        def link(selector: str, page: str) -> WebElement:
            """Return the first link of this kind, once the page is open."""
            waiting.until(lambda _: page in browser.current_url)
            return waiting.until(lambda _: browser.find_element(By.CSS_SELECTOR, f"main {selector}"))

        waiting = WebDriverWait(browser, PATIENCE, ignored_exceptions=(Exception,))
        walking = reader(browser)
        browser.get(address)
        walking.ask(browser.find_element(By.CSS_SELECTOR, '[name="q"]'), QUESTION)
        walking.follow(link(f'a[href*="{statement.signed_hash}"]', "/ask?q="))
        walking.follow(link(".quote blockquote a", "/statements/"))
        waiting.until(lambda _: "#bytes-" in browser.current_url)
        passage = browser.find_element(By.ID, browser.current_url.rpartition("#")[2])
        assert " ".join(passage.text.split()) in quote or quote in " ".join(passage.text.split())
        assert "0:02:15" in browser.find_element(By.TAG_NAME, "main").text
        walking.follow(link(f'a[href*="{statement.signed_hash}"]', "/sources/"))
        walking.follow(link(f'a[href*="verifications/{hash_of(world.responses[0])}"]', "/statements/"))
        walking.follow(link('a[href*="/agents/"]', "/verifications/"))
        walking.follow(link('a[href*="log/"]', "/agents/"))
        held = "[data-check='checkpoint signature'][data-result=holds]"
        waiting.until(lambda _: browser.find_element(By.CSS_SELECTOR, held))
        assert walking.steps <= 6
        assert not browser.find_elements(By.CSS_SELECTOR, "[data-result=fails]")

    await in_browser(platform, tmp_path, walk)


async def test_the_claim_and_the_answer_read_without_scripts(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    statement = read_message(world.statement).envelope
    answer = await open_page(client, f"/ask?q={QUESTION.replace(' ', '+')}")
    claim = await open_page(client, f"/statements/{statement.signed_hash}")
    for page in (answer, claim):
        words = " ".join(page.one("main").text.split())
        assert statement.document["claim"]["text"] in words
        assert " ".join(statement.document["evidence"][0]["quoteText"].split()) in words
    assert f"Test agent {VERIFIER_A}" in claim.one("main").text
