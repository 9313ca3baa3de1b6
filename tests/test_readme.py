"""The README is true: its commands work one after another and answer as it says, and its settings are all there are."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import PATIENCE, environment, serving

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    match = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", README, re.M | re.S)
    assert match is not None, title
    return match[1]


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def test_the_life_of_a_statement_works_as_written_and_answers_as_written(tmp_path: Path) -> None:
    life = section("The life of a statement")
    believed = section("Who is believed")
    commands = blocks(life, "sh") + blocks(believed, "sh")
    alone = len(blocks(life, "sh"))
    script = "set -euo pipefail\n" + "\necho =====\n".join(commands)
    work = tmp_path / "work"
    work.mkdir()
    with serving(tmp_path / "data") as (_, address):
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        ended = subprocess.run(
            ["bash", "-c", script],
            cwd=work,
            env=environment(A2AP_URL=address, PATH=path, A2AP_DATA=str(tmp_path / "data")),
            capture_output=True,
            text=True,
            timeout=3 * PATIENCE,
        )
    assert ended.returncode == 0, ended.stdout + ended.stderr
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
    (answer,) = blocks(life, "json")
    assert json.loads(outputs[alone - 2]) == json.loads(answer)
    assert "FAILS" not in outputs[alone - 1] and "entries: no fault was found in " in outputs[alone - 1]
    (answer,) = blocks(believed, "json")
    assert json.loads(outputs[-1]) == json.loads(answer)


def test_the_settings_are_those_that_are_read() -> None:
    source = "".join((ROOT / "graph" / name).read_text(encoding="utf-8") for name in ("settings.py", "environment.py"))
    read = set(re.findall(r'"((?:A2AP|NEO4J|AWS)_[A-Z0-9_]+)"', source))
    of_clients, of_compose = {"A2AP_URL", "A2AP_TOKEN", "A2AP_KEY"}, {"A2AP_BIND"}
    named = set(re.findall(r"`((?:A2AP|NEO4J|AWS)_[A-Z0-9_]+)`", section("Settings")))
    assert named == read | of_clients | of_compose


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))])
def test_every_link_leads_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", text):
        assert ((ROOT / page).parent / target).exists(), target
