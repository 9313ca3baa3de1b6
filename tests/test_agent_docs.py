"""The page on agents: its code runs, in order, against a node of the pytest plugin, and its tests run under pytest."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from a2ap.testing.node import Node

PAGE = Path(__file__).resolve().parent.parent / "docs" / "how-to" / "agents.md"
MINUTES = "The clerk opened the meeting.\nThe council voted five to two to keep the height limit at forty feet.\n"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
TESTS = [block for block in BLOCKS if "def test_" in block]


async def test_the_code_of_the_page_runs(
    a2ap_node: Node, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "minutes.txt").write_text(MINUTES)
    names: dict[str, Any] = {"NODE": a2ap_node.url}
    blocks = [block for block in BLOCKS if block not in TESTS]
    assert len(blocks) == 7
    for block in blocks:
        await asyncio.to_thread(exec, block, names)
    assert await names["claim_again"]() is False
    assert "The council keeps the height limit." in capsys.readouterr().out


def test_the_tests_of_the_page_pass(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(*TESTS)
    pytester.runpytest_subprocess("-p", "a2ap.testing").assert_outcomes(passed=3)
