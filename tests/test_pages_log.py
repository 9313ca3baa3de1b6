"""The pages of the log: its checkpoint and entries, one entry with its path to the root, and checks in a browser."""

import json
from pathlib import Path

import httpx
from builders import agent_id, signed_registration
from http_client import client
from page_browser import PATIENCE, built, in_browser, shown
from page_reader import BROWSER, open_page
from platform_fixture import platform
from scenario import AUTHOR, VERIFIER_A, accept, hash_of, verified_world
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import presence_of_element_located
from selenium.webdriver.support.ui import Select, WebDriverWait

from a2ap.canonical import sha256_digest
from a2ap.log.log_proof import read_log_proof
from a2ap.log.merkle import hash_leaf
from graph.platform import Platform
from graph.web.merkle_path import drawing_of, path_of

__all__ = ["built", "client", "platform"]


async def test_the_log_shows_its_checkpoint_and_the_newest_entries_first(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await verified_world(platform)
    page = await open_page(client, "/log")
    text = page.one("main").text
    size = platform.log.checkpoint.tree_size
    assert platform.log.origin in text and platform.log.verifier_key.text in text
    assert "No witness has cosigned this checkpoint." in text and "asks no witness" in text
    rows = [int(e.text) for e in page.named("th") if e.attributes.get("scope") == "row"]
    assert rows == list(range(size - 1, max(size - 26, -1), -1))
    for link in ("log/checkpoint", f"log/tile/0/000.p/{size}", f"log/tile/entries/000.p/{size}", "log/equivocations"):
        assert f"./{link}" in page.links
        assert (await client.get(f"/{link}")).status_code == 200


async def test_entries_are_filtered_by_type_and_agent(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    page = await open_page(client, f"/log?type=VerificationResponse&agent={agent_id(VERIFIER_A)}")
    cells = [e.text.strip() for e in page.named("td")]
    assert cells[::3] == ["Verification response"]
    chosen = [e.attributes["value"] for e in page.named("option") if "selected" in e.attributes]
    assert chosen == ["VerificationResponse"]
    none = await open_page(client, "/log?agent=urn:agent:nobody")
    assert "No entry matches." in none.one("main").text
    wrong = await open_page(client, "/log?type=Nonsense", 400)
    assert "Nonsense" in wrong.one("main").text


async def test_entries_are_paged_in_both_directions(platform: Platform, client: httpx.AsyncClient) -> None:
    await accept(platform, *(signed_registration(number) for number in range(100, 130)))
    first = await open_page(client, "/log?type=AgentRegistration")
    (older,) = [e.attributes["href"] for e in first.named("a") if e.attributes.get("rel") == "next"]
    second = await open_page(client, f"/log{older}")
    (newer,) = [e.attributes["href"] for e in second.named("a") if e.attributes.get("rel") == "prev"]
    again = await open_page(client, f"/log{newer}")
    rows = [[e.text for e in page.named("th") if e.attributes.get("scope") == "row"] for page in (first, second, again)]
    assert len(rows[0]) == 25 and rows[1] and rows[0] == rows[2] and not set(rows[0]) & set(rows[1])
    assert "type=AgentRegistration" in older and "after" not in newer


async def test_an_earlier_size_of_the_log_has_its_entries_alone(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    page = await open_page(client, "/log?asOf=3")
    assert [e.text for e in page.named("th") if e.attributes.get("scope") == "row"] == ["2", "1", "0"]
    await open_page(client, "/log/3?asOf=3", 404)
    await open_page(client, "/log/2?asOf=3")


async def test_an_entry_shows_its_members_and_the_drawn_path(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    index = await index_of(client, hash_of(world.statement))
    page = await open_page(client, f"/log/{index}")
    text = page.one("main").text
    assert page.one("h1").text == f"Log entry {index}" and sha256_digest(world.statement) in text
    assert f"../statements/{hash_of(world.statement)}" in page.links
    receipt = (await client.get(f"/log/{index}")).json()
    proof = read_log_proof(receipt["proof"])
    path = path_of(receipt["entry"].encode(), index, platform.log.checkpoint.tree_size, proof.hashes)
    assert path.root == platform.log.checkpoint.root_hash.hex()
    drawn = {e.attributes["data-hash"] for e in page.named("g")}
    assert drawn == {path.leaf, *(step.node for step in path.steps), *(step.sibling for step in path.steps)}
    listed = [e.text for e in page.named("code") if "data-hash" in e.attributes]
    assert listed == [path.leaf, *(step.node for step in path.steps)]
    block = json.loads(next(e for e in page.named("script") if e.attributes.get("type") == "application/json").text)
    assert block["entry"] == receipt["entry"] and block["proof"] + block["checkpoint"] == receipt["proof"]
    assert [key["id"] for key in block["agentKeys"]] == [f"{agent_id(AUTHOR)}#key-1"]


async def test_an_entry_gives_its_receipt_and_document_as_files_to_verify(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    index = await index_of(client, hash_of(world.statement))
    page = await open_page(client, f"/log/{index}")
    saved = {e.attributes["download"]: e.attributes["href"] for e in page.named("a") if "download" in e.attributes}
    assert list(saved) == [f"a2ap-receipt-{index}.json", f"a2ap-document-{index}.json"]
    receipt, document = [await client.get(f"/log/{link}", headers={"accept": BROWSER}) for link in saved.values()]
    assert receipt.json()["logIndex"] == index and document.content == world.statement
    assert "../verify" in page.links


async def test_every_path_that_a_page_draws_leads_to_the_root(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    await platform.log.refresh()
    checkpoint = platform.log.checkpoint
    for index in range(checkpoint.tree_size):
        receipt = (await client.get(f"/log/{index}")).json()
        hashes = read_log_proof(receipt["proof"]).hashes
        path = path_of(receipt["entry"].encode(), index, checkpoint.tree_size, hashes)
        assert path.root == checkpoint.root_hash.hex()
        drawing = drawing_of(path, index)
        assert (drawing.nodes[0].hash, drawing.nodes[-1].hash) == (
            hash_leaf(receipt["entry"].encode()).hex(),
            path.root,
        )
        assert all(0 < node.y < drawing.height and 0 < node.x < drawing.width for node in drawing.nodes)


async def test_an_entry_that_is_not_there_is_no_page(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    for index in ("1000", str(2**31), str(2**70)):
        page = await open_page(client, f"/log/{index}", 404)
        assert f"no log entry {index} is here" in page.one("main").text
        assert (await client.get(f"/log/{index}")).json()["code"] == "NOT_FOUND"
    assert (await client.get("/log/checkpoint", headers={"accept": BROWSER})).text.startswith(platform.log.origin)


async def index_of(client: httpx.AsyncClient, signed_hash: str) -> int:
    """Return the log index of a statement."""
    query = "query ($id: ID!) { statement(id: $id) { logIndex } }"
    answer = await client.post("/graphql", json={"query": query, "variables": {"id": signed_hash}})
    index: int = answer.json()["data"]["statement"]["logIndex"]
    return index


async def test_a_browser_checks_an_entry_and_finds_a_flipped_byte(
    platform: Platform, client: httpx.AsyncClient, built: None, tmp_path: Path
) -> None:
    world = await verified_world(platform)
    index = await index_of(client, hash_of(world.statement))
    own = platform.log.verifier_key.text

    def visit(browser: Chrome, address: str) -> None:
        browser.get(f"{address}/log/{index}")
        waiting = WebDriverWait(browser, PATIENCE)
        waiting.until(lambda _: "computed in this browser" in shown(browser, "[data-part=summary]"))
        assert shown(browser, "[data-part=summary]").startswith("6 checks hold")
        path = browser.find_elements(By.CSS_SELECTOR, ".merkle-steps .held")
        assert len(path) == len(browser.find_elements(By.CSS_SELECTOR, ".merkle-steps li"))
        for part, check in (
            ("document", "document hash"),
            ("receipt: the entry", "leaf"),
            ("receipt: the checkpoint", "checkpoint signature"),
            ("receipt: the proof", "inclusion"),
        ):
            Select(browser.find_element(By.NAME, "part")).select_by_visible_text(part)
            browser.find_element(By.CSS_SELECTOR, "[data-part=sabotage] button").click()
            failing = f"[data-part=sabotage-result] [data-check='{check}'][data-result=fails]"
            waiting.until(presence_of_element_located((By.CSS_SELECTOR, failing)))
        size = len(world.statement)
        for place in (str(size), "-1", "x"):
            Select(browser.find_element(By.NAME, "part")).select_by_visible_text("document")
            field = browser.find_element(By.NAME, "place")
            field.clear()
            field.send_keys(place)
            browser.find_element(By.CSS_SELECTOR, "[data-part=sabotage] button").click()
            words = f"There is no byte {place} in the document: its bytes are 0 to {size - 1}."
            waiting.until(lambda _: shown(browser, "[data-part=sabotage-result]") == words)  # noqa: B023
        browser.find_element(By.CSS_SELECTOR, "[name=key]").send_keys(own)
        browser.find_element(By.XPATH, "//button[text()='Check with these keys']").click()
        waiting.until(lambda _: "is the key that this node names" in shown(browser, "[data-part=key-result]"))

    await in_browser(platform, tmp_path, visit)
