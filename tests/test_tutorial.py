"""The tutorial's commands work one after another, and answer as the page shows."""

import json
import re
from pathlib import Path

from cli_runner import run_on_a_server

ROOT = Path(__file__).resolve().parent.parent
TUTORIAL = (ROOT / "docs" / "tutorial" / "first-statement.md").read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def test_the_tutorial_works_as_written_and_answers_as_written(tmp_path: Path) -> None:
    ended = run_on_a_server(blocks(TUTORIAL, "sh"), tmp_path)
    assert ended.stderr == ""
    outputs = ended.stdout.split("=====\n")
    receipts = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith('{"logIndex"')]
    assert [receipt["type"] for receipt in receipts] == [
        "AgentRegistration",
        "SourceRegistration",
        "ProvenanceStatement",
        "VerificationRequest",
        "AgentRegistration",
        "VerificationResponse",
    ]
    assert "prov:wasQuotedFrom" in outputs[3]
    assert "FAILS" not in outputs[4] and outputs[4].count("holds  ") == 7
    answer, verified = blocks(TUTORIAL, "json")
    assert json.loads(outputs[6]) == json.loads(answer)
    assert "FAILS" not in outputs[7] and "entries: no fault was found in " in outputs[7]
    assert json.loads(outputs[9]) == json.loads(verified)
