"""The session of a browser: a token in a cookie stands for the header, and no other page or cache profits from it."""

import asyncio
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest
from builders import envelope_of
from cypher_world import SECRET, hide_a_source
from http_client import OPERATOR, READERS, bearer, client, open_client, sign_in
from hypothesis import given
from hypothesis import strategies as st
from page_browser import PATIENCE, built, in_browser, shown
from page_reader import BROWSER, Parsed, open_page, parsed
from platform_fixture import platform
from scenario import settle
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from graph.http.readers import PATIENCE as PATIENCE_OF_READERS
from graph.http.session import COOKIE, ENCRYPTED_COOKIE, MOST_CHARACTERS, opening_cookie, token_of
from graph.platform import Platform
from graph.web.session import local_path

__all__ = ["built", "client", "platform"]

ASK = """return fetch("graphql", {
  method: "POST",
  headers: {"content-type": "application/json"},
  body: JSON.stringify({query: "{ nodeStatus { engine } }"}),
}).then((answer) => answer.text())"""
FORM = {"accept": BROWSER}


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1))
def test_the_cookie_has_the_token_whatever_its_characters(token: str) -> None:
    cookie = opening_cookie(token, is_encrypted=True).partition(";")[0]
    assert token_of(f"theme=dark; {cookie}; last=1") == token


def test_cookies_of_other_servers_in_any_form_hide_no_session() -> None:
    cookie = opening_cookie(OPERATOR, is_encrypted=False).partition(";")[0]
    for other in ('a={"x": 1}', "name", "path=/", "version=1", "\u00e4=\u00f6", "=", ";;"):
        assert token_of(f"{other}; {cookie}") == OPERATOR


@given(st.text())
def test_a_cookie_of_any_text_is_a_token_or_none(text: str) -> None:
    token = token_of(f"{COOKIE}={text}")
    assert token is None or (token.isascii() and token.isprintable())


@pytest.mark.parametrize(
    "address",
    [
        "https://elsewhere.example/",
        "//elsewhere.example",
        "/\\elsewhere.example",
        "javascript:1",
        "a/../../b",
        "%2e%2e/%2e%2e/x",
    ],
)
def test_no_form_leads_to_another_site(address: str) -> None:
    assert local_path(address) == ""


def test_the_form_leads_back_to_a_page_of_the_node() -> None:
    for address in ("agents/urn:agent:one?asOf=3", "ask?q=Well...", "topics/a..b"):
        assert local_path(address) == address


async def test_a_session_shows_the_texts_that_its_token_is_cleared_for(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    address = f"/statements/{envelope_of(await hide_a_source(platform)).signed_hash}"
    assert SECRET not in (await client.get(address, headers=FORM)).text
    answer = await sign_in(client, OPERATOR, to=address.removeprefix("/"))
    assert answer.status_code == 303 and answer.headers["location"] == f".{address}"
    assert SECRET in (await client.get(address, headers=FORM)).text
    await client.post("/session/end", headers=FORM)
    assert SECRET not in (await client.get(address, headers=FORM)).text


def test_the_cookie_of_an_encrypted_connection_counts_before_any_other() -> None:
    own, tossed = opening_cookie(OPERATOR, is_encrypted=True), opening_cookie("another", is_encrypted=False)
    pairs = [one.partition(";")[0] for one in (own, tossed)]
    assert token_of("; ".join(pairs)) == token_of("; ".join(reversed(pairs))) == OPERATOR


async def test_the_cookie_is_read_by_no_script_and_sent_by_no_other_site(client: httpx.AsyncClient) -> None:
    answer = await sign_in(client, OPERATOR)
    morsel = SimpleCookie(answer.headers["set-cookie"])[COOKIE]
    assert morsel["httponly"] and morsel["samesite"] == "Strict" and morsel["path"] == "/" and not morsel["secure"]
    assert OPERATOR not in str(answer.headers) and "location" in answer.headers


async def test_the_cookie_of_an_encrypted_connection_is_sent_over_no_other(client: httpx.AsyncClient) -> None:
    answer = await client.post("https://a2ap.test/session", data={"token": OPERATOR}, headers=FORM)
    assert SimpleCookie(answer.headers["set-cookie"])[ENCRYPTED_COOKIE]["secure"]


async def test_a_wrong_token_opens_no_session(client: httpx.AsyncClient) -> None:
    answer = await sign_in(client, "not-a-token-of-this-node")
    assert answer.status_code == 401 and "set-cookie" not in answer.headers
    assert "The token is unknown." in answer.text and "not-a-token" not in answer.text


async def test_a_wrong_token_is_corrected_on_the_way_to_the_same_page(client: httpx.AsyncClient) -> None:
    answer = await sign_in(client, "not-a-token-of-this-node", to="disputes")
    (back,) = [one for one in parsed(answer.text).named("input") if one.attributes["name"] == "to"]
    assert back.attributes["value"] == "disputes"


async def test_a_longer_token_than_a_cookie_holds_opens_no_session(platform: Platform, tmp_path: Path) -> None:
    token = "t" * (MOST_CHARACTERS + 1)
    async with open_client(platform, tmp_path) as client:
        folder = tmp_path / "readers.json"
        folder.write_text(f'{{"{token}": "internal"}}')
        await asyncio.sleep(PATIENCE_OF_READERS)
        answer = await sign_in(client, token)
    assert answer.status_code == 400 and "opens no session" in answer.text and "set-cookie" not in answer.headers


@pytest.mark.parametrize("token", ["", "ünlike-any-token-here"])
async def test_an_unusable_token_opens_no_session(client: httpx.AsyncClient, token: str) -> None:
    assert (await sign_in(client, token)).status_code == 401


async def test_a_body_that_is_no_form_is_refused(client: httpx.AsyncClient) -> None:
    answer = await client.post("/session", json={"token": OPERATOR})
    assert answer.status_code == 400 and answer.json()["path"] == "Content-Type"
    answer = await client.post("/session", data={"token": "x" * 9000})
    assert answer.status_code == 413


async def test_a_header_counts_and_not_the_cookie_beside_it(client: httpx.AsyncClient) -> None:
    await sign_in(client, OPERATOR)
    query = {"query": "{ nodeStatus { engine } }"}
    assert "errors" not in (await client.post("/graphql", json=query)).json()
    answer = await client.post("/graphql", json=query, headers=bearer(READERS["internal"]))
    assert answer.json()["errors"][0]["extensions"]["code"] == "FORBIDDEN"


async def test_no_shared_cache_keeps_a_page_of_a_session(client: httpx.AsyncClient) -> None:
    answer = await client.get("/agents", headers=FORM)
    assert "Cookie" in answer.headers["vary"] and answer.headers["cache-control"] == "no-cache"
    await sign_in(client, READERS["internal"])
    answer = await client.get("/agents", headers=FORM)
    assert "Cookie" in answer.headers["vary"] and answer.headers["cache-control"] == "private, no-cache"


async def test_a_session_whose_token_was_removed_leads_to_the_form(client: httpx.AsyncClient) -> None:
    client.cookies.set(
        COOKIE, opening_cookie("a-token-that-was-removed", is_encrypted=False).split("=")[1].split(";")[0]
    )
    page = await refused_page(client, "/agents?name=one")
    assert "./session?to=agents%3Fname%3Done" in page.links
    form = await open_page(client, "/session")
    assert "The token of your session is no longer valid." in " ".join(one.text for one in form.named("p"))


async def refused_page(client: httpx.AsyncClient, address: str) -> Parsed:
    answer = await client.get(address, headers=FORM)
    assert answer.status_code == 401 and answer.headers["www-authenticate"] == "Bearer"
    return parsed(answer.text)


async def test_a_public_address_over_https_is_not_the_address_in_the_local_network(
    platform: Platform, tmp_path: Path
) -> None:
    async with open_client(platform, tmp_path, public_url="https://node.example") as client:
        for address, is_encrypted in (("http://node.example", True), ("http://192.0.2.7", False)):
            answer = await client.get(f"{address}/session", headers=FORM)
            assert ("This connection is not encrypted" not in answer.text) is is_encrypted
            sent = {"token": OPERATOR}
            answer = await client.post(f"{address}/session", data=sent, headers=FORM)
            (morsel,) = SimpleCookie(answer.headers["set-cookie"]).values()
            assert (morsel.key == ENCRYPTED_COOKIE) is bool(morsel["secure"]) is is_encrypted


async def test_a_page_that_is_not_there_is_answered_within_the_session(client: httpx.AsyncClient) -> None:
    await sign_in(client, READERS["internal"])
    page = await open_page(client, "/statements/urn:uuid:none", 404)
    assert "../session" in page.links and not any("to=" in link for link in page.links)


async def test_a_token_over_an_open_network_is_warned_about(client: httpx.AsyncClient) -> None:
    warning = "This connection is not encrypted"
    assert warning in (await client.get("/session", headers=FORM)).text
    for address in ("https://a2ap.test/session", "http://localhost/session"):
        assert warning not in (await client.get(address, headers=FORM)).text


async def test_the_operator_signs_in_with_a_browser_and_signs_out(
    platform: Platform, client: httpx.AsyncClient, built: None, tmp_path: Path
) -> None:
    await settle(platform)

    def visit(browser: Chrome, address: str) -> None:
        browser.get(f"{address}/session?to=operator")
        browser.find_element(By.NAME, "token").send_keys(OPERATOR, Keys.ENTER)
        WebDriverWait(browser, PATIENCE).until(lambda one: one.current_url == f"{address}/operator")
        assert "Policy of consensus" in shown(browser, "h2")
        assert browser.execute_script("return document.cookie") == ""
        assert "engine" in browser.execute_script(ASK)
        browser.find_element(By.CSS_SELECTOR, ".sign-out button").click()
        WebDriverWait(browser, PATIENCE).until(lambda one: one.current_url == f"{address}/session")
        assert "FORBIDDEN" in browser.execute_script(ASK)

    await in_browser(platform, tmp_path, visit)
