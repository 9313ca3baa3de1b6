"""Queries of pages are answered as shown on the demonstration's data: docs/how-to/query.md whole, of others GraphQL."""

import contextlib
import io
import json
import os
import queue
import re
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from cli_runner import PATIENCE, Process, environment, running
from test_requests_docs import like

from a2ap.client import Client

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = (DOCS / "how-to" / "query.md").read_text("utf-8")
ASKING = sorted(
    str(page.relative_to(DOCS))
    for page in DOCS.rglob("*.md")
    if page.name != "query.md" and "```graphql" in page.read_text("utf-8")
)
BLOCK = re.compile(r"^```(graphql|sh|python|json|text)\n(.*?)^```$", re.M | re.S)


@dataclass(slots=True)
class Reader:
    """Somebody who follows the page: at a platform, in a folder, with one notebook."""

    address: str
    folder: Path
    notebook: dict[str, Any] = field(default_factory=dict)

    def run(self, language: str, text: str) -> str:
        """Run a block and return what it prints."""
        return {"graphql": self._graphql, "sh": self._shell, "python": self._cell}[language](text)

    def _graphql(self, text: str) -> str:
        deadline = time.monotonic() + PATIENCE
        while True:
            asked = {"query": text, "variables": self._variables(text)}
            answer = httpx.post(f"{self.address}/graphql", json=asked, timeout=PATIENCE, trust_env=False).json()
            codes = [error["extensions"]["code"] for error in answer.get("errors", ())]
            if codes != ["NOT_READY"] or time.monotonic() > deadline:
                return json.dumps(answer, ensure_ascii=False)

    def _variables(self, text: str) -> dict[str, str]:
        """Return what an operation wants to be told: the id of a statement, its document, or the key that signed it."""
        wanted = re.findall(r"\$(\w+):", text.partition("{")[0])
        if not wanted:
            return {}
        with Client(self.address) as client:
            found = client.graphql("{ statements(first: 1) { nodes { id generatedBy { keys { id } } } } }")
            (one,) = found["statements"]["nodes"]
            known = {"statement": one["id"], "document": client.statement(one["id"]).decode()}
            known["key"] = one["generatedBy"]["keys"][0]["id"]
        return {name: known[name] for name in wanted}

    def _shell(self, text: str) -> str:
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        variables = environment(A2AP_URL=self.address, PATH=path, COLUMNS="120")
        command = ["bash", "-c", f"set -euo pipefail\n{text}"]
        ended = subprocess.run(
            command, cwd=self.folder, env=variables, capture_output=True, text=True, timeout=PATIENCE
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    def _cell(self, text: str) -> str:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(text, "docs/how-to/query.md", "exec"), self.notebook)
        return printed.getvalue()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run the demonstration and yield where it serves."""
    with running("demo", "--port", 0, "--data", tmp_path_factory.mktemp("demo") / "data") as process:
        yield address_of(process)


def steps(page: str) -> Iterator[tuple[str, str, tuple[str, str] | None]]:
    """Yield each block that is run: its language, its text, and the language and text of what it shows, if anything."""
    blocks = BLOCK.findall(page)
    for place, (language, text) in enumerate(blocks):
        if language not in ("json", "text"):
            shown = blocks[place + 1] if place + 1 < len(blocks) else ("", "")
            yield language, text, shown if shown[0] in ("json", "text") else None


def lines_like(found: str, shown: str) -> list[str]:
    """Return the lines that were found, with "…" where the page leaves open how a line ends."""
    expected = shown.splitlines()
    lines = [line.rstrip() for line in found.strip("\n").splitlines()]
    for place, line in enumerate(expected[: len(lines)]):
        if line.endswith("…") and lines[place].startswith(line[:-1].rstrip()):
            lines[place] = line
    return lines


def follow(reader: Reader, page: str, languages: Collection[str] = ("graphql", "sh", "python")) -> None:
    """Run the blocks of a page, and compare what each prints with what the page shows behind it."""
    for language, text, shown in steps(page):
        if language not in languages:
            continue
        found = reader.run(language, text)
        if language == "graphql":
            assert "errors" not in json.loads(found), found
        if shown is not None and shown[0] == "json":
            expected = json.loads(shown[1])
            assert like(json.loads(found), expected) == expected, text
        elif shown is not None:
            assert lines_like(found, shown[1]) == shown[1].splitlines(), text


def address_of(process: Process) -> str:
    """Return where the demonstration serves, once it has signed and judged all its claims; that takes a while."""
    for _ in range(5):
        with contextlib.suppress(queue.Empty):
            return process.wait_for(r"playground with this data: (http://\S+)/graphql")[1]
    raise AssertionError(f"the demonstration does not come to its end: {process.lines}")


@pytest.mark.timeout(1_800)  # on a machine that is at work the demonstration alone takes minutes
def test_the_way_to_a_notebook_works_from_top_to_bottom(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A2AP_URL", address)
    follow(Reader(address, tmp_path), PAGE)


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("name", ASKING)
def test_the_examples_in_graphql_are_answered_on_the_demonstrations_data(
    address: str, tmp_path: Path, name: str
) -> None:
    follow(Reader(address, tmp_path), (DOCS / name).read_text("utf-8"), ["graphql"])


@pytest.mark.timeout(1_800)
def test_the_examples_of_the_readme_are_answered_as_it_shows(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A2AP_URL", address)
    follow(Reader(address, tmp_path), (DOCS.parent / "README.md").read_text("utf-8"))
