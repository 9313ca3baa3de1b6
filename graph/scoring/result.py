"""What a consensus comes out as: the score of a statement, criterion by criterion, and what it rests on."""

from dataclasses import dataclass, field
from enum import StrEnum

from a2ap.policy import ConsensusMethod
from graph.scoring.votes import Reading

Interval = tuple[float, float]


class GateState(StrEnum):
    """What the machine's check of the evidence lets through."""

    OPEN = "OPEN"
    CLOSED = "CLOSED"
    UNKNOWN = "UNKNOWN"

    @classmethod
    def of(cls, machine_check: str | None) -> "GateState":
        """Return the gate that a machine check's status leaves: only PASS opens it, FAIL closes it."""
        return {"PASS": cls.OPEN, "FAIL": cls.CLOSED}.get(machine_check or "", cls.UNKNOWN)


@dataclass(frozen=True, slots=True)
class CriterionConsensus:
    """The score of one criterion, and the seeded operators that passed and that failed it.

    `interval` is where the score lies with a probability of 95 %, for methods that know. `observed` says who knows the
    answer, where somebody does: the score is then 1 or 0, whatever the verdicts.
    """

    criterion: str
    score: float
    quorum_met: bool
    operators_for: tuple[str, ...]
    operators_against: tuple[str, ...]
    interval: Interval | None = None
    observed: str = ""


@dataclass(frozen=True, slots=True)
class Contribution:
    """What the score would be without one verifier."""

    verifier: str
    without: float


@dataclass(frozen=True, slots=True)
class Consensus:
    """The score of a statement, whose verdicts counted, and why it is not verified (or what is odd about the score).

    `readings` says of each verdict how it was read, in log order. The score is that of the log's first `log_size`
    entries under the policy with this signed hash; both are empty where nobody asked of a graph.
    """

    score: float
    verified: bool
    method: ConsensusMethod
    per_criterion: tuple[CriterionConsensus, ...]
    counted: tuple[str, ...]
    ignored: tuple[tuple[str, str], ...]
    reasons: tuple[str, ...]
    interval: Interval | None = None
    contributions: tuple[Contribution, ...] = ()
    readings: tuple[Reading, ...] = field(default=(), compare=False)
    policy_hash: str = ""
    log_size: int | None = None
    epoch: int | None = None

    @property
    def published(self) -> str:
        """The score as it is published and replayed: four decimals."""
        return f"{self.score:.4f}"
