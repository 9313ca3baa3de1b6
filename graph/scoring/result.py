"""The result of consensus: the score of a statement, the scores of its criteria, and the grounds for them."""

from dataclasses import dataclass, field
from enum import StrEnum

from a2ap.messages.policy import ConsensusMethod
from graph.scoring.votes import Reading

Interval = tuple[float, float]


class GateState(StrEnum):
    """The state of the gate that the machine's check of the evidence opens or closes."""

    OPEN = "OPEN"
    CLOSED = "CLOSED"
    UNKNOWN = "UNKNOWN"

    @classmethod
    def of(cls, machine_check: str | None) -> "GateState":
        """Return the gate of a machine check's status: PASS opens it, FAIL closes it, any other is UNKNOWN."""
        return {"PASS": cls.OPEN, "FAIL": cls.CLOSED}.get(machine_check or "", cls.UNKNOWN)


@dataclass(frozen=True, slots=True)
class CriterionConsensus:
    """The score of one criterion, and the seeded operators that passed and that failed it.

    `volunteers` are the operators that passed it without being drawn, if any are drawn: they complete no quorum.
    `interval` contains the score with a probability of 95 %, for methods that compute one. `observed` names the source
    of a known answer, if there is one: the score is then 1 or 0, regardless of the verdicts. `carried` is the score to
    which the verdicts carry a claim from even odds, for methods that know that most claims are right. For methods that
    ask that enough operators pass a claim for those that fail it, `contested_by` names the latter, and `is_contested`
    says that too few pass it; `is_contested_by_tested`, that too few of those do that known claims have tested.
    """

    criterion: str
    score: float
    quorum_met: bool
    operators_for: tuple[str, ...]
    operators_against: tuple[str, ...]
    interval: Interval | None = None
    observed: str = ""
    volunteers: tuple[str, ...] = ()
    carried: float | None = None
    contested_by: tuple[str, ...] = ()
    is_contested: bool = False
    is_contested_by_tested: bool = False


@dataclass(frozen=True, slots=True)
class Contribution:
    """The score without one verifier."""

    verifier: str
    without: float


@dataclass(frozen=True, slots=True)
class Consensus:
    """The score of a statement, the verifiers that counted, and the reasons why it is not verified or its score is odd.

    `readings` has the reading of each verdict, in log order. The score is that of the log's first `log_size` entries
    under the policy with this signed hash; both are empty if the score was not read from a graph.
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

    @property
    def is_judged(self) -> bool:
        """Whether a verdict counts, or the answer to a criterion is known."""
        return bool(self.counted) or any(entry.observed for entry in self.per_criterion)

    @property
    def operators(self) -> int:
        """The number of operators, drawn ones if any are drawn, that passed the criterion that fewest passed."""
        return min((len(entry.operators_for) for entry in self.per_criterion), default=0)
