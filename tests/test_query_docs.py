"""docs/query.md is true: its blocks work in their order on the demonstration's data, and are answered as it shows."""

import contextlib
import io
import json
import os
import queue
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from cli_runner import PATIENCE, Process, environment, running
from test_requests_docs import like

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "query.md").read_text("utf-8")
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
            answer = httpx.post(
                f"{self.address}/graphql", json={"query": text}, timeout=PATIENCE, trust_env=False
            ).json()
            codes = [error["extensions"]["code"] for error in answer.get("errors", ())]
            if codes != ["NOT_READY"] or time.monotonic() > deadline:
                return json.dumps(answer, ensure_ascii=False)

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
            exec(compile(text, "docs/query.md", "exec"), self.notebook)
        return printed.getvalue()


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


def follow(reader: Reader) -> None:
    """Run the page, and compare what each block prints with what the page shows behind it."""
    for language, text, shown in steps(PAGE):
        found = reader.run(language, text)
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
def test_the_page_works_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = tmp_path / "work"
    work.mkdir()
    with running("demo", "--port", 0, "--data", tmp_path / "data") as process:
        address = address_of(process)
        monkeypatch.setenv("A2AP_URL", address)
        follow(Reader(address, work))
