"""Count operators, not confidences: `a2ap-quorum` (docs/decisions/0025).

The rules, for the votes that `graph.scoring.votes` lets count:

1. PASS at c is c of a vote for the claim and 1 - c against. FAIL at c is c of a vote against and nothing else, so that
   no challenge, however hesitant, helps a claim.
2. An operator has one vote on a criterion, regardless of how many verifiers it endorsed.
3. A criterion's score is the posterior mean under the Jeffreys prior Beta(½, ½).
4. All unseeded operators together weigh `unseeded_weight` and never lift a criterion to the threshold.
5. A statement's score is that of its worst criterion, and 0.0 if nothing is passed (§4.3).
"""

from collections.abc import Sequence
from math import fsum

from graph.scoring.result import CriterionConsensus
from graph.scoring.unit import unit
from graph.scoring.votes import ConsensusPolicy, Vote


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
    seeded = [vote_of_operator(*_sides(own)) for own in by_operator.values()]
    strangers = [vote for vote in votes if vote.operator is None]
    support, doubt = vote_of_strangers(*_sides(strangers), policy.unseeded_weight)
    parts, weights = [part for part, _ in seeded], [weight for _, weight in seeded]
    alone = posterior_mean(fsum(parts), fsum([*weights, doubt]))
    score = posterior_mean(fsum([*parts, support]), fsum([*weights, doubt, support]))
    operators_for = tuple(
        sorted(name for name, own in by_operator.items() if any(vote.passes and vote.drawn for vote in own))
    )
    return CriterionConsensus(
        criterion=criterion,
        score=hold_mean_back(score, alone, policy, seeded=bool(seeded)),
        quorum_met=len(operators_for) >= max(policy.quorum, 1),
        operators_for=operators_for,
        operators_against=tuple(
            sorted(name for name, own in by_operator.items() if not all(vote.passes for vote in own))
        ),
    )


def hold_mean_back(score: float, alone: float, policy: ConsensusPolicy, *, seeded: bool) -> float:
    """Return the score, held below the threshold if the seeded do not reach it `alone`: rule 4.

    The seeded must reach it against the strangers' challenges; the strangers' passes are added afterwards.
    """
    if seeded and not alone < policy.threshold:
        return score
    # Published scores have four decimals: a score held below the threshold must also look so.
    return min(score, max(alone, policy.threshold - 1e-4))


def posterior_mean(part: float, weight: float) -> float:
    """Return the mean of Beta(½ + for, ½ + against) for votes that give `part` of their `weight` to the claim.

    Nine decimals: 0.8, 0.8 and the prior make 0.7 exactly, on every machine.
    """
    return round((0.5 + part) / (1.0 + weight), 9)


def vote_of_operator(passes: float, passing: int, fails: float, surest: float) -> tuple[float, float]:
    """Return the part for the claim and the whole weight of an operator's vote.

    The vote is the mean of its verifiers; a FAIL at c is c of a verifier that gives nothing to the claim. `passes` and
    `fails` are sums of confidences, `surest` is the greatest confidence of a FAIL.
    """
    return (passes / (passing + fails), 1.0) if passing else (0.0, surest)


def vote_of_strangers(passes: float, passing: int, fails: float, surest: float, weight: float) -> tuple[float, float]:
    """Return the parts of `weight` for the claim and against it.

    The surest challenge counts in full and the passes share the rest: more strangers that pass a claim do not reduce
    the weight of one that fails it, and a faint pass counts nothing against the claim.
    """
    support = (1.0 - surest) * passes / passing if passing else 0.0
    return unit(weight) * support, unit(weight) * surest


def _sides(votes: Sequence[Vote]) -> tuple[float, int, float, float]:
    passes = [vote.confidence for vote in votes if vote.passes]
    fails = [vote.confidence for vote in votes if not vote.passes]
    return fsum(passes), len(passes), fsum(fails), max(fails, default=0.0)
