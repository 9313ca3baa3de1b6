"""The probability that a claim is right, given the verdicts and how reliable each verifier is: `a2ap-posterior`.

The rules, for the votes that `graph.scoring.votes` lets count, criterion by criterion (docs/explanation/consensus.md):

1. A PASS adds g(confidence) × independence × log(sensitivity / (1 − specificity)) to the log-odds of the claim, a FAIL
   subtracts g × independence × log(specificity / (1 − sensitivity)); each logarithm is at least 0 and at most log 99.
2. An operator has one PASS and one FAIL, the strongest of its verifiers'.
3. Operators whose verifiers belong to one family of models are not independent: the strongest of a family counts in
   full, the next by ρ, the next by ρ². An operator's gain from several families ends at its strongest verdict.
4. All unseeded verifiers together have one PASS and one FAIL, weighted by `unseeded_weight`, and never lift a criterion
   to the threshold unless the seeded lift it there.
5. An answer that is known, by a machine's FAIL or the operator's gold, is the score: 0 or 1.
6. An operator counts for the quorum if its PASS multiplies the odds of the claim by at least 1.5: a voice that is
   discounted to almost nothing, or is hardly sure, is no second opinion.

Within an epoch no PASS lowers a score and no FAIL raises one. Each step is a maximum, or a sum of ordered weights, or
the smaller of two sums that both grow; the value that decides whether the unseeded are held back grows with the score.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, fsum, log

from a2ap.messages.priors import Priors
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
    """The log-odds that one vote contributes, and their variance."""

    vote: Vote
    family: str | None
    strength: float
    variance: float


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
    evidence = [evidence_of(vote, policy, knowledge) for vote in votes]
    seeded = [one for one in evidence if one.vote.operator is not None]
    strangers = [one for one in evidence if one.vote.operator is None]
    rho, share = unit(policy.priors.family_correlation), unit(policy.unseeded_weight)
    prior = prior_sum(policy.priors)
    passed, failed = (_add_operators([one for one in seeded if one.vote.passes is way], rho) for way in (True, False))
    support, doubt = (
        _add_strangers([one for one in strangers if one.vote.passes is way], share) for way in (True, False)
    )
    odds = prior.strength + passed.strength + support.strength - failed.strength - doubt.strength
    alone = prior.strength + passed.strength - failed.strength - doubt.strength
    score = hold_back(odds, alone, policy, seeded_pass=any(one.vote.passes for one in seeded))
    margin = _NORMAL_975 * sum(one.variance for one in (prior, passed, failed, support, doubt)) ** 0.5
    interval = (min(_sigmoid(odds - margin), score), max(_sigmoid(odds + margin), score))
    heard = (one for one in seeded if one.vote.passes and one.strength >= _SAYS_SOMETHING)
    operators_for = tuple(sorted({str(one.vote.operator) for one in heard}))
    known = knowledge.observed.get(criterion)
    if known is not None:
        score = 1.0 if known.passes else 0.0
        interval = (score, score)
    return CriterionConsensus(
        criterion=criterion,
        score=score,
        quorum_met=len(operators_for) >= max(policy.quorum, 1),
        operators_for=operators_for,
        operators_against=tuple(sorted({str(one.vote.operator) for one in seeded if not one.vote.passes})),
        interval=interval,
        observed="" if known is None else known.source,
    )


def evidence_of(vote: Vote, policy: ConsensusPolicy, knowledge: Knowledge) -> Evidence:
    """Return the evidence of one vote: rule 1."""
    reliability = knowledge.table.of(vote, policy.seeds, policy.priors)
    weight = knowledge.table.weight_of(vote.confidence) * reliability.independence
    return Evidence(
        vote=vote,
        family=knowledge.families.get(vote.verifier),
        strength=weight * reliability.evidence(vote.passes),
        variance=weight * weight * reliability.variance(vote.passes),
    )


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


def hold_back(odds: float, alone: float, policy: ConsensusPolicy, *, seeded_pass: bool) -> float:
    """Return the score of these log-odds, held below the threshold if they do not reach it `alone`: rule 4.

    The seeded must reach it against the strangers' challenges; the strangers' passes are added afterwards.
    """
    score, without_strangers = _sigmoid(odds), _sigmoid(alone)
    if not seeded_pass or not without_strangers >= policy.threshold:
        # Published scores have four decimals: a score held below the threshold must also look so.
        score = min(score, max(without_strangers, unit(policy.threshold - 1e-4)))
    return score


def prior_sum(priors: Priors) -> Sum:
    """Return the log-odds of a claim without verdicts, and their variance."""
    right, wrong = priors.claim
    return Sum(log(right / wrong), trigamma(right) + trigamma(wrong))


def _sigmoid(odds: float) -> float:
    """Return the probability of these log-odds to nine decimals: the same on every machine."""
    small = exp(-abs(odds))
    return round((1.0 if odds >= 0 else small) / (1.0 + small), 9)
