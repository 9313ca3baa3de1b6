"""The rules of a policy by which the operators are drawn whose verdicts complete a quorum.

They hold for a statement as soon as `least` operators are eligible for it: `operators` of these are drawn, and one more
after each `window` seconds (docs/explanation/drawn-verifiers.md). Their names in a policy are `operators`, `from` and
`window`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import member_path, read_integer

MAX_DRAWN = 1000
MAX_WINDOW = 31_536_000
"""A year, in seconds."""

_NAMES = ("operators", "from", "window")


@dataclass(frozen=True, slots=True)
class DrawRules:
    """How many operators are drawn, among how many eligible ones at least, and after how many seconds another one."""

    operators: int
    least: int
    window: int

    @classmethod
    def from_members(cls, members: Mapping[str, Any], path: str) -> "DrawRules":
        """Read the rules out of an object of a policy. Raises `FieldError`."""
        for name in members:
            if name not in _NAMES:
                raise FieldError(member_path(path, name), f"is none of {', '.join(_NAMES)}")
        operators = read_integer(members, "operators", path, least=1, most=MAX_DRAWN)
        return cls(
            operators=operators,
            least=read_integer(members, "from", path, least=operators, most=MAX_DRAWN),
            window=read_integer(members, "window", path, least=1, most=MAX_WINDOW),
        )

    def members(self) -> dict[str, int]:
        """Return the rules as they stand in a policy."""
        return {"operators": self.operators, "from": self.least, "window": self.window}
