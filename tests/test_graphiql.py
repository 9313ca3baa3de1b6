"""GraphiQL: what is served of it, how it is built, and what it does in a browser."""

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
from graph.http import graphiql
from graph.http.graphiql import MISSING, PAGE_HEADERS, built_page
from graph.platform import Platform

__all__ = ["client", "platform"]

ROOT = Path(__file__).resolve().parent.parent
LOCKFILES = (
    "graphiql/package-lock.json",
    "tests/graphql_audits/package-lock.json",
    "tests/graphql_clients/package-lock.json",
)
MANIFEST = {"script": "p-AAAAAAAA.js", "style": "p-BBBBBBBB.css", "workers": {"editor": "e-CCCCCCCC.js"}}


def test_the_page_has_a_tab_for_each_example_and_no_script_of_its_own() -> None:
    page = built_page(MANIFEST)
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", page, flags=re.DOTALL)
    assert [attributes for attributes, content in scripts if content and "application/json" not in attributes] == []
    [given] = [json.loads(content) for _, content in scripts if content]
    assert given["examples"] == [{"query": example.query} for example in EXAMPLES]
    assert given["workers"] == {"editor": "graphql/assets/e-CCCCCCCC.js"}
    assert not re.search(r"https?:|//", re.sub(r"<script type.*?</script>", "", page, flags=re.DOTALL))


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
        context.setattr(graphiql, "FOLDER", "nowhere")
        page = await client.get("/graphql", headers={"accept": "text/html"})
    assert page.status_code == 200 and "npm" in MISSING and page.text.count("<p>") == 1
    assert page.headers["content-security-policy"] == PAGE_HEADERS["content-security-policy"]
    page = await client.get("/graphql", headers={"accept": "text/html"})
    assert page.status_code == 200 and "<p>" not in page.text


@pytest.mark.parametrize(
    "name",
    ["manifest.json", "built-from", "x-AAAAAAAA.js", "..%2f__init__.py", "playground.js", "%2e%2e/x-AAAAAAAA.js"],
)
async def test_nothing_but_files_of_graphiql_are_given(
    platform: Platform, client: httpx.AsyncClient, name: str
) -> None:
    assert (await client.get(f"/graphql/assets/{name}")).status_code == 404


@pytest.mark.parametrize("name", LOCKFILES)
def test_what_npm_gets_is_pinned_and_names_no_registry(name: str) -> None:
    lock: dict[str, Any] = json.loads((ROOT / name).read_text())
    packages = {path: one for path, one in lock["packages"].items() if path}
    assert packages and all(one["integrity"].startswith("sha512-") for one in packages.values())
    assert "resolved" not in (ROOT / name).read_text() and "://" not in "".join(packages)
    stated = json.loads((ROOT / name).with_name("package.json").read_text())["dependencies"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in stated.values())


def test_without_npm_building_says_so_in_one_sentence(tmp_path: Path) -> None:
    shutil.copy(ROOT / "build_graphiql.py", tmp_path)
    shutil.copytree(ROOT / "graphiql", tmp_path / "graphiql", ignore=shutil.ignore_patterns("node_modules"))
    built = subprocess.run(
        [sys.executable, "build_graphiql.py"], cwd=tmp_path, env={"PATH": ""}, capture_output=True, text=True
    )
    assert (built.returncode, built.stderr) == (1, "there is no npm\n")


def test_what_was_built_from_the_same_sources_is_used_again(tmp_path: Path) -> None:
    shutil.copy(ROOT / "build_graphiql.py", tmp_path)
    shutil.copytree(ROOT / "graphiql", tmp_path / "graphiql", ignore=shutil.ignore_patterns("node_modules"))
    (tmp_path / "graph" / "http" / "graphiql_assets").mkdir(parents=True)
    for arguments, status in ((["--built"], 0), ([], 0)):
        command = [sys.executable, "build_graphiql.py", *arguments]
        assert subprocess.run(command, cwd=tmp_path, env={"PATH": ""}, capture_output=True).returncode == status
    (tmp_path / "graphiql" / "playground.js").write_text("")
    assert subprocess.run(command, cwd=tmp_path, env={"PATH": ""}, capture_output=True).returncode == 1
