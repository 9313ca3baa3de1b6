"""Compute a verifier's reputation: labels for its verdicts, and the mean and interval that they give.

The rules of `a2ap-agreement` (docs/decisions/0026):

1. A verifier has one label per statement. A verdict that consensus ignores has none, so that no agent earns a
   reputation on its own claims, by repeating itself, or with verdicts that bind nothing.
2. If the machine found that the evidence is not as stated, a challenge was right and a validation wrong.
3. Otherwise the others decide, criterion by criterion, without the verifier's operator: right by quorum and threshold,
   or wrong by a quorum of challenges and a score of at most 1 - threshold. In between there is no label.
4. A verdict is wrong if any criterion went against it, right if some went its way and none against it.
5. Reputation is the mean of Beta(1 + right, 1 + wrong): one half before any label. A version of a family begins with
   the record of the other confirmed versions (`graph.scoring.pooling`) instead of 1 and 1.

`a2ap-reliability`, the method that goes with the default consensus, is the last epoch's estimate: the mean of
sensitivity and specificity (`graph.scoring.accuracy`). For an agent without an estimate it is the agreement above.
`a2ap-0.1` is §6.3 to the letter. Right and wrong are counters, so a new label costs only an addition.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from a2ap.messages.epoch import Estimate
from a2ap.messages.verification_response import Verdict
from graph.scoring.accuracy import accuracy_of
from graph.scoring.beta import beta_quantile
from graph.scoring.consensus import GateState, score_criteria
from graph.scoring.pooling import ALONE, Record, prior_after
from graph.scoring.reliabilities import ReliabilityTable
from graph.scoring.votes import ConsensusPolicy, Judgement, Vote, count_votes


def discounts_of(estimates: Iterable[Estimate]) -> str:
    """Return a sentence for each criterion under which the weight is reduced; "" if there is none."""
    return " ".join(_sentence(one) for one in estimates if one.independence < 1.0)


def _sentence(one: Estimate) -> str:
    reasons = ", and ".join(_reasons(one))
    weight = f"Under {one.criterion} its verdicts weigh {one.independence:.4f} of their full weight"
    return f"{weight}: {reasons}." if reasons else f"{weight}."


def _reasons(one: Estimate) -> Iterator[str]:
    if one.copied is not None:
        yield (
            f"of {one.copied.both} claims that {one.copies} has judged as well it differs on {one.copied.differed}, "
            f"where {one.copied.expected:.1f} are to be expected"
        )
    elif one.copies is not None:
        yield f"it repeats {one.copies}"
    if one.coalition is not None:
        yield f"gold tells that it lies together with others, which takes {one.coalition:.4f}"


PRIOR_REPUTATION = 0.5
"""The reputation of an agent none of whose verdicts has been judged."""


class ReputationMethod(StrEnum):
    """The methods that turn judged verdicts into a reputation."""

    RELIABILITY = "a2ap-reliability"
    AGREEMENT = "a2ap-agreement"
    LITERAL = "a2ap-0.1"


class VerdictLabel(StrEnum):
    """The outcome of comparing a verdict with the others or with the machine."""

    RIGHT = "RIGHT"
    WRONG = "WRONG"


@dataclass(frozen=True, slots=True)
class Reputation:
    """An agent's estimated accuracy, and the counts that it was computed from.

    `reason` has sentences if the value is not the one that the numbers alone would give, or if verdicts weigh less. The
    value of an epoch comes with the epoch's log size, the table's rows of this agent and its calibration. The
    reputation is that of the log's first `log_size` entries under the policy with this signed hash. Without a policy in
    the log there is no hash; without a graph there is neither.
    """

    value: float
    right: int
    wrong: int
    method: ReputationMethod
    reason: str = ""
    prior: tuple[float, float] = (1.0, 1.0)
    judged: int | None = None
    epoch: int | None = None
    interval: tuple[float, float] | None = None
    estimates: tuple[Estimate, ...] = ()
    calibration: tuple[tuple[float, float], ...] = ()
    policy_hash: str | None = None
    log_size: int | None = None

    @property
    def interval95(self) -> tuple[float, float] | None:
        """The central 95 % interval: the epoch's, or that of the prior with the counts; the literal method has none."""
        if self.interval is not None or self.method is ReputationMethod.LITERAL:
            return self.interval
        a, b = self.prior[0] + self.right, self.prior[1] + self.wrong
        low = beta_quantile(0.025, a, b)
        # Quantiles are good to about 1e-9, and all of the distribution may lie closer to 0 than that.
        return low, max(low, beta_quantile(0.975, a, b))


def compute_reputation(right: int, wrong: int, others: Record = ALONE) -> Reputation:
    """Return the mean of the prior with the right and wrong counts; its interval is computed on access.

    `others` is the record of the other confirmed versions of the agent's family. Raises ValueError for a negative
    count.
    """
    if right < 0 or wrong < 0:
        raise ValueError(f"{right} right and {wrong} wrong verdicts")
    prior = prior_after(others)
    reasons = [] if right or wrong else ["No verdict of this agent has been judged yet."]
    if others != ALONE:
        reasons.append(
            f"The other versions of its family were right {others.right} times and wrong {others.wrong} times."
        )
    return Reputation(
        value=(prior[0] + right) / (prior[0] + prior[1] + right + wrong),
        right=right,
        wrong=wrong,
        method=ReputationMethod.AGREEMENT,
        reason=" ".join(reasons),
        prior=prior,
    )


def reputation_from(table: ReliabilityTable, right: int, wrong: int) -> Reputation:
    """Return the reputation from the rows of one agent in an epoch's table; raises ValueError without any rows.

    The counts `right` and `wrong` by the other verifiers are reported with it.
    """
    estimates = tuple(sorted(table.estimates.values(), key=lambda one: one.criterion))
    accuracy = accuracy_of(estimates)
    return Reputation(
        value=accuracy.value,
        right=right,
        wrong=wrong,
        method=ReputationMethod.RELIABILITY,
        judged=accuracy.judged,
        epoch=table.log_size,
        reason=discounts_of(estimates),
        interval=accuracy.interval95,
        estimates=estimates,
        calibration=table.calibration,
    )


def label_verdicts(
    judgements: Iterable[Judgement],
    *,
    author: str,
    author_operators: frozenset[str],
    gate: GateState,
    policy: ConsensusPolicy,
) -> dict[str, VerdictLabel]:
    """Return the label of each verifier that has one, for the judgements of one statement in any order."""
    votes, _ = count_votes(judgements, author=author, author_operators=author_operators, policy=policy)
    by_verifier: dict[str, list[Vote]] = {}
    for vote in votes:
        by_verifier.setdefault(vote.verifier, []).append(vote)
    if gate is GateState.CLOSED:
        return {verifier: _compare_with_fail(own) for verifier, own in by_verifier.items()}
    seeded = frozenset[str]().union(*(vote.identities for vote in votes if vote.operator is not None))
    settled: dict[tuple[str | None, frozenset[str]], dict[str, bool]] = {}
    labels = {}
    for verifier, own in by_verifier.items():
        operator, identities = own[0].operator, own[0].identities
        # A stranger's judges are seeded, so that a crowd of strangers has the same ones, and they are asked once.
        colleagues = identities if operator is not None else identities & seeded
        if (operator, colleagues) not in settled:
            others = [vote for vote in votes if vote.operator != operator and not vote.identities & colleagues]
            settled[operator, colleagues] = _settle(others, policy)
        label = _compare(own, settled[operator, colleagues])
        if label is not None:
            labels[verifier] = label
    return labels


def _compare_with_fail(own: Sequence[Vote]) -> VerdictLabel:
    return VerdictLabel.WRONG if all(vote.passes for vote in own) else VerdictLabel.RIGHT


def _compare(own: Sequence[Vote], settled: dict[str, bool]) -> VerdictLabel | None:
    agreed = [vote.passes is settled[vote.criterion] for vote in own if vote.criterion in settled]
    if not agreed:
        return None
    return VerdictLabel.RIGHT if all(agreed) else VerdictLabel.WRONG


def _settle(votes: Sequence[Vote], policy: ConsensusPolicy) -> dict[str, bool]:
    """Return the criteria that the votes settle: True for passed, False for failed."""
    settled = {}
    for entry in score_criteria(votes, policy):
        if entry.quorum_met and entry.score >= policy.threshold:
            settled[entry.criterion] = True
        elif len(entry.operators_against) >= max(policy.quorum, 1) and entry.score <= 1.0 - policy.threshold:
            settled[entry.criterion] = False
    return settled


def literal_reputation(verdicts: Iterable[tuple[Verdict, float | None]]) -> float | None:
    """Compute A2AP §6.3 for one agent: VALIDATED on statements that score at least 0.8, divided by all its verdicts.

    Each verdict comes with the consensus score of its statement. Returns None if no verdict is accurate: the query's
    MATCH then yields no row, and the agent's previous value stays.
    """
    verdicts = tuple(verdicts)
    accurate = _count_accurate(verdicts)
    return accurate / len(verdicts) if accurate else None


def compute_literal_reputation(
    verdicts: Iterable[tuple[Verdict, float | None]], previous: float | None = None
) -> Reputation:
    """Return the reputation by A2AP §6.3; without an accurate verdict the previous one, or 0.0, and the reason."""
    verdicts = tuple(verdicts)
    accurate = _count_accurate(verdicts)
    value = literal_reputation(verdicts)
    reason = ""
    if value is None:
        kept = "there was none, so it is 0" if previous is None else "the previous one stays"
        reason = f"§6.3 gives no reputation without a validation of a statement that scores 0.8 or more; {kept}."
    return Reputation(
        value=value if value is not None else previous or 0.0,
        right=accurate,
        wrong=len(verdicts) - accurate,
        method=ReputationMethod.LITERAL,
        reason=reason,
    )


def _count_accurate(verdicts: Iterable[tuple[Verdict, float | None]]) -> int:
    return sum(verdict is Verdict.VALIDATED and (score or 0.0) >= 0.8 for verdict, score in verdicts)
