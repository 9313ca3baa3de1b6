"""The verifier's desk: its pages, and in a browser a key, a registration, a verdict, a decline and a statement."""

import json
import re
import time
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from builders import QUOTE, SOURCE, TIME, agent_id, reference_to, signed_request, signed_response, signed_statement
from http_client import ask, client
from page_browser import PATIENCE, built, in_browser, shown
from page_reader import Parsed, open_page
from platform_fixture import platform
from scenario import AUTHOR, VERIFIER_A, VERIFIER_B, accept, hash_of, settle, signed_node_source, verified_world
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.key_file import read_key_file
from graph.platform import Platform

__all__ = ["built", "client", "platform"]

CRITERIA = ("source-accuracy", "logical-consistency")
HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)"> \u202etxt.exe'
PASSPHRASE = "correct horse battery"


def words(page: Parsed) -> str:
    return " ".join(page.one("main").text.split())


def task_of(page: Parsed, module: str) -> dict[str, object]:
    """Return the data that the page holds for a script."""
    named = [element.attributes.get("data-module") for element in page.named("div")]
    scripts = [element.text for element in page.named("script") if element.attributes.get("type") == "application/json"]
    found: dict[str, object] = json.loads(scripts[[one for one in named if one].index(module)])
    return found


async def test_requests_that_wait_are_listed_newest_first_with_filters(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    first, second = signed_statement(AUTHOR, claim="One."), signed_statement(AUTHOR, claim="Two.")
    asked = [
        signed_request(first, AUTHOR, criteria=CRITERIA),
        signed_request(second, VERIFIER_A, criteria=("timestamp-match",), eligible_verifiers=(agent_id(VERIFIER_A),)),
    ]
    # A verdict that names no request is a verdict on the statement.
    judged = [signed_response(first, VERIFIER_A), signed_response(first, VERIFIER_B, request=reference_to(asked[0]))]
    await accept(platform, first, second, *asked, *judged)
    page = await open_page(client, "/desk")
    cards = [link for link in page.links if "desk/statements/" in link]
    assert cards == [
        f"./desk/statements/{hash_of(one)}?request={hash_of(request).replace(':', '%3A')}"
        for one, request in ((second, asked[1]), (first, asked[0]))
    ]
    assert "2 requests wait for verdicts" in words(page)
    assert "1 verdict on the request, 3 on its statement with this node's check" in words(page)
    assert "0 verdicts on the request, 1 on its statement with this node's check" in words(page)
    for query, claim in (
        ("criterion=source-accuracy", "One."),
        (f"requester={agent_id(VERIFIER_A)}", "Two."),
        (f"verifier={agent_id(AUTHOR)}", "One."),
    ):
        found = await open_page(client, f"/desk?{query}")
        assert [e.text for e in found.named("h3")] == [claim], query
    assert "INVALID_INPUT" in (await open_page(client, "/desk?after=x&before=y", 400)).one("dl").text


async def test_the_form_of_a_verdict_knows_its_statement_its_request_and_the_criteria(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    request = signed_request(world.statement, AUTHOR, criteria=("quote-exactness", "own-criterion"))
    await accept(platform, request)
    address = f"/desk/statements/{hash_of(world.statement)}"
    page = await open_page(client, f"{address}?request={hash_of(request)}")
    task = task_of(page, "desk-verdict")
    assert task["statement"] == {"id": json.loads(world.statement)["@id"], "hash": hash_of(world.statement)}
    assert task["request"] == {"id": json.loads(request)["@id"], "hash": hash_of(request)}
    assert task["criteria"] == ["quote-exactness", "own-criterion"]
    assert QUOTE in words(page) and "You answer the request by" in words(page)
    plain = await open_page(client, address)
    free = task_of(plain, "desk-verdict")
    policy = (await ask(client, "{ thisNode { consensusPolicy { criteria } } }"))["thisNode"]["consensusPolicy"]
    assert (free["request"], free["criteria"], free["others"]) == (None, policy["criteria"], [])
    claim = await open_page(client, f"/statements/{hash_of(world.statement)}")
    assert f"../desk/statements/{hash_of(world.statement)}" in claim.links
    for wrong in (f"{address}?request=sha256:{'0' * 64}", "/desk/statements/urn:uuid:none"):
        await open_page(client, wrong, 404)


async def test_a_statement_cites_sources_that_the_reader_may_have(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    page = await open_page(client, f"/desk/new-statement?source={sha256_digest(SOURCE)}")
    task = task_of(page, "desk-new-statement")
    assert isinstance(task["sources"], list)
    assert [source["hash"] for source in task["sources"]] == [task["chosen"]] == [sha256_digest(SOURCE)]
    await open_page(client, f"/desk/new-statement?source=sha256:{'0' * 64}", 404)
    await accept(platform, signed_node_source(platform, SOURCE, boundary=Boundary.CONFIDENTIAL))
    closed = await open_page(client, "/desk/new-statement")
    assert "City council meeting" not in closed.one("html").text


async def test_hostile_words_of_a_request_are_text_alone(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR, claim=HOSTILE)
    request = signed_request(statement, AUTHOR, criteria=(HOSTILE,))
    await accept(platform, statement, request)
    for address in ("/desk", f"/desk/statements/{hash_of(statement)}?request={hash_of(request)}"):
        page = await open_page(client, address)
        assert not list(page.named("img")) and "\u202e" not in page.one("h1").text
        scripts = [element for element in page.named("script") if "src" not in element.attributes]
        assert {element.attributes["type"] for element in scripts} == {"application/json"}
        assert "style" not in {name for element in page.elements for name in element.attributes}


async def test_a_person_makes_a_key_registers_and_judges_in_the_browser(
    platform: Platform, built: None, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    await settle(platform)
    first, second = (
        signed_statement(AUTHOR, claim="The limit stays."),
        signed_statement(AUTHOR, claim="The limit goes."),
    )
    await accept(platform, first, second)
    later = TIME + timedelta(minutes=1)
    requests = [signed_request(one, AUTHOR, criteria=CRITERIA, time=later) for one in (first, second)]
    desk = Desk(tmp_path)

    def visit(browser: Chrome, address: str) -> None:
        desk.open(browser, address)
        desk.make_key("Ada Čech", "a person")
        desk.save_key()
        desk.register()
        for request in requests:
            httpx.post(f"{address}/verification-requests", content=request, trust_env=False).raise_for_status()
        desk.wait_for("[role=log]", "The limit stays.")
        desk.wait_for("[role=log]", "The limit goes.")
        desk.follow("[role=log] a", "The limit stays.")
        desk.challenge_with_the_keyboard("The minutes say thirteen metres.")
        desk.wait_for("section[aria-labelledby=given]", "Verdicts so far (2)")
        desk.wait_for("section[aria-labelledby=given]", "Ada Čech")
        desk.visit("desk")
        desk.follow("main h3 a", "The limit goes.")
        desk.decline("It is not my field.")

    await in_browser(platform, tmp_path, visit)
    key = read_key_file(desk.saved, lambda: PASSPHRASE)
    agent = key.agent_id
    assert agent == key.key.public_key.did_key and key.key_id == f"{agent}#1"
    registration = json.loads((await client.get(f"/agents/{agent}")).content)
    assert registration["agent"]["@type"] == "prov:Person" and registration["agent"]["name"] == "Ada Čech"
    query = """query ($first: ID!, $second: ID!, $agent: ID!) {
      verifications(filter: {agent: $agent}) { nodes {
        verdict confidence reason keyStatus statement { signedHash } request { signedHash }
        findings { criterion status confidence evidence } } }
      second: statement(id: $second) {
        verificationRequests { nodes { declines { nodes { reason agent { id } } } } } }
      first: statement(id: $first) { signedHash }
    }"""
    found = await ask(client, query, {"first": hash_of(first), "second": hash_of(second), "agent": agent})
    (verdict,) = found["verifications"]["nodes"]
    assert (verdict["verdict"], verdict["keyStatus"], verdict["confidence"]) == ("CHALLENGED", "TRUSTED", 0.8)
    assert verdict["statement"]["signedHash"] == hash_of(first)
    assert verdict["request"]["signedHash"] == hash_of(requests[0])
    assert [(one["criterion"], one["status"], one["evidence"]) for one in verdict["findings"]] == [
        ("source-accuracy", "PASS", ""),
        ("logical-consistency", "FAIL", "The minutes say thirteen metres."),
    ]
    (asked,) = found["second"]["verificationRequests"]["nodes"]
    assert [(one["reason"], one["agent"]["id"]) for one in asked["declines"]["nodes"]] == [
        ("It is not my field.", agent)
    ]


async def test_a_software_agent_states_a_claim_about_bytes_that_the_browser_finds(
    platform: Platform, built: None, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    await settle(platform)
    desk = Desk(tmp_path)

    def visit(browser: Chrome, address: str) -> None:
        desk.open(browser, address)
        desk.make_key("Ada", "a person")
        desk.register()
        desk.visit("desk/new-statement")
        desk.wait_for("main", "This message is signed by a software agent, and Ada is a person.")
        desk.visit("desk")
        desk.make_key("Desk of Ada", "a software agent")
        desk.register()
        desk.visit("desk/new-statement")
        # A page may show a line break of the bytes as a space, or spaces as one.
        desk.state("The height limit is raised.", QUOTE.replace(" ", "  ", 1))

    await in_browser(platform, tmp_path, visit)
    query = """{ statements(first: 1) { nodes {
      claimText machineCheck generatedBy { name } citations { quote byteRange { start end } } } } }"""
    (statement,) = (await ask(client, query))["statements"]["nodes"]
    start = SOURCE.index(QUOTE.encode())
    assert (statement["claimText"], statement["machineCheck"]) == ("The height limit is raised.", "PASS")
    assert statement["generatedBy"]["name"] == "Desk of Ada"
    assert statement["citations"] == [
        {"quote": QUOTE, "byteRange": {"start": start, "end": start + len(QUOTE.encode())}}
    ]


class Desk:
    """A person at the desk, in a browser."""

    browser: Chrome
    address: str

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "downloads"

    def open(self, browser: Chrome, address: str) -> None:
        self.browser, self.address = browser, address
        parameters = {"behavior": "allow", "downloadPath": str(self._folder)}
        browser.execute_cdp_cmd("Browser.setDownloadBehavior", parameters)
        self.visit("desk")

    def visit(self, path: str) -> None:
        self.browser.get(f"{self.address}/{path}")

    @property
    def saved(self) -> Path:
        """Return the key file that was saved."""
        (file,) = self._folder.glob("*.key")
        return file

    def make_key(self, name: str, type: str) -> None:
        self.wait_for("main", "Make a key")
        form = self._form("Make the key")
        if not form.is_displayed():
            form.find_element(By.XPATH, "./ancestor::details/summary").click()
        form.find_element(By.XPATH, f".//label[contains(., '{type}')]/input").click()
        texts = [one for one in form.find_elements(By.TAG_NAME, "input") if one.get_attribute("type") != "radio"]
        for field, text in zip(texts, (name, "City", PASSPHRASE, PASSPHRASE), strict=True):
            field.send_keys(text)
        texts[-1].send_keys(Keys.ENTER)
        self.wait_for("main", "The node does not know the agent yet.")
        assert PASSPHRASE not in self.browser.current_url and "did:key" not in self.browser.current_url

    def save_key(self) -> None:
        self._press("Save the encrypted key file")
        WebDriverWait(self.browser, PATIENCE).until(lambda _: [*self._folder.glob("*.key")])
        time.sleep(0.2)  # the browser renames a file that is complete
        kept = self.browser.execute_async_script(
            """const done = arguments[0], request = indexedDB.open("a2ap-desk", 1);
            request.onsuccess = () => {
              const all = request.result.transaction("identities").objectStore("identities").getAll();
              all.onsuccess = async () => {
                const [{ key }] = all.result;
                const failed = await crypto.subtle.exportKey("pkcs8", key).then(() => "", (error) => error.name);
                request.result.close();
                done([key.extractable, failed]);
              };
            };"""
        )
        assert kept == [False, "InvalidAccessError"]

    def register(self) -> None:
        self._press("Register the agent")
        self.wait_for("main", "The node took in the message.")
        self.wait_for("main", "✓ The receipt and its proof")

    def challenge_with_the_keyboard(self, evidence: str) -> None:
        """Fill in and submit the form of a verdict without a mouse."""
        self.wait_for("main", "Sign and submit the verdict")
        self._enabled("Sign and submit the verdict")
        first = self.browser.find_element(By.XPATH, "//fieldset[contains(., 'source accuracy')]//input")
        first.send_keys(Keys.SPACE)
        second = self.browser.find_element(By.XPATH, "//fieldset[contains(., 'logical consistency')]//input")
        second.send_keys(Keys.SPACE)
        self.browser.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
        self.browser.switch_to.active_element.send_keys(Keys.TAB)
        self.browser.switch_to.active_element.send_keys(evidence)
        assert "Challenged" in shown(self.browser, "fieldset strong")
        self._button("Sign and submit the verdict").send_keys(Keys.ENTER)
        self.wait_for("main", "✓ The receipt and its proof")

    def decline(self, reason: str) -> None:
        self._enabled("Decline the request")
        self._press("Decline the request")
        self.wait_for("[role=alert]", "A decline says why")
        self.browser.find_element(By.XPATH, "//label[starts-with(., 'Reason')]/textarea").send_keys(reason)
        self._press("Decline the request")
        self.wait_for("main", "✓ The receipt and its proof")

    def state(self, claim: str, quote: str) -> None:
        self.wait_for("main", "Find the words and cite them")
        Select(self.browser.find_element(By.XPATH, "//label[starts-with(., 'Source')]/select")).select_by_index(0)
        area = self.browser.find_element(By.XPATH, "//label[starts-with(., 'Words of the source')]/textarea")
        area.send_keys("words that stand nowhere")
        self._press("Find the words and cite them")
        self.wait_for("[role=alert]", "do not stand in the bytes of the source")
        area.clear()
        area.send_keys(quote)
        self._press("Find the words and cite them")
        self.wait_for("blockquote", " ".join(quote.split()))
        self.browser.find_element(By.XPATH, "//label[starts-with(., 'The claim')]/textarea").send_keys(claim)
        self._enabled("Sign and submit the statement")
        self._press("Sign and submit the statement")
        self.wait_for("main", "✓ The receipt and its proof")

    def follow(self, selector: str, text: str) -> None:
        """Click the link of this text among those that a selector finds."""
        links = self.browser.find_elements(By.CSS_SELECTOR, selector)
        next(link for link in links if text in link.text).click()

    def wait_for(self, selector: str, text: str) -> None:
        WebDriverWait(self.browser, PATIENCE).until(
            lambda browser: text in re.sub(r"\s+", " ", shown(browser, selector))
        )

    def _form(self, words: str) -> WebElement:
        return self.browser.find_element(By.XPATH, f"//form[.//button[contains(., '{words}')]]")

    def _button(self, words: str) -> WebElement:
        return self.browser.find_element(By.XPATH, f"//button[contains(., '{words}')]")

    def _enabled(self, words: str) -> None:
        WebDriverWait(self.browser, PATIENCE).until(lambda _: self._button(words).is_enabled())

    def _press(self, words: str) -> None:
        self._button(words).click()


@pytest.mark.parametrize("path", ["desk", "desk/new-statement", "desk/statements/x"])
async def test_a_program_finds_nothing_at_the_desk(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(f"/{path}", headers={"accept": "application/json"})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
