"""The page of exports: its selection, its preview, the download, and lines that load each file as the page says."""

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import duckdb
import httpx
import pytest
from builders import SOURCE, agent_id, envelope_of, signed_statement
from http_client import client
from page_browser import PATIENCE, built, in_browser, shown
from page_reader import BROWSER, open_page, open_past_page
from platform_fixture import platform
from scenario import STRANGER, accept, hash_of, verified_world
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from a2ap.canonical import sha256_digest
from graph.export import ExportFormat
from graph.platform import Platform
from graph.web.export_guide import GUIDES, Recipe, file_name

__all__ = ["built", "client", "platform"]

HOSTILE = "</td><script>alert(1)</script> \u202e{{ 7 * 7 }}"
RECIPES = [
    (one, recipe)
    for one, guide in GUIDES.items()
    for recipe in guide.recipes
    if recipe.lines.startswith(("import", "from"))
]


async def test_a_browser_gets_a_page_and_a_program_the_export(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    page = await open_page(client, "/export")
    assert "1 statement" in page.one("main").text and "whole graph" in page.one("main").text
    answer = await client.get("/export?format=turtle")
    assert answer.headers["content-type"].startswith("text/turtle")


async def test_the_preview_and_the_download_have_the_same_statements(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    other = signed_statement(STRANGER, claim="The library opens on Sundays.")
    await accept(platform, other)
    verified, unverified = hash_of(world.statement), hash_of(other)
    for query, found in (
        ("", {verified, unverified}),
        ("verified=true", {verified}),
        ("verified=false", {unverified}),
        (f"agent={agent_id(STRANGER)}", {unverified}),
        (f"source={sha256_digest(SOURCE)}", {verified, unverified}),
        (f"source={sha256_digest(SOURCE)}&verified=true&query=height", {verified}),
        ("query=library&verified=true", set()),
    ):
        page = await open_page(client, f"/export?format=json-ld&{query}")
        assert {link.removeprefix("./statements/") for link in page.links if "statements/" in link} == found, query
        (download,) = [e.attributes["href"] for e in page.named("a") if "download" in e.attributes]
        answer = await client.get(download.removeprefix("."), headers={"accept": BROWSER})
        assert answer.headers["content-type"] == "application/ld+json"
        messages = [m for m in answer.json()["@graph"] if m["@type"] == "a2ap:ProvenanceStatement"]
        names = {envelope_of(one).id: hash_of(one) for one in (world.statement, other)}
        assert {names[message["@id"]] for message in messages} == found, query


async def test_every_format_is_offered_and_downloads_from_the_page(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await verified_world(platform)
    assert set(GUIDES) == set(ExportFormat)
    for one in ExportFormat:
        page = await open_page(client, f"/export?format={one}")
        (download,) = [e.attributes["href"] for e in page.named("a") if "download" in e.attributes]
        answer = await client.get(download.removeprefix("."), headers={"accept": BROWSER})
        assert answer.status_code == 200 and "text/html" not in answer.headers["content-type"]
        assert file_name(one) in answer.headers["content-disposition"]


async def test_a_format_without_its_library_is_listed_and_not_preselected(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await verified_world(platform)
    options = [e for e in (await open_page(client, "/export")).named("option") if "selected" in e.attributes]
    assert ExportFormat.PARQUET.value in [e.attributes["value"] for e in options]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    page = await open_page(client, "/export")
    listed = {e.attributes["value"]: e for e in page.named("option") if e.attributes["value"] in list(ExportFormat)}
    assert [name for name, e in listed.items() if "selected" in e.attributes] == ["csv"]
    assert [name for name, e in listed.items() if "disabled" in e.attributes] == ["parquet"]
    assert "pip install 'a2ap[tables]'" in listed["parquet"].text
    (download,) = [e.attributes["href"] for e in page.named("a") if "download" in e.attributes]
    assert (await client.get(download.removeprefix("."), headers={"accept": BROWSER})).status_code == 200
    stated = await open_page(client, "/export?format=parquet")
    assert "pip install 'a2ap[tables]'" in stated.one("main").text
    assert not [e for e in stated.named("a") if "download" in e.attributes]


async def test_a_download_that_the_node_refuses_is_explained_on_the_page(
    platform: Platform, built: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await verified_world(platform)

    def visit(browser: Chrome, address: str) -> None:
        folder = {"behavior": "allow", "downloadPath": str(tmp_path / "saved")}
        browser.execute_cdp_cmd("Browser.setDownloadBehavior", folder)
        browser.get(f"{address}/export?format=parquet")
        WebDriverWait(browser, PATIENCE).until(
            lambda _: browser.execute_script("return performance.getEntriesByName('interactive').length")
        )
        link = browser.find_element(By.CSS_SELECTOR, "a.download")
        link.click()
        saved = tmp_path / "saved" / file_name(ExportFormat.PARQUET)
        WebDriverWait(browser, PATIENCE).until(lambda _: saved.is_file())
        assert shown(browser, "[data-module=download] [role=status]") == ""
        with monkeypatch.context() as missing:
            missing.setitem(sys.modules, "pyarrow", None)
            link.click()
            WebDriverWait(browser, PATIENCE).until(
                lambda _: "parquet needs pyarrow" in shown(browser, "[data-module=download] [role=status]")
            )
        browser.get_log("browser")  # The refusal is an error in the console too.

    await in_browser(platform, tmp_path, visit)


@pytest.mark.parametrize(("chosen", "recipe"), RECIPES, ids=[f"{one}-{recipe.tool}" for one, recipe in RECIPES])
async def test_the_lines_in_python_load_the_file(
    platform: Platform, client: httpx.AsyncClient, tmp_path: Path, chosen: ExportFormat, recipe: Recipe
) -> None:
    await verified_world(platform)
    await save(client, chosen, tmp_path)
    subprocess.run([sys.executable, "-c", recipe.lines], cwd=tmp_path, check=True)


async def test_the_lines_in_sql_load_the_file(
    platform: Platform, client: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = await verified_world(platform)
    await save(client, ExportFormat.PARQUET, tmp_path)
    monkeypatch.chdir(tmp_path)
    (lines,) = [recipe.lines for recipe in GUIDES[ExportFormat.PARQUET].recipes if recipe.tool == "DuckDB"]
    found = duckdb.sql(lines)
    assert found is not None
    ((claim, score, verified),) = found.fetchall()
    assert (claim, verified) == (envelope_of(world.statement).document["claim"]["text"], True) and score > 0.5


async def save(client: httpx.AsyncClient, chosen: ExportFormat, folder: Path) -> None:
    """Fetch an export as the page's commands do: one file, or an archive unpacked in `tables`."""
    content = (await client.get("/export", params={"format": chosen.value})).content
    if file_name(chosen).endswith(".zip"):
        zipfile.ZipFile(io.BytesIO(content)).extractall(folder / "tables")
    else:
        (folder / file_name(chosen)).write_bytes(content)


async def test_claims_and_fields_are_shown_as_text(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    await accept(platform, signed_statement(STRANGER, claim=HOSTILE))
    page = await open_page(client, "/export")
    assert not any("alert(1)" in e.text for e in page.named("script")) and "U+202E" in page.one("main").text
    quoted = await open_page(client, "/export", 200)
    assert "49" not in quoted.one("table").text
    shell = await open_page(client, "/export?query=%27%3B%20rm%20-rf%20%2F%3B%27")
    (commands, *_) = [e.text for e in shell.named("pre")]
    assert "query=%27%3B+rm" in commands and "; rm" not in commands


async def test_an_export_of_an_earlier_size_is_downloaded_at_that_size(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await verified_world(platform)
    size = platform.log.checkpoint.tree_size
    page = await open_past_page(client, f"/export?asOf={size}")
    (download,) = [e.attributes["href"] for e in page.named("a") if "download" in e.attributes]
    assert f"size={size}" in download


@pytest.mark.parametrize("query", ["format=xml", "verified=perhaps", f"query={'x' * 1001}"])
async def test_a_choice_that_does_not_exist_is_an_error(
    platform: Platform, client: httpx.AsyncClient, query: str
) -> None:
    await verified_world(platform)
    await open_page(client, f"/export?{query}", 400)
