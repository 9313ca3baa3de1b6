"""The words by which every interface says how a statement stands, and how its score is shown.

A score is the probability that the claim meets the criteria, and these ask whether the cited evidence bears it out. So
"verified" says of a claim that reports only that it was said, and of a claim that asserts that it holds. A score is
never shown to a person without its interval and the number of operators that stand behind it.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from graph.scoring.result import Interval


class ClaimKind(StrEnum):
    """The kind of a claim: somebody's words, or a statement about the world in the words of its author."""

    REPORTS = "REPORTS"
    ASSERTS = "ASSERTS"


SAID = "said, as quoted"
HOLDS = "holds"
SAID_OR_HOLDS = "said or holds"
NOT_VERIFIED = "not verified"

MEANINGS = {
    SAID: "the verdicts establish that the cited source says it, not that it is so",
    HOLDS: "the verdicts establish the claim by the evidence that it cites",
    SAID_OR_HOLDS: "verified; this reader sees no words of the evidence that tell which of both",
    NOT_VERIFIED: "the verdicts do not establish the claim",
}
"""The meaning of the words for each standing."""


def standing_of(kind: ClaimKind | None, *, verified: bool) -> str:
    """Return the words for the standing of a statement; `kind` is None if the reader may not see it."""
    if not verified:
        return NOT_VERIFIED
    if kind is None:
        return SAID_OR_HOLDS
    return SAID if kind is ClaimKind.REPORTS else HOLDS


def standing_sentence(kind: ClaimKind | None, *, verified: bool) -> str:
    """Return the standing of a statement with its meaning."""
    words = standing_of(kind, verified=verified)
    return f"{words}: {MEANINGS[words]}"


def score_words(score: float, interval: Interval | None, operators: int) -> str:
    """Return a score with its 95 % interval and the number of independent operators that stand behind it."""
    return f"score {score:.2f} ({grounds_of(interval, operators)})"


def read_grounds(members: Mapping[str, Any]) -> tuple[Interval | None, int]:
    """Return the interval and the number of operators in the members of a JSON answer."""
    interval = members["interval"]
    return None if interval is None else (interval["low"], interval["high"]), members["operators"]


def interval_members(interval: Interval | None) -> dict[str, float] | None:
    """Return an interval as members of a JSON answer."""
    return None if interval is None else {"low": interval[0], "high": interval[1]}


def grounds_of(interval: Interval | None, operators: int) -> str:
    """Return the 95 % interval of a score and the number of independent operators that stand behind it."""
    ends = "no interval" if interval is None else f"95 %: {interval[0]:.2f}–{interval[1]:.2f}"
    return f"{ends}, {operators} operator{'' if operators == 1 else 's'}"
