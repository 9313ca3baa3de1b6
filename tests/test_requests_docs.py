"""docs/how-to/requests.md is true: its commands work after the tutorial's statement, and answer as shown."""

import json
from pathlib import Path
from typing import Any

from cli_runner import run_on_a_server
from test_tutorial import ROOT, TUTORIAL, blocks

PAGE = (ROOT / "docs" / "how-to" / "requests.md").read_text(encoding="utf-8")


COMMANDS = blocks(TUTORIAL, "sh")
BEFORE = COMMANDS[: 1 + next(n for n, block in enumerate(COMMANDS) if "post statements" in block)]


def test_the_commands_work_as_written_and_are_answered_as_written(tmp_path: Path) -> None:
    own = blocks(PAGE, "sh")
    ended = run_on_a_server(BEFORE + own, tmp_path)
    assert ended.stderr == "", ended.stdout + ended.stderr
    answered = ended.stdout.split("=====\n")[-len(own) :]
    receipts = [json.loads(line)["type"] for text in answered for line in text.splitlines() if '"logIndex"' in line]
    assert receipts == [
        "ProvenanceStatement",
        *["AgentRegistration"] * 2,
        "VerificationRequest",
        "ProvenanceStatement",
        "VerificationResponse",
        "VerificationDecline",
        "ChallengeAnswer",
        "VerificationResponse",
    ]
    shown = [json.loads(text) for text in blocks(PAGE, "json")]
    found = [json.loads(line) for text in answered for line in text.splitlines() if is_answer(line)]
    assert [like(one, other) for one, other in zip(found, shown, strict=True)] == shown


def is_answer(line: str) -> bool:
    return line.startswith(('{"leases"', '{"data"'))


def like(found: Any, shown: Any) -> Any:
    """Return what was found, with "…" where the page leaves open how it ends."""
    if isinstance(shown, dict) and isinstance(found, dict):
        return {name: like(value, shown.get(name)) for name, value in found.items()}
    if isinstance(shown, list) and isinstance(found, list):
        return [like(value, shown[place] if place < len(shown) else None) for place, value in enumerate(found)]
    if isinstance(shown, str) and shown.endswith("…") and str(found).startswith(shown[:-1]):
        return shown
    return found
