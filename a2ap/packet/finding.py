"""Findings: what a packet or record breaks or leaves undone, each under the number of its rule, safe to be shown."""

from dataclasses import dataclass
from enum import StrEnum

from a2ap.packet.vocabulary import Level


class Severity(StrEnum):
    """What a finding does to conformance."""

    ERROR = "error"  # a MUST is broken: the level of its rule is not reached
    WARNING = "warning"  # a SHOULD is not followed, or somebody should look
    NOTE = "note"  # the text leaves it open


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the text: its number, the requirements that it is, the lowest level that needs it, and its words.

    `level` is `None` for what no level needs and every claim of one does (§18).
    """

    number: str
    requirements: tuple[str, ...]
    level: Level | None
    severity: Severity
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found: under which rule, how bad, where (`items[0].boundary`), and in words.

    `words` is a whole sentence, and quotes what comes from the packet so that it can be shown to people and models.
    """

    rule: Rule
    severity: Severity
    path: str
    words: str

    def __str__(self) -> str:
        return f"§{self.rule.number}: {self.words}"
