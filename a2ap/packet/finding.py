"""Findings: rules that a packet or record breaks or leaves undone, in sentences that are safe to show."""

from dataclasses import dataclass
from enum import StrEnum

from a2ap.packet.vocabulary import Level


class Severity(StrEnum):
    """The effect of a finding on conformance."""

    ERROR = "error"  # a MUST is broken: the level of its rule is not reached
    WARNING = "warning"  # a SHOULD is not followed, or somebody should look
    NOTE = "note"  # the text leaves it open


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the text: its number, the requirements that it covers, the lowest level that needs it, and its words.

    `level` is `None` for a rule that no level needs and every claim of one does (§18).
    """

    number: str
    requirements: tuple[str, ...]
    level: Level | None
    severity: Severity
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: its rule, its severity, its place (`items[0].boundary`), and its words.

    `words` is a whole sentence, and quotes the packet in a form that can be shown to people and models.
    """

    rule: Rule
    severity: Severity
    path: str
    words: str

    def __str__(self) -> str:
        return f"§{self.rule.number}: {self.words}"
