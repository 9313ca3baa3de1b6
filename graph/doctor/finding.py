"""A finding of `a2ap doctor`: the check, whether it passed, the cause, and the remedy."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """The severity of a finding: with a problem the node does not work, or is not safe."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check; only a passed one needs no remedy."""

    check: str
    level: Level
    cause: str
    remedy: str | None = None

    @property
    def line(self) -> str:
        """Return the finding as a line for people."""
        told = f"{self.level:<8} {self.check}: {self.cause}"
        return told if self.remedy is None else f"{told}. Remedy: {self.remedy}"

    @property
    def members(self) -> dict[str, str | None]:
        """Return the finding as a JSON object."""
        return {"check": self.check, "level": self.level.value, "cause": self.cause, "remedy": self.remedy}


def passed(check: str, cause: str) -> Finding:
    """Return the finding of a check that passed."""
    return Finding(check, Level.OK, cause)


def warning(check: str, cause: str, remedy: str) -> Finding:
    """Return a finding that the operator should look at."""
    return Finding(check, Level.WARNING, cause, remedy)


def problem(check: str, cause: str, remedy: str) -> Finding:
    """Return a finding that keeps the node from working, or from being safe."""
    return Finding(check, Level.PROBLEM, cause, remedy)
