"""Pages of records: the lists, and the pages of a Context Passport, a Context Pack and a Context Packet."""

import asyncio
import json
import re
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from builders import agent_id, agent_key, key_id, signed_statement
from chromium import NoChromiumError, chromium
from http_client import client
from packet_world import packet, records_of
from packs import STEPS, pack
from page_reader import Parsed, open_page, open_past_page
from passports import Maker, line, signed_world
from platform_fixture import platform
from scenario import AUTHOR, accept, hash_of, settle, verified_world
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from served import served

from a2ap.pack.archive import write_archive
from a2ap.pack.execution_log import LogModel
from a2ap.packet.packet import Exclusion, OpenLoop, ReturnContract
from a2ap.passport.building import write_passport
from graph.http.assets import built_entry
from graph.platform import Platform
from graph.web.page import SCRIPT
from graph.web.passport import steps_of

__all__ = ["client", "platform"]

NOWHERE = "sha256:" + "0" * 64
HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)"> {{ 7 * 7 }} \u202etxt.exe'
PARENT = pack()
CHILD = pack("2026-02-01T00:00:00Z", PARENT.hash, steps=STEPS[1:])


async def hand_in(client: httpx.AsyncClient, path: str, content: bytes, boundary: str = "public") -> list[str]:
    answer = await client.post(f"{path}?boundary={boundary}", content=content)
    assert answer.status_code in (200, 201), answer.text
    return [record["recordHash"] for record in answer.json()["records"]]


async def hand_in_chain(client: httpx.AsyncClient, records: list[bytes], boundary: str = "public") -> list[str]:
    return await hand_in(client, "/passports", b"[" + b",".join(records) + b"]", boundary)


async def hand_in_packs(client: httpx.AsyncClient, boundary: str = "public") -> None:
    await hand_in(client, "/packs", write_archive([PARENT, CHILD]), boundary)


async def hand_in_one_of_each(client: httpx.AsyncClient, statement: str) -> list[str]:
    """Hand in records of each kind, and return the address of a page of each."""
    names = await hand_in_chain(client, signed_world(agent_id(AUTHOR), agent_key(AUTHOR), key_id(AUTHOR)))
    await hand_in_packs(client)
    content = packet(1, statement, NOWHERE, signer=AUTHOR)
    (first,) = await hand_in(client, "/packets", content)
    for record in records_of(content, AUTHOR):
        await hand_in(client, "/packet-records", record)
    return [f"passports/{names[3]}", f"packs/{PARENT.hash}", f"packets/{first}"]


def words(page: Parsed) -> str:
    """Return the words of a page, with one space between them."""
    return re.sub(r"\s+", " ", page.one("main").text)


def is_inert(page: Parsed) -> bool:
    """Say whether a page has no image, no script but its own, and no attribute that runs."""
    names = {name for element in page.elements for name in element.attributes}
    scripts = [element for element in page.named("script") if "src" not in element.attributes]
    return not list(page.named("img")) and not scripts and not any(name.startswith("on") for name in names)


async def test_records_are_listed_by_kind_with_filters_and_pages(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    chain = await hand_in_chain(client, signed_world(agent_id(AUTHOR), agent_key(AUTHOR), key_id(AUTHOR)))
    await hand_in_packs(client)
    (first,) = await hand_in(client, "/packets", packet(1, NOWHERE, NOWHERE))
    everything = await open_page(client, "/records")
    for address in (f"passports/{chain[0]}", f"packs/{PARENT.hash}", f"packets/{first}", "records?kind=packs"):
        assert f"./{address}" in everything.links
    forks = await open_page(client, "/records?kind=passports&event=fork&agent=")
    assert [link for link in forks.links if "passports/" in link] == [f"./passports/{chain[2]}"]
    assert [e.attributes["value"] for e in forks.named("input") if e.attributes.get("name") == "event"] == ["fork"]
    empty = await open_page(client, "/records?kind=packets&recipient=nobody")
    assert "None meets the filter" in words(empty)
    assert f"./packets/{first}" in (await open_page(client, "/records?kind=packets&superseded=false")).links


async def test_a_long_list_of_records_is_turned_page_by_page_and_back(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    names = await hand_in_chain(client, [write_passport(one) for one in line(55)])
    newest = await open_page(client, "/records?kind=passports&branch=main")
    (older,) = [link for link in newest.links if "after=" in link]
    oldest = await open_page(client, "/" + older.removeprefix("./"))
    (newer,) = [link for link in oldest.links if "before=" in link]
    back = await open_page(client, "/" + newer.removeprefix("./"))
    shown = [
        [link.removeprefix("./passports/") for link in page.links if "/passports/" in link]
        for page in (newest, oldest, back)
    ]
    assert shown[0] + shown[1] == names[::-1] and shown[2] == shown[0] and "branch=main" in older


@pytest.mark.parametrize("query", ["kind=things", "kind=packets&superseded=maybe", "kind=packs&after=nonsense"])
async def test_a_list_that_cannot_be_made_is_one_clear_error(client: httpx.AsyncClient, query: str) -> None:
    assert "INVALID_INPUT" in (await open_page(client, f"/records?{query}", 400)).one("dl").text


async def test_the_hash_of_a_record_leads_to_its_page(platform: Platform, client: httpx.AsyncClient) -> None:
    (passport,) = await hand_in_chain(client, [write_passport(line(1)[0])])
    await hand_in_packs(client)
    (first,) = await hand_in(client, "/packets", packet(1, NOWHERE, NOWHERE))
    for name, address in ((passport, "passports"), (PARENT.hash, "packs"), (first, "packets")):
        answer = await client.get(f"/records/{name}", headers={"accept": "text/html"})
        assert (answer.status_code, answer.headers["location"]) == (307, f"../{address}/{name}")
    for address in (f"/records/{NOWHERE}", f"/passports/{NOWHERE}", f"/packs/{NOWHERE}", f"/packets/{NOWHERE}"):
        await open_page(client, address, 404)


async def test_a_record_is_a_page_for_a_browser_and_its_bytes_for_a_program(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    record = write_passport(line(1)[0])
    (name,) = await hand_in_chain(client, [record])
    await hand_in_packs(client)
    content = packet(1, NOWHERE, NOWHERE)
    (first,) = await hand_in(client, "/packets", content)
    pairs = ((f"/passports/{name}", record), (f"/packs/{PARENT.hash}", PARENT.data), (f"/packets/{first}", content))
    for address, expected in pairs:
        assert (await client.get(address)).content == expected
        page = await open_page(client, address)
        (twin,) = [link for link in page.links if "_mediatype" in link]
        answer = await client.get(twin.removeprefix(".."), headers={"accept": "text/html"})
        assert answer.content == expected


async def test_a_passport_shows_its_chain_with_fork_and_merge_its_agents_and_its_state(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    names = await hand_in_chain(client, signed_world(agent_id(AUTHOR), agent_key(AUTHOR), key_id(AUTHOR)))
    page = await open_page(client, f"/passports/{names[3]}")
    text = words(page)
    steps = [element for element in page.named("li") if element.attributes.get("id", "").startswith("step-")]
    assert [step.attributes["class"] for step in steps] == ["lane-0", "lane-0", "lane-1", "lane-0", "lane-0"]
    assert [i for i, step in enumerate(steps, 1) if step.attributes.get("aria-current")] == [4]
    assert "fork" in steps[0].text and "merge" in steps[3].text
    assert "after step 2 and step 3" in re.sub(r"\s+", " ", steps[3].text)
    assert "proved by a signature" in steps[0].text and "as stated" in steps[1].text
    assert f"../agents/{agent_id(AUTHOR)}" in page.links
    for section in ("State after this record", "Findings", "Chain (5 records)"):
        assert section in text
    (check,) = [e for e in page.named("div") if e.attributes.get("data-module") == "record-check"]
    assert check.attributes["data-records"].split() == names and check.attributes["data-record"] == names[3]


async def test_a_passport_that_was_altered_is_shown_as_broken_with_the_reason(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    records = line(3)
    records[1]["payload"]["output"] = "altered"
    names = await hand_in_chain(client, [write_passport(one) for one in records])
    page = await open_page(client, f"/passports/{names[1]}")
    assert "chain broken" in words(page) and "Errors: a check failed" in words(page)
    assert "payload hash mismatch" in words(page)
    good = await open_page(client, f"/passports/{names[0]}")
    assert "chain valid" in words(good)


async def test_a_page_shows_no_bytes_of_a_record_above_the_clearance_of_its_reader(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    maker = Maker()
    maker.root({"output": "the secret word"})
    (name,) = await hand_in_chain(client, [write_passport(maker.records[0])], "confidential")
    await hand_in_packs(client, "confidential")
    (first,) = await hand_in(client, "/packets", packet(1, NOWHERE, NOWHERE), "confidential")
    for address, hidden in (
        (f"/passports/{name}", "the secret word"),
        (f"/packs/{PARENT.hash}", "readme.md"),
        (f"/packets/{first}", "Write a summary"),
    ):
        page = await open_page(client, address)
        assert "withheld" in words(page) and hidden not in page.one("html").text
        assert not [e for e in page.named("div") if e.attributes.get("data-module") == "record-check"]
        assert not [link for link in page.links if "_mediatype" in link]


async def test_a_pack_shows_its_steps_contents_and_relatives_and_the_statements_of_its_run(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    await hand_in_packs(client)
    statement = signed_statement(AUTHOR, generated_by=(PARENT.hash,))
    await accept(platform, statement)
    page = await open_page(client, f"/packs/{PARENT.hash}")
    text = words(page)
    for found in ("read_file", '{ "path": "readme.md" }', "readme.md", "7 bytes", "summary.txt", "Parameters of the"):
        assert found in text, found
    assert "nothing missing, nothing altered" in text
    for name in PARENT.blobs:
        assert f"../packs/{PARENT.hash}/content/{name}" in page.links
    assert {f"../packs/{CHILD.hash}", f"../statements/{hash_of(statement)}"} <= set(page.links)
    child = await open_page(client, f"/packs/{CHILD.hash}")
    assert f"../packs/{PARENT.hash}" in child.links
    by_uri = await open_page(client, f"/packs/{PARENT.hash.removeprefix('sha256:')}")
    assert by_uri.one("h1").text == page.one("h1").text


async def test_a_pack_shows_numbers_as_its_manifest_has_them(platform: Platform, client: httpx.AsyncClient) -> None:
    step = replace(STEPS[1], parameters={"byteRanges": [[983, 1021]], "confidence": 0.5})
    one = pack(model=LogModel("gpt-4", {"seed": 7}), steps=(step,))
    await hand_in(client, "/packs", write_archive([one]), "public")
    text = words(await open_page(client, f"/packs/{one.hash}"))
    assert '{ "byteRanges": [ [ 983, 1021 ] ], "confidence": 0.5 }' in text and '{ "seed": 7 }' in text


async def test_a_packet_shows_items_with_evidence_gaps_terms_and_decisions(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    target = hash_of(world.statement)
    content = packet(
        1,
        target,
        NOWHERE,
        signer=AUTHOR,
        return_contract=ReturnContract(requires_human_review=True, expected_outputs=("summary",)),
        open_loops=(OpenLoop("olp_1", "Is the limit in force?"),),
        exclusions=(Exclusion("boundary", None, 3),),
    )
    (name,) = await hand_in(client, "/packets", content)
    for record in records_of(content, AUTHOR, "The limit is twelve metres."):
        await hand_in(client, "/packet-records", record)
    page = await open_page(client, f"/packets/{name}")
    text = words(page)
    for found in (
        "Write a summary.",
        "urn:agent:assembler",
        "urn:agent:reader",
        "Is the limit in force?",
        "3 items, reason boundary",
        "requires human reviewyes",
        "The limit is twelve metres.",
        "promoted",
        "It is so.",
        "holds under did:key:",
    ):
        assert found.lower() in text.lower(), found
    assert f"../statements/{target}" in page.links and "signed by" in text
    quotes = [element.text for element in page.named("blockquote")]
    assert any(quote in json.loads(world.statement)["evidence"][0]["quoteText"] for quote in quotes)


async def test_hostile_words_of_records_are_text_alone(platform: Platform, client: httpx.AsyncClient) -> None:
    maker = Maker()
    maker.root({"output": HOSTILE, "variables": {HOSTILE: HOSTILE}})
    maker.records[0]["created_by"]["agent_name"] = HOSTILE
    (name,) = await hand_in_chain(client, [write_passport(maker.records[0])])
    (first,) = await hand_in(client, "/packets", packet(1, NOWHERE, NOWHERE, purpose=HOSTILE))
    for address in (f"/passports/{name}", f"/packets/{first}", "/records", f"/records?kind=packs&model={HOSTILE}"):
        page = await open_page(client, address)
        assert is_inert(page), address
        assert "\u202e" not in page.one("main").text, address


async def test_a_page_of_the_past_shows_the_chain_of_its_time(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    names = [(await hand_in_chain(client, [write_passport(one)]))[0] for one in line(3)]
    now = await open_page(client, f"/passports/{names[0]}")
    assert "Chain (3 records)" in words(now)
    entries = sorted({int(link.rpartition("/")[2]) for link in now.links if "/log/" in link})
    then = await open_past_page(client, f"/passports/{names[0]}?asOf={entries[1] + 1}")
    assert "Chain (2 records)" in words(then)


def test_parents_come_before_their_children_whatever_comes_first() -> None:
    def record(name: str, *parents: str) -> dict[str, object]:
        return {"recordHash": name, "parents": [{"recordHash": one} for one in parents]}

    steps = steps_of([record("merge", "a", "b"), record("a", "root"), record("root"), record("b", "root")])
    assert [step.record["recordHash"] for step in steps] == ["root", "a", "b", "merge"]
    assert [(step.lane, step.parents, step.forks) for step in steps] == [
        (0, (), True),
        (0, (1,), False),
        (1, (1,), False),
        (0, (2, 3), False),
    ]
    circle = steps_of([record("one", "other"), record("other", "one")])
    assert len(circle) == 2


async def test_the_browser_checks_each_kind_of_record_and_a_changed_copy_is_red(
    platform: Platform, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    if built_entry(SCRIPT) is None:
        pytest.skip("the scripts are not built: python build_web.py")
    await settle(platform)
    names = await hand_in_chain(client, signed_world(agent_id(AUTHOR), agent_key(AUTHOR), key_id(AUTHOR)))
    await hand_in_packs(client)
    (first,) = await hand_in(client, "/packets", packet(1, NOWHERE, NOWHERE, signer=AUTHOR))
    pages = {
        f"passports/{names[3]}": ("payload hash", "integrity hash", "record signature"),
        f"packs/{PARENT.hash}": ("manifest hash", "content"),
        f"packets/{first}": ("packet hash", "packet signature"),
    }
    try:
        with chromium(tmp_path / "profile") as browser:
            async with served(platform) as address:
                for path, checks in pages.items():
                    await asyncio.to_thread(check_and_sabotage, browser, f"{address}/{path}", checks)
    except NoChromiumError as error:
        pytest.skip(str(error))


def check_and_sabotage(browser: Chrome, address: str, checks: tuple[str, ...]) -> None:
    wait = WebDriverWait(browser, 30)

    def says(words: str) -> None:
        wait.until(lambda _: words in browser.find_element(By.CSS_SELECTOR, "[data-module] [aria-live]").text)

    browser.get(address)
    says("checks hold")
    listed = browser.find_element(By.CSS_SELECTOR, ".proof-checks").get_attribute("textContent")
    assert listed is not None and all(check in listed for check in checks)
    browser.find_element(By.CSS_SELECTOR, "[data-module] button").click()
    says("checks failed")
    assert browser.find_elements(By.CSS_SELECTOR, ".proof-summary.bad") and "fails" in browser.page_source
    browser.find_element(By.CSS_SELECTOR, "[data-module] button").click()
    says("checks hold")
