"""The inputs of the estimate: the votes, and the labels that are known regardless of them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VerdictVote:
    """A verifier's conclusion; `operator` is None for the unseeded, `family` without a confirmed family.

    `log_index` is the place since which the verifier says so. `ever` has all its conclusions, with the places, if there
    are more than this. If it no longer says anything, `stands` is False, and the vote is its last conclusion.
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
    """The known answer to a claim under a criterion, regardless of votes: operator's gold, or the machine's FAIL."""

    claim: str
    criterion: str
    passes: bool
