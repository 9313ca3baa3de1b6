"""The page on agents: its code runs, in order, against a node."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from platform_fixture import platform
from scenario import settle
from served import served

from graph.platform import Platform

__all__ = ["platform"]

PAGE = Path(__file__).resolve().parent.parent / "docs" / "how-to" / "agents.md"
MINUTES = "The clerk opened the meeting.\nThe council voted five to two to keep the height limit at forty feet.\n"


async def test_the_code_of_the_page_runs(
    platform: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    await settle(platform)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "minutes.txt").write_text(MINUTES)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    assert len(blocks) == 5
    async with served(platform) as node:
        names: dict[str, Any] = {"NODE": node}
        for block in blocks:
            await asyncio.to_thread(exec, block, names)
        assert await names["claim_again"]() is False
    assert "The council keeps the height limit." in capsys.readouterr().out
