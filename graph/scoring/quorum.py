"""Count operators, not confidences: `a2ap-quorum` (docs/decisions/0010).

The rules, for the votes that `graph.scoring.votes` lets count:

1. PASS at c is c of a vote for the claim and 1 - c against. FAIL at c is c of a vote against and otherwise silence, so
   that no challenge, however hesitant, helps a claim.
2. An operator has one vote on a criterion, however many verifiers it endorsed.
3. A criterion's score is the posterior mean under the Jeffreys prior Beta(½, ½).
4. All unseeded operators together weigh `unseeded_weight` and never lift a criterion to the threshold.
5. A statement scores what its worst criterion scores, and 0.0 where nobody passed anything (§4.3).
"""

from collections.abc import Iterable, Sequence
from math import fsum

from graph.scoring.result import CriterionConsensus
from graph.scoring.votes import ConsensusPolicy, Vote, unit


def score_criteria(votes: Sequence[Vote], policy: ConsensusPolicy) -> tuple[CriterionConsensus, ...]:
    """Return the consensus on each of the policy's criteria, in the policy's order."""
    return tuple(
        _score_criterion(criterion, [vote for vote in votes if vote.criterion == criterion], policy)
        for criterion in policy.criteria
    )


def _score_criterion(criterion: str, votes: Sequence[Vote], policy: ConsensusPolicy) -> CriterionConsensus:
    by_operator: dict[str, list[Vote]] = {}
    for vote in votes:
        if vote.operator is not None:
            by_operator.setdefault(vote.operator, []).append(vote)
    seeded = [_vote_of_operator(own) for own in by_operator.values()]
    support, doubt = _vote_of_strangers([vote for vote in votes if vote.operator is None], policy.unseeded_weight)
    # The strangers' challenges count in what the seeded must reach alone; what the strangers pass comes after.
    alone = _posterior_mean([*seeded, (0.0, doubt)])
    score = _posterior_mean([*seeded, (0.0, doubt), (support, support)])
    if not seeded or alone < policy.threshold:
        # Published scores have four decimals: what is held below the threshold must also look so.
        score = min(score, max(alone, policy.threshold - 1e-4))
    operators_for = tuple(sorted(name for name, own in by_operator.items() if any(vote.passes for vote in own)))
    return CriterionConsensus(
        criterion=criterion,
        score=score,
        quorum_met=len(operators_for) >= max(policy.quorum, 1),
        operators_for=operators_for,
        operators_against=tuple(
            sorted(name for name, own in by_operator.items() if not all(vote.passes for vote in own))
        ),
    )


def _posterior_mean(votes: Iterable[tuple[float, float]]) -> float:
    """Return the mean of Beta(½ + for, ½ + against) for votes given as (part for the claim, whole weight).

    Nine decimals: 0.8, 0.8 and the prior make 0.7 exactly, on every machine.
    """
    votes = tuple(votes)
    return round((0.5 + fsum(part for part, _ in votes)) / (1.0 + fsum(weight for _, weight in votes)), 9)


def _vote_of_operator(votes: Sequence[Vote]) -> tuple[float, float]:
    """Return the mean of an operator's verifiers, a FAIL at c being c of a verifier that gives nothing to the claim."""
    passes = [vote.confidence for vote in votes if vote.passes]
    fails = [vote.confidence for vote in votes if not vote.passes]
    if not passes:
        return 0.0, max(fails)
    return fsum(passes) / (len(passes) + fsum(fails)), 1.0


def _vote_of_strangers(votes: Sequence[Vote], weight: float) -> tuple[float, float]:
    """Return how much of `weight` goes to the claim and how much against it.

    The surest challenge counts in full and the passes share what it leaves: more strangers who pass cannot drown one
    who does not, and none of them can lower a score by passing faintly.
    """
    passes = [vote.confidence for vote in votes if vote.passes]
    doubt = max((vote.confidence for vote in votes if not vote.passes), default=0.0)
    support = (1.0 - doubt) * fsum(passes) / len(passes) if passes else 0.0
    return unit(weight) * support, unit(weight) * doubt
