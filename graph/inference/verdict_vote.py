"""What the estimate is made from: the votes that stand, and what is known whatever they say."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VerdictVote:
    """A vote that stands; `operator` is None for the unseeded, `family` for who has none of several.

    `log_index` is the place since which the verifier says so, `changed` whether it had come to the other conclusion.
    """

    claim: str
    verifier: str
    criterion: str
    passes: bool
    confidence: float
    operator: str | None
    family: str | None = None
    log_index: int = 0
    changed: bool = False


@dataclass(frozen=True, slots=True)
class ObservedLabel:
    """What is known of a claim under a criterion, whatever the votes: the operator's gold, or the machine's FAIL."""

    claim: str
    criterion: str
    passes: bool
