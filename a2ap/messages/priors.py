"""Priors of a policy: one of a claim before any verdict, others of a verifier before its verdicts are checked.

Each but the last is a Beta distribution, as a pair of counts, right and wrong, as if these had been seen. `trusted` is
the prior of a seed, `endorsed` that of an agent endorsed by a seed, `unknown` that of any other agent. No prior of a
verifier is worse than chance: its first number is not the smaller one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import member_path, read_list, read_share, shown

MAX_COUNT = 1_000_000

Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Priors:
    """`family_correlation` is the weight of a second operator's verdict from one model family, relative to the first.

    Two operators whose verifiers the defaults know to be endorsed, both sure to 0.89, give 0.91
    (docs/explanation/consensus.md).
    """

    claim: Pair = (2.0, 2.0)
    trusted: Pair = (19.0, 2.0)
    endorsed: Pair = (11.0, 3.0)
    unknown: Pair = (3.0, 2.0)
    family_correlation: float = 0.5

    @classmethod
    def from_members(cls, members: Mapping[str, Any], path: str) -> "Priors":
        """Read the priors out of an object of a policy; missing ones have their default. Raises `FieldError`."""
        default = cls()
        pairs = {
            name: _read_pair(members, name, path) if name in members else getattr(default, name)
            for name in ("claim", "trusted", "endorsed", "unknown")
        }
        for name in ("trusted", "endorsed", "unknown"):
            if pairs[name][0] < pairs[name][1]:
                raise FieldError(member_path(path, name), f"is {shown(members[name])}, worse than chance")
        correlation = (
            read_share(members, "familyCorrelation", path)
            if "familyCorrelation" in members
            else default.family_correlation
        )
        return cls(**pairs, family_correlation=correlation)

    def members(self) -> dict[str, Any]:
        """Return the priors as they stand in a policy."""
        return {
            "claim": list(self.claim),
            "trusted": list(self.trusted),
            "endorsed": list(self.endorsed),
            "unknown": list(self.unknown),
            "familyCorrelation": self.family_correlation,
        }

    def vouched(self, trust: float) -> Pair:
        """Return the prior of an agent by its `trust` from 0 to 1: `unknown` at 0, `endorsed` at 1."""
        share = trust if 0.0 <= trust <= 1.0 else float(trust > 1.0)
        return (
            self.unknown[0] + share * (self.endorsed[0] - self.unknown[0]),
            self.unknown[1] + share * (self.endorsed[1] - self.unknown[1]),
        )


DEFAULT_PRIORS = Priors()
"""The priors of a policy that names none."""


def _read_pair(members: Mapping[str, Any], name: str, path: str) -> Pair:
    values = read_list(members, name, path)
    # type(), not isinstance(): true is not a number.
    if len(values) != 2 or not all(type(value) in (int, float) and 0 < value <= MAX_COUNT for value in values):
        raise FieldError(member_path(path, name), f"is {shown(values)}, not two numbers above 0, {MAX_COUNT} at most")
    return float(values[0]), float(values[1])
