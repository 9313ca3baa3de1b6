"""Merging of lists of results by reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009).

An item at rank r of a list, counted from 1, gets 1 / (60 + r) from it. Scores of different searches cannot be compared,
their ranks can. Items with the same score are in the order of their names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

RANK_CONSTANT = 60


class FoundBy(StrEnum):
    """The lists that a statement may be found in."""

    TEXT = "text"
    MEANING = "meaning"


@dataclass(frozen=True, slots=True)
class Ranked:
    """One result: its place from 1, its score, and its place in each list that contains it."""

    signed_hash: str
    rank: int
    score: float
    places: Mapping[FoundBy, int]


def fuse(lists: Mapping[FoundBy, Sequence[str]], first: int) -> tuple[Ranked, ...]:
    """Return the best `first` items of the lists, best first; each list has a name once."""
    places: dict[str, dict[FoundBy, int]] = {}
    for found_by in FoundBy:
        for place, name in enumerate(lists.get(found_by, ()), start=1):
            places.setdefault(name, {})[found_by] = place
    scores = {name: sum(1 / (RANK_CONSTANT + place) for place in found.values()) for name, found in places.items()}
    ordered = sorted(scores, key=lambda name: (-scores[name], name))[:first]
    return tuple(Ranked(name, rank, scores[name], places[name]) for rank, name in enumerate(ordered, start=1))
