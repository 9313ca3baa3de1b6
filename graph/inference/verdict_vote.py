"""What the estimate is made from: the votes that stand, and what is known whatever they say."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VerdictVote:
    """What a verifier concludes; `operator` is None for the unseeded, `family` for who has none of several.

    `log_index` is the place since which the verifier says so. `ever` is all that it concluded, with the places, where
    that is more than this. Where it says nothing any more, `stands` is False, and the vote is its last conclusion.
    """

    claim: str
    verifier: str
    criterion: str
    passes: bool
    confidence: float
    operator: str | None
    family: str | None = None
    log_index: int = 0
    ever: tuple[tuple[int, bool], ...] = ()
    stands: bool = True


@dataclass(frozen=True, slots=True)
class ObservedLabel:
    """What is known of a claim under a criterion, whatever the votes: the operator's gold, or the machine's FAIL."""

    claim: str
    criterion: str
    passes: bool
