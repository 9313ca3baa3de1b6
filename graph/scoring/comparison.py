"""Simpler methods to compare with: `majority` and `wawa` count verifiers and ignore operators.

`majority` is the share of PASS among the verifiers that answer a criterion. `wawa` (worker agreement with aggregate)
weighs each verifier by its rate of agreement with the majority over all its answers. Neither is safe from an agent that
makes a second key; no policy can name them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import fsum

from graph.scoring.result import CriterionConsensus
from graph.scoring.votes import ConsensusPolicy, Vote


def score_shares(
    votes: Sequence[Vote], policy: ConsensusPolicy, skills: Mapping[str, float] | None = None
) -> tuple[CriterionConsensus, ...]:
    """Return the share of PASS under each criterion, weighted by skill; 0.5 without a vote.

    Without `skills` all verifiers have the same weight.
    """
    return tuple(
        _score_share(criterion, [vote for vote in votes if vote.criterion == criterion], skills)
        for criterion in policy.criteria
    )


def skills_of(votes_by_claim: Iterable[Sequence[Vote]]) -> dict[str, float]:
    """Return each verifier's rate of agreement with the majority; a tie counts as half an agreement."""
    agreed: defaultdict[str, list[float]] = defaultdict(list)
    for votes in votes_by_claim:
        by_criterion: defaultdict[str, list[Vote]] = defaultdict(list)
        for vote in votes:
            by_criterion[vote.criterion].append(vote)
        for answers in by_criterion.values():
            share = sum(vote.passes for vote in answers) / len(answers)
            for vote in answers:
                agreed[vote.verifier].append(0.5 if share == 0.5 else float((share > 0.5) is vote.passes))
    return {verifier: fsum(found) / len(found) for verifier, found in agreed.items()}


def _score_share(criterion: str, votes: Sequence[Vote], skills: Mapping[str, float] | None) -> CriterionConsensus:
    weighed = [(1.0 if skills is None else skills.get(vote.verifier, 0.5), vote) for vote in votes]
    total = fsum(weight for weight, _ in weighed)
    passed = fsum(weight for weight, vote in weighed if vote.passes)
    return CriterionConsensus(
        criterion=criterion,
        score=round(passed / total, 9) if total else 0.5,
        quorum_met=bool(votes),
        operators_for=tuple(sorted({vote.verifier for vote in votes if vote.passes})),
        operators_against=tuple(sorted({vote.verifier for vote in votes if not vote.passes})),
    )
