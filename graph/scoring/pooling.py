"""Computes a version's prior from the other confirmed versions of its family (docs/decisions/0013).

Before its own verdicts are known, a version is as good as its family: the others' R right and W wrong verdicts have the
mean m = (1 + R) / (2 + R + W). They weigh s = 2 + min(R + W, `MAX_POOLED`) verdicts, so that the version's own record
soon says more: its prior is Beta(s·m, s·(1 - m)). Without others that is Beta(1, 1), as for all agents.

The mean at the start is the family's own, neither more nor less: a version of a lying family starts as a liar.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MAX_POOLED = 8
"""Maximum number of verdicts that the other versions weigh."""


@dataclass(frozen=True, slots=True)
class Record:
    """The numbers of right and wrong verdicts of an agent, or of several together."""

    right: int = 0
    wrong: int = 0

    def __add__(self, other: "Record") -> "Record":
        return Record(self.right + other.right, self.wrong + other.wrong)

    def __sub__(self, other: "Record") -> "Record":
        return Record(self.right - other.right, self.wrong - other.wrong)


ALONE = Record()
"""The record of the others for a version without others in its family."""


def prior_after(others: Record) -> tuple[float, float]:
    """Return the parameters of the Beta prior that the others' record gives a version."""
    known = others.right + others.wrong
    weight, mean = 2 + min(known, MAX_POOLED), (1 + others.right) / (2 + known)
    return weight * mean, weight * (1 - mean)


def others_of(members: Mapping[str, Record]) -> dict[str, Record]:
    """Return, for each member of one family, the common record of the others."""
    total = sum(members.values(), Record())
    return {agent: total - own for agent, own in members.items()}


def families_in(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Record]]:
    """Return the records of confirmed members by family, from rows of `members_counted`."""
    families: defaultdict[str, dict[str, Record]] = defaultdict(dict)
    for row in rows:
        families[row["family"]][row["agent_id"]] = Record(row["verdicts_right"] or 0, row["verdicts_wrong"] or 0)
    return dict(families)


def record_of(members: Sequence[Record]) -> Record:
    """Return the common record of several members."""
    return sum(members, Record())
