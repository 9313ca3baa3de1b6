"""The checker of files: served under its own policy; from a disk, in a real browser, one altered byte is red."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from chromium import NoChromiumError, chromium
from http_client import client
from page_browser import built, miss
from page_reader import BROWSER, open_page
from platform_fixture import platform
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from graph.http import assets
from graph.platform import Platform
from graph.web import verify

__all__ = ["built", "client", "platform"]

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "web" / "src" / "proof" / "fixtures"
LOG_KEY = (FIXTURES / "log-key.txt").read_text().strip()
FILES = ("statement.json", "receipt.json", "key-registration.json", "registration.json", "source.vtt", "checkpoint.txt")
ALTERED = {
    "statement.json": (b'"text": "The ', "document hash"),
    "receipt.json": (b'"signedHash": "sha256:', "receipt members"),
    "registration.json": (b'"publisher":"', "document signature"),
    "source.vtt": (b"The new ", "source hash"),
    "checkpoint.txt": (b"\n15\n", "checkpoint signature"),
}
"""A place in each file, after these bytes, and the check that fails if the byte there is another."""


@pytest.fixture
def checker(built: None) -> Path:
    """Return the built page."""
    return ROOT / "graph" / "http" / assets.FOLDER / "verify.html"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    try:
        with chromium(tmp_path_factory.mktemp("profile")) as session:
            yield session
    except NoChromiumError as error:
        miss(str(error))


async def test_the_checker_is_served_under_the_policy_of_its_own_script(
    platform: Platform, client: httpx.AsyncClient, checker: Path
) -> None:
    answer = await client.get("/verify", headers={"accept": BROWSER})
    policy = answer.headers["content-security-policy"]
    assert answer.text == checker.read_text() and "script-src 'sha256-" in policy
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy


async def test_until_the_checker_is_built_the_page_says_so(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify, "FOLDER", "nowhere")
    page = await open_page(client, "/verify")
    assert "make web" in page.one("main").text


def test_files_that_hold_pass_each_check_without_a_server(checker: Path, browser: Chrome) -> None:
    said, checks = verified(browser, checker, [FIXTURES / name for name in FILES])
    assert "hold" in said and checks and not [line for line in checks if "fail" in line.lower()], checks


@pytest.mark.parametrize("altered", ALTERED)
def test_one_altered_byte_is_red_and_names_the_check(
    checker: Path, browser: Chrome, tmp_path: Path, altered: str
) -> None:
    before, check = ALTERED[altered]
    files = [tmp_path / name for name in FILES]
    for file in files:
        content = bytearray((FIXTURES / file.name).read_bytes())
        if file.name == altered:
            content[content.index(before) + len(before)] ^= 1
        file.write_bytes(content)
    said, checks = verified(browser, checker, files)
    assert "fail" in said
    assert check in {line.splitlines()[0].partition("fails ")[2] for line in checks if "fails" in line}, checks


def test_a_check_without_its_key_is_neither_green_nor_red(checker: Path, browser: Chrome) -> None:
    files = [FIXTURES / name for name in ("receipt.json", "statement.json", "registration.json")]
    said, checks = verified(browser, checker, files, key="")
    assert said == "A key or a file is missing to check 2 of 3 files: receipt.json, statement.json."
    assert not [line for line in checks if "fails" in line.splitlines()[0]], checks
    open_checks = browser.find_elements(By.CSS_SELECTOR, ".proof-list > .proof-open")
    assert {line.text.splitlines()[0] for line in open_checks} == {
        "? not checked checkpoint signature",
        "? not checked document signature",
    }
    assert len(browser.find_elements(By.CSS_SELECTOR, ".file-open")) == 2
    assert len(browser.find_elements(By.CSS_SELECTOR, ".file-holds")) == 1
    assert not browser.find_elements(By.CSS_SELECTOR, ".file-fails, .proof-failed")


def verified(browser: Chrome, page: Path, files: list[Path], key: str = LOG_KEY) -> tuple[str, list[str]]:
    """Open the page from the disk, give it the log's key and files, and return its summary and its lines of checks."""
    browser.get(page.as_uri())
    browser.find_element(By.ID, "log-keys").send_keys(key)
    browser.find_element(By.ID, "files").send_keys("\n".join(str(file) for file in files))
    status = browser.find_element(By.CSS_SELECTOR, '[role="status"]')
    WebDriverWait(browser, 30).until(lambda _: status.text and "being verified" not in status.text)
    lines = [line.text for line in browser.find_elements(By.CSS_SELECTOR, ".proof-list > li")]
    return status.text, lines
