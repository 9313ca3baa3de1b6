"""The built files of the pages: how they are built, which of them are served, and the page of GraphiQL."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from http_client import client
from platform_fixture import platform

from graph.graphql.examples import EXAMPLES
from graph.http import assets
from graph.http.assets import Entry, read_entry
from graph.http.graphiql import MISSING, PAGE_HEADERS, built_page
from graph.platform import Platform

__all__ = ["client", "platform"]

ROOT = Path(__file__).resolve().parent.parent
LOCKFILES = (
    "web/package-lock.json",
    "tests/accessibility/package-lock.json",
    "tests/graphql_audits/package-lock.json",
    "tests/graphql_clients/package-lock.json",
)


def test_the_page_has_a_tab_for_each_example_and_no_script_of_its_own() -> None:
    page = built_page(Entry("p-0123abcd.js", ("p-4567abcd.css",)))
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", page, flags=re.DOTALL)
    assert [attributes for attributes, content in scripts if content and "application/json" not in attributes] == []
    [given] = [json.loads(content) for _, content in scripts if content]
    assert given == [{"query": example.query} for example in EXAMPLES]
    assert 'href="assets/p-4567abcd.css"' in page and 'src="assets/p-0123abcd.js"' in page
    assert not re.search(r"https?:|//", re.sub(r"<script type.*?</script>", "", page, flags=re.DOTALL))


def test_an_entry_has_its_script_and_the_styles_that_come_with_it() -> None:
    manifest = {"a.ts": {"file": "a-0123abcd.js", "css": ["a-4567abcd.css"]}, "b.ts": {"file": "b-0123abcd.js"}}
    assert read_entry(manifest, "a.ts") == Entry("a-0123abcd.js", ("a-4567abcd.css",))
    assert read_entry(manifest, "b.ts") == Entry("b-0123abcd.js", ())


def test_the_policy_of_the_page_lets_no_script_come_from_elsewhere() -> None:
    policy = dict(part.split(" ", 1) for part in PAGE_HEADERS["content-security-policy"].split("; "))
    assert (policy["default-src"], policy["script-src"], policy["connect-src"]) == ("'none'", "'self'", "'self'")
    assert all(
        part in ("'none'", "'self'", "data:", "'unsafe-inline'") for one in policy.values() for part in one.split()
    )
    assert [name for name, one in policy.items() if "unsafe" in one] == ["style-src"]


async def test_until_graphiql_is_built_the_page_says_so(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as context:
        context.setattr(assets, "FOLDER", "nowhere")
        page = await client.get("/graphql", headers={"accept": "text/html"})
    assert page.status_code == 200 and "npm" in MISSING and page.text.count("<p>") == 1
    assert page.headers["content-security-policy"] == PAGE_HEADERS["content-security-policy"]
    page = await client.get("/graphql", headers={"accept": "text/html"})
    assert page.status_code == 200 and page.text.count("<p>") == page.text.count("<noscript><p>") == 1


@pytest.mark.parametrize(
    "name",
    ["manifest.json", "built-from", "x-aaaaaaaa.js", "..%2f__init__.py", "playground.js", "%2e%2e/x-aaaaaaaa.js"],
)
async def test_nothing_but_built_files_is_given(platform: Platform, client: httpx.AsyncClient, name: str) -> None:
    assert (await client.get(f"/assets/{name}")).status_code == 404


@pytest.mark.parametrize("name", LOCKFILES)
def test_what_npm_gets_is_pinned_and_names_no_registry(name: str) -> None:
    lock: dict[str, Any] = json.loads((ROOT / name).read_text())
    packages = {path: one for path, one in lock["packages"].items() if path}
    assert packages and all(one["integrity"].startswith("sha512-") for one in packages.values())
    assert "resolved" not in (ROOT / name).read_text() and "://" not in "".join(packages)
    package = json.loads((ROOT / name).with_name("package.json").read_text())
    stated = package["dependencies"] | package.get("devDependencies", {})
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in stated.values())


def copy_of_the_build(folder: Path) -> None:
    shutil.copy(ROOT / "build_web.py", folder)
    shutil.copytree(ROOT / "web", folder / "web", ignore=shutil.ignore_patterns("node_modules"))


def run_the_build(folder: Path, path: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "build_web.py", *arguments]
    return subprocess.run(command, cwd=folder, env={"PATH": path}, capture_output=True, text=True)


def test_without_npm_building_says_so_in_one_sentence(tmp_path: Path) -> None:
    copy_of_the_build(tmp_path)
    built = run_the_build(tmp_path, "")
    assert (built.returncode, built.stderr) == (1, "there is no npm\n")


def test_a_node_that_is_too_old_is_named_before_anything_is_installed(tmp_path: Path) -> None:
    copy_of_the_build(tmp_path)
    for name in ("node", "npm"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/sh\necho v18.20.4\n")
        program.chmod(0o755)
    built = run_the_build(tmp_path, str(tmp_path / "bin"))
    assert (built.returncode, built.stderr) == (1, "Node 20.19 or newer is needed, and node is v18.20.4\n")
    assert not (tmp_path / "web" / "node_modules").exists()


def test_files_built_from_the_same_sources_are_used_again(tmp_path: Path) -> None:
    copy_of_the_build(tmp_path)
    (tmp_path / "graph" / "http" / "assets").mkdir(parents=True)
    assert run_the_build(tmp_path, "", "--built").returncode == 0
    (tmp_path / "web" / "src" / "page.test.ts").write_text("")
    assert run_the_build(tmp_path, "").returncode == 0
    (tmp_path / "web" / "src" / "page.ts").write_text("export {};")
    assert run_the_build(tmp_path, "").returncode == 1


def test_no_built_file_is_committed() -> None:
    listed = subprocess.run(["git", "ls-files", "graph/http"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this is no checkout of git")
    assert [name for name in listed.stdout.split() if not name.endswith(".py")] == []
