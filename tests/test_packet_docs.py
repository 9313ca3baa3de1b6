"""The pages about packets say what there is: every rule and duty, each word of ours, and what the commands print."""

import re
from pathlib import Path

import pytest
from cli_runner import Run, a2ap

from a2ap.packet.canon import HashDomain
from a2ap.packet.duties import DUTIES
from a2ap.packet.finding import Severity
from a2ap.packet.records import DISPOSITION_SPEC, RECEIPT_SPEC, RETURN_SPEC, ProposalAction
from a2ap.packet.rules import RULES
from a2ap.packet.signature import SIGNATURE
from a2ap.packet.vocabulary import HashAlgorithm, Level, ReceiptEvent

__all__ = ["a2ap"]

REFERENCE = Path(__file__).resolve().parent.parent / "docs" / "reference"
TEXT = "\n".join((REFERENCE / name).read_text("utf-8") for name in ("packets.md", "packet-rules.md"))
STRENGTH = {Severity.ERROR: "MUST", Severity.WARNING: "SHOULD", Severity.NOTE: "MAY"}


def rows(heading: str) -> list[list[str]]:
    _, _, after = TEXT.partition(f"\n{heading}\n|---")
    lines = after.split("\n")[1:]
    table = lines[: next(at for at, line in enumerate(lines) if not line.startswith("|"))]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_the_page_has_the_rules_of_the_code():
    assert rows("| rule | CPKT | level | | |") == [
        [
            f"§{rule.number}",
            " ".join(one.removeprefix("CPKT-") for one in rule.requirements),
            rule.level or "claim",
            STRENGTH[rule.severity],
            rule.text,
        ]
        for rule in RULES.values()
    ]


def test_the_page_has_the_duties_of_the_code():
    assert rows("| CPKT | section | whose | how it is met |") == [
        [one.requirement.removeprefix("CPKT-"), one.section, one.whose, one.met] for one in DUTIES
    ]


@pytest.mark.parametrize(
    "word", [*HashDomain, *ProposalAction, RECEIPT_SPEC, RETURN_SPEC, DISPOSITION_SPEC, ReceiptEvent.TRACED]
)
def test_everything_of_ours_is_explained(word: str):
    assert f"`{word}`" in TEXT


@pytest.mark.parametrize("word", [*Level, SIGNATURE, *(one.prefix for one in HashAlgorithm)])
def test_levels_signature_and_hashes_are_named(word: str):
    assert word in TEXT


def test_the_commands_print_what_the_page_shows(a2ap: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    example, shown = re.search(r"```json\n(.*?)```", TEXT, re.S), re.search(r"```console\n(.*?)```", TEXT, re.S)
    assert example is not None and shown is not None
    (tmp_path / "packet.json").write_text(example[1], "utf-8")
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^\$ a2ap (.*)\n((?:(?!\$ ).*\n)+)", shown[1], re.M)
    assert len(commands) == 4
    for command, output in commands:
        said = a2ap(*command.split(), status=0 if "hash" in command else 1).out.splitlines()
        # An ellipsis stands for lines of the same command that are not shown.
        wanted = iter(said)
        for line in output.splitlines():
            assert line == "…" or line in wanted, line
