"""The page on verifiers: its code runs, in order, against a node."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sdk_verifiers import CLAIM, Court, court, platform

from a2ap.messages.verification_response import Verdict

__all__ = ["court", "platform"]

PAGE = Path(__file__).resolve().parent.parent / "docs" / "how-to" / "verifiers.md"


async def test_the_code_of_the_page_runs(
    court: Court, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def judged_by_a_service(claim: str, passages: Sequence[str]) -> bool:
        await asyncio.sleep(0)
        return claim == CLAIM

    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {
        "NODE": court.node,
        "judged_by_a_service": judged_by_a_service,
        "registry_is_open": lambda: True,
    }
    key, five_lines, answers, coroutine = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    statement = await court.ask()
    await asyncio.to_thread(exec, key, names)

    work = asyncio.create_task(asyncio.to_thread(exec, five_lines, names))
    while not (verdicts := await court.verdicts(statement)):
        assert not work.done()
        await asyncio.sleep(0.05)
    names["verifier"].stop()
    await work
    assert [one.verdict for one in verdicts] == [Verdict.VALIDATED]
    assert len([line for line in five_lines.splitlines() if line.strip()]) == 6  # with the import

    budget = await court.ask("The budget stays.", ("source-accuracy", "example.org/figures"))
    await court.ask("No figure.", ("example.org/figures",))
    await asyncio.to_thread(exec, answers, names)
    assert capsys.readouterr().out == "Summary(verdicts=1, declines=1, refusals=0, held=0, left=0)\n"
    (verdict,) = await court.verdicts(budget)
    assert [one.evidence for one in verdict.findings] == [
        "every quote stands where it is cited",
        "the registry has the same figure",
    ]

    consistent = await court.ask(CLAIM + " It does.", ("logical-consistency",))
    await asyncio.to_thread(exec, coroutine, names)
    assert (await names["work"]()).verdicts == 1
    assert [one.verdict for one in await court.verdicts(consistent)] == [Verdict.CHALLENGED]
