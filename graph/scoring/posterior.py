"""The probability that a claim is right, given the verdicts and each operator's record: `a2ap-posterior`.

The rules, for the votes that `graph.scoring.votes` lets count, criterion by criterion (docs/explanation/consensus.md):

1. Claims come in levels of difficulty, one or more. On each, a vote moves the log-odds of a right and of a wrong claim
   by g(confidence) × independence × its shift there: on one level a PASS adds log(sensitivity / (1 − specificity)) to
   right claims, a FAIL adds log(specificity / (1 − sensitivity)) to wrong ones. A shift is at most log 99, and never
   against the answer.
2. An operator has one PASS and one FAIL, the strongest of its verifiers'.
3. Operators whose verifiers belong to one family of models are not independent: the strongest of a family counts in
   full, the next by ρ, the next by ρ². An operator's gain from several families ends at its strongest verdict.
4. All unseeded verifiers together have one PASS and one FAIL, weighted by `unseeded_weight`, and never lift a criterion
   to the threshold unless the seeded lift it there.
5. The odds are those of all levels on which the claim may be right to all on which it may be wrong, weighed by their
   shares among all claims. A posterior p becomes e + (1 − 2 e) p, for e the rate of common errors.
6. An answer that is known, by a machine's FAIL or the operator's gold, is the score: 0 or 1.
7. An operator counts for the quorum if its PASS multiplies the odds of the claim by at least 1.5: a voice that is
   discounted to almost nothing, or is hardly sure, is no second opinion. For each operator whose FAIL divides them by
   as much, two must pass the claim, whether drawn or not: however good their records, a few operators verify nothing
   that as many fail. An operator whose verifiers are divided is on both sides.
8. A claim that a *tested* operator fails needs the PASS of more tested operators than fail it. An operator is tested by
   its answers to known claims, four to either truth, and counts if by these alone its verdict moves the odds as much:
   neither operators without a record nor an estimate that others have misled outvote the tested ones.

Shares of right and wrong claims and common errors are those of the last epoch (`graph.inference`), whose last step
this is; before it they are the policy's prior, and 0. As most claims being right says nothing about this one, a claim
is verified only if the verdicts also reach the threshold from even odds.

Within an epoch no PASS lowers a score and no FAIL raises one. Each rule is applied on each level by itself, and there
each step is a maximum, or a sum of ordered weights, or the smaller of two sums that both grow; a PASS moves no level of
right claims down and none of wrong claims up. The value that decides whether the unseeded are held back grows with the
score.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp, fsum, log

from graph.scoring.beta import trigamma
from graph.scoring.reliabilities import ReliabilityTable
from graph.scoring.result import CriterionConsensus, Interval
from graph.scoring.unit import unit
from graph.scoring.votes import ConsensusPolicy, Vote

_NORMAL_975 = 1.959963984540054
_SAYS_SOMETHING = log(1.5)


@dataclass(frozen=True, slots=True)
class Observation:
    """A known answer to one criterion, and its source."""

    passes: bool
    source: str


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The knowledge besides the verdicts: reliabilities, families by verifier, answers by criterion.

    `skills` are the weights of verifiers in `wawa`.
    """

    table: ReliabilityTable = field(default_factory=ReliabilityTable)
    families: Mapping[str, str] = field(default_factory=dict)
    observed: Mapping[str, Observation] = field(default_factory=dict)
    skills: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The log-odds that one vote contributes, and their variance.

    `shifts` are those on each level, of right claims first, then of wrong ones; `strength` is that of an unknown level.
    """

    vote: Vote
    family: str | None
    strength: float
    variance: float
    shifts: tuple[float, ...]

    def on(self, cell: int) -> "Evidence":
        """Return the same with the strength that it has on one level of the right or the wrong claims."""
        return replace(self, strength=self.shifts[cell])


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of the log-odds of several votes, and its variance."""

    strength: float = 0.0
    variance: float = 0.0

    @classmethod
    def of(cls, weighted: Iterable[tuple[float, Evidence]]) -> "Sum":
        """Add up the evidence of votes, each with its weight."""
        weighted = tuple(weighted)
        return cls(
            fsum(weight * one.strength for weight, one in weighted),
            fsum(weight * weight * one.variance for weight, one in weighted),
        )


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of the votes on one level: PASSes and FAILs of the seeded, then of the unseeded."""

    passed: float
    failed: float
    support: float
    doubt: float

    @property
    def alone(self) -> float:
        """The log-odds without the PASSes of the unseeded."""
        return self.passed - self.failed - self.doubt


@dataclass(frozen=True, slots=True)
class Ground:
    """The logarithms of the shares of right claims by level, then of wrong ones, before any verdict.

    `variance` is that of the log-odds, `common_error` the rate of claims about which all verifiers err together.
    """

    shares: tuple[float, ...]
    variance: float
    common_error: float = 0.0

    @classmethod
    def of(cls, criterion: str, policy: ConsensusPolicy, knowledge: Knowledge) -> "Ground":
        """Return the shares under a criterion by the last epoch, before the first one by the policy."""
        right, wrong = policy.priors.claim
        variance = trigamma(right) + trigamma(wrong)
        model = knowledge.table.models.get(criterion)
        if model is None:
            return cls((log(right / wrong), 0.0), variance)
        return cls(tuple(log(share) for share in (*model.right, *model.wrong)), variance, model.common_error)

    @property
    def levels(self) -> int:
        """Return the number of levels."""
        return len(self.shares) // 2

    def even(self) -> "Ground":
        """Return the same with right claims no likelier than wrong ones."""
        excess = max(self.odds([0.0] * len(self.shares)), 0.0)
        right = (share - excess for share in self.shares[: self.levels])
        return replace(self, shares=(*right, *self.shares[self.levels :]))

    def odds(self, moved: Sequence[float]) -> float:
        """Return the log-odds of a claim that the votes have moved by so much on each level."""
        right, wrong = slice(self.levels), slice(self.levels, None)
        return _log_sum(self.shares[right], moved[right], 1.0) - _log_sum(self.shares[wrong], moved[wrong], -1.0)

    def strength(self, shifts: Sequence[float], *, passes: bool) -> float:
        """Return by how much one vote with these shifts moves the log-odds of a claim without others, 0 or more."""
        if self.levels == 1:
            return sum(shifts)
        moved = self.odds(shifts if passes else [-shift for shift in shifts]) - self.odds([0.0] * len(shifts))
        return max(moved if passes else -moved, 0.0)

    def posterior(self, odds: float) -> float:
        """Return the probability of these log-odds to nine decimals, with the common errors."""
        return round(self.common_error + (1.0 - 2.0 * self.common_error) * _sigmoid(odds), 9)


def score_posterior(
    votes: Sequence[Vote], policy: ConsensusPolicy, knowledge: Knowledge
) -> tuple[CriterionConsensus, ...]:
    """Return the posterior of each of the policy's criteria, in the policy's order."""
    return tuple(
        _score_criterion(criterion, [vote for vote in votes if vote.criterion == criterion], policy, knowledge)
        for criterion in policy.criteria
    )


def statement_score(
    votes: Sequence[Vote], per_criterion: Sequence[CriterionConsensus]
) -> tuple[float, Interval | None]:
    """Return the score and interval of the worst criterion; 0.0 without an interval if nothing is passed (§4.3)."""
    passed = any(vote.passes for vote in votes) or any(entry.observed and entry.score for entry in per_criterion)
    if not passed:
        return 0.0, None
    worst = min(per_criterion, key=lambda entry: entry.score)
    return worst.score, worst.interval


def _score_criterion(
    criterion: str, votes: Sequence[Vote], policy: ConsensusPolicy, knowledge: Knowledge
) -> CriterionConsensus:
    ground = Ground.of(criterion, policy, knowledge)
    evidence = [evidence_of(vote, policy, knowledge, ground) for vote in votes]
    sums = tuple(
        _add_votes([one.on(cell) for one in evidence if one.shifts[cell]], policy)[0]
        for cell in range(2 * ground.levels)
    )
    seeded = [one for one in evidence if one.vote.operator is not None]
    seeded_pass = any(one.vote.passes for one in seeded)
    score = hold_back(ground, sums, policy, seeded_pass=seeded_pass)
    odds = ground.odds([one.alone + one.support for one in sums])
    margin = _NORMAL_975 * (ground.variance + _add_votes(evidence, policy)[1]) ** 0.5
    interval = (min(ground.posterior(odds - margin), score), max(ground.posterior(odds + margin), score))
    carried = hold_back(ground.even(), sums, policy, seeded_pass=seeded_pass)
    heard = [one.vote for one in seeded if one.strength >= _SAYS_SOMETHING]
    operators_for = tuple(sorted({str(vote.operator) for vote in heard if vote.passes and vote.drawn}))
    borne_by, contested_by = _sides(heard)
    tested_for, tested_against = _sides([one.vote for one in seeded if is_tested(one.vote, knowledge.table)])
    is_contested_by_tested = len(tested_for) <= len(tested_against) > 0
    known = knowledge.observed.get(criterion)
    if known is not None:
        score = carried = 1.0 if known.passes else 0.0
        interval = (score, score)
    return CriterionConsensus(
        criterion=criterion,
        score=score,
        quorum_met=len(operators_for) >= max(policy.quorum, 1),
        operators_for=operators_for,
        operators_against=tuple(sorted({str(one.vote.operator) for one in seeded if not one.vote.passes})),
        is_contested=is_contested_by_tested or len(borne_by) < 2 * len(contested_by),
        is_contested_by_tested=is_contested_by_tested,
        contested_by=tuple(sorted(contested_by | tested_against)),
        interval=interval,
        observed="" if known is None else known.source,
        carried=carried,
    )


def is_tested(vote: Vote, table: ReliabilityTable) -> bool:
    """Return whether a vote says something by the known answers of its operator alone: rule 8."""
    reliability = table.tested(vote)
    if reliability is None:
        return False
    weight = table.weight_of(vote.confidence) * reliability.independence
    return weight * sum(reliability.shifts(vote.passes, 1)) >= _SAYS_SOMETHING


def _sides(votes: Iterable[Vote]) -> tuple[set[str], set[str]]:
    """Return the operators with a PASS among these votes that reverses no FAIL of theirs, and those with a FAIL."""
    votes = tuple(votes)
    passed, failed = (
        {str(vote.operator) for vote in votes if vote.passes is way and not vote.reverses} for way in (True, False)
    )
    return passed, failed


def evidence_of(vote: Vote, policy: ConsensusPolicy, knowledge: Knowledge, ground: Ground) -> Evidence:
    """Return the evidence of one vote: rule 1. Its strength is that by which it alone moves the log-odds of a claim."""
    reliability = knowledge.table.of(vote, policy.seeds, policy.priors)
    weight = knowledge.table.weight_of(vote.confidence) * reliability.independence
    shifts = tuple(weight * shift for shift in reliability.shifts(vote.passes, ground.levels))
    return Evidence(
        vote=vote,
        family=knowledge.families.get(vote.verifier),
        strength=ground.strength(shifts, passes=vote.passes),
        variance=weight * weight * reliability.variance(vote.passes),
        shifts=shifts,
    )


def _add_votes(evidence: Sequence[Evidence], policy: ConsensusPolicy) -> tuple[Sums, float]:
    """Return the sums of the votes of each kind, and the variance of all together: rules 2 to 4."""
    seeded = [one for one in evidence if one.vote.operator is not None]
    strangers = [one for one in evidence if one.vote.operator is None]
    rho, share = unit(policy.priors.family_correlation), unit(policy.unseeded_weight)
    sums = [
        *(_add_operators([one for one in seeded if one.vote.passes is way], rho) for way in (True, False)),
        *(_add_strangers([one for one in strangers if one.vote.passes is way], share) for way in (True, False)),
    ]
    return Sums(*(one.strength for one in sums)), sum(one.variance for one in sums)


def _add_operators(evidence: Sequence[Evidence], rho: float) -> Sum:
    """Add up the votes of the seeded in one direction: rules 2 and 3."""
    by_operator: dict[str | None, Evidence] = {}
    by_family: dict[tuple[str | None, str | None], dict[str | None, Evidence]] = {}
    for one in evidence:
        operator = one.vote.operator
        for best in (by_operator, by_family.setdefault(family_of(one), {})):
            if operator not in best or _rank(best[operator]) < _rank(one):
                best[operator] = one
    independent = Sum.of((1.0, one) for one in by_operator.values())
    correlated = Sum.of(
        (rho**place, one)
        for members in by_family.values()
        for place, one in enumerate(sorted(members.values(), key=_rank, reverse=True))
    )
    return min(independent, correlated, key=lambda total: total.strength)


def family_of(one: Evidence) -> tuple[str | None, str | None]:
    """Return the group in which a vote is correlated: its verifier's family, or without one its operator."""
    return one.family, None if one.family is not None else one.vote.operator


def _add_strangers(evidence: Sequence[Evidence], share: float) -> Sum:
    return Sum.of([(share, max(evidence, key=_rank))] if evidence else [])


def _rank(one: Evidence) -> tuple[float, float, str]:
    """Return the rank of evidence: by strength, then by lower variance, then by the greater name of the verifier."""
    return one.strength, -one.variance, one.vote.verifier


def hold_back(ground: Ground, sums: Sequence[Sums], policy: ConsensusPolicy, *, seeded_pass: bool) -> float:
    """Return the score of these sums by level, held below the threshold if the seeded do not reach it: rule 4.

    The seeded must reach it against the strangers' challenges; the strangers' passes are added afterwards.
    """
    score = ground.posterior(ground.odds([one.alone + one.support for one in sums]))
    without_strangers = ground.posterior(ground.odds([one.alone for one in sums]))
    if not seeded_pass or not without_strangers >= policy.threshold:
        # Published scores have four decimals: a score held below the threshold must also look so.
        score = min(score, max(without_strangers, unit(policy.threshold - 1e-4)))
    return score


def _log_sum(shares: Sequence[float], moved: Sequence[float], sign: float) -> float:
    """Return the logarithm of the sum of these shares, each moved by `sign` times so much."""
    terms = [share + sign * by for share, by in zip(shares, moved, strict=True)]
    greatest = max(terms)
    return greatest + log(fsum(exp(term - greatest) for term in terms))


def _sigmoid(odds: float) -> float:
    """Return the probability of these log-odds."""
    small = exp(-abs(odds))
    return (1.0 if odds >= 0 else small) / (1.0 + small)
