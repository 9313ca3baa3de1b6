"""The page about packs is true: its commands answer as it says, and it names every finding, drift and status."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import PATIENCE, environment

from a2ap.pack.drift import DriftType
from a2ap.pack.finding import FindingCode
from a2ap.pack.replay import Fidelity, StepStatus

TEXT = (Path(__file__).resolve().parent.parent / "docs" / "reference" / "packs.md").read_text("utf-8")


@pytest.mark.parametrize("word", [*FindingCode, *DriftType, *Fidelity, *StepStatus])
def test_everything_that_is_said_of_a_pack_is_explained(word: str):
    assert f"`{word}`" in TEXT


def test_the_commands_of_the_page_answer_as_it_says(tmp_path: Path):
    page = TEXT.partition("## Packs on a platform")[0]
    found = re.findall(r"^```(sh|text)\n(.*?)^```$", page, re.M | re.S)
    script, expected = "set -euo pipefail\n", []
    for number, (language, text) in enumerate(found):
        if language == "sh":
            answered = number + 1 < len(found) and found[number + 1][0] == "text"
            script += f"{text}\necho =====\n"
            expected.append(found[number + 1][1] if answered else None)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    ended = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env=environment(PATH=path),
        capture_output=True,
        text=True,
        timeout=3 * PATIENCE,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    outputs = ended.stdout.split("=====\n")[:-1]
    assert len(outputs) == len(expected)
    for answer, said in zip(outputs, expected, strict=True):
        if said is not None:
            assert answer.replace(f"{tmp_path}/", "").strip() == said.strip()
