"""Weigh the verdicts on one statement into a score, and say what it lacks to be verified.

The rules of `a2ap-quorum`, the default (docs/decisions/0010), for the votes that `graph.scoring.votes` lets count:

1. PASS at c is c of a vote for the claim and 1 - c against. FAIL at c is c of a vote against and otherwise silence, so
   that no challenge, however hesitant, helps a claim.
2. An operator has one vote on a criterion, however many verifiers it endorsed.
3. A criterion's score is the posterior mean under the Jeffreys prior Beta(½, ½).
4. All unseeded operators together weigh `unseeded_weight` and never lift a criterion to the threshold.
5. A statement scores what its worst criterion scores, and 0.0 where nobody passed anything (§4.3).

`a2ap-0.1` is §4.3 to the letter. Nothing here knows a clock, a database or chance.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum

from a2ap.policy import ConsensusMethod
from graph.scoring.votes import RETRACTED, UNTRUSTED_KEY, ConsensusPolicy, Judgement, Vote, count_votes, position, unit

__all__ = [
    "Consensus",
    "ConsensusMethod",
    "ConsensusPolicy",
    "CriterionConsensus",
    "GateState",
    "Judgement",
    "compute_consensus",
    "score_criteria",
]

LITERAL_THRESHOLD = 0.7
"""A2AP §4.3: `"verified": consensus >= 0.7`."""


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
    """The score of one criterion, and the seeded operators that passed and that failed it."""

    criterion: str
    score: float
    quorum_met: bool
    operators_for: tuple[str, ...]
    operators_against: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Consensus:
    """The score of a statement, whose verdicts counted, and why it is not verified (or what is odd about the score)."""

    score: float
    verified: bool
    method: ConsensusMethod
    per_criterion: tuple[CriterionConsensus, ...]
    counted: tuple[str, ...]
    ignored: tuple[tuple[str, str], ...]
    reasons: tuple[str, ...]


def compute_consensus(
    judgements: Iterable[Judgement],
    *,
    author: str,
    author_operators: frozenset[str],
    gate: GateState,
    policy: ConsensusPolicy,
    method: str | None = None,
    default_reputation: float = 0.5,
    objections: Sequence[str] = (),
) -> Consensus:
    """Weigh the judgements of one statement by `method`, or by the policy's where none is given.

    The order of the judgements does not matter. `default_reputation` is what `a2ap-0.1` gives an agent without one:
    §4.3 does not say, the upstream code takes 0.5. `objections` are sentences that say why the statement cannot be
    verified, whatever the verdicts: that its key is not trusted. Raises ValueError for a method that is not a
    `ConsensusMethod`.
    """
    if ConsensusMethod(method or policy.method) is ConsensusMethod.LITERAL:
        return _weigh_literally(judgements, default_reputation, objections)
    votes, ignored = count_votes(judgements, author=author, author_operators=author_operators, policy=policy)
    per_criterion = score_criteria(votes, policy)
    passed = any(vote.passes for vote in votes)
    lacking = (*objections, *_name_what_lacks(votes, per_criterion, gate, policy))
    return Consensus(
        score=min(entry.score for entry in per_criterion) if passed else 0.0,
        verified=not lacking,
        method=ConsensusMethod.QUORUM,
        per_criterion=per_criterion,
        counted=tuple(sorted({vote.verifier for vote in votes})),
        ignored=ignored,
        reasons=lacking,
    )


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


def _name_what_lacks(
    votes: Sequence[Vote],
    per_criterion: Sequence[CriterionConsensus],
    gate: GateState,
    policy: ConsensusPolicy,
) -> tuple[str, ...]:
    reasons = []
    if not per_criterion:
        reasons.append("The policy names no criterion.")
    elif not votes:
        reasons.append("No verdict that counts has been given.")
    else:
        quorum = max(policy.quorum, 1)
        for entry in per_criterion:
            if not entry.quorum_met:
                passed = len(entry.operators_for)
                reasons.append(f"{entry.criterion} has been passed by {passed} of {quorum} operators.")
            if not entry.score >= policy.threshold:
                reasons.append(f"{entry.criterion} scores {entry.score:.4f}, below {policy.threshold:.4f}.")
    if gate is GateState.CLOSED:
        reasons.append("The machine found that the evidence is not as stated.")
    elif gate is GateState.UNKNOWN:
        reasons.append("The machine could not check the evidence.")
    return tuple(reasons)


def _weigh_literally(
    judgements: Iterable[Judgement], default_reputation: float, objections: Sequence[str]
) -> Consensus:
    """A2AP §4.3: the mean of all confidences, weighted by reputation, whatever the verdict and whoever gives it.

    The specification knows no machine check, so the machine's own verdict is left out; so is what is signed with a key
    that is not trusted, which is nobody's, and what is retracted.
    """
    judgements = sorted(judgements, key=position)
    counted = [judgement for judgement in judgements if judgement.weighs and not judgement.machine]
    weights = [
        unit(default_reputation if judgement.reputation is None else judgement.reputation) for judgement in counted
    ]
    total = fsum(weights)
    weighted = (unit(judgement.confidence) * weight for judgement, weight in zip(counted, weights, strict=True))
    score = min(fsum(weighted) / total, 1.0) if total else 0.0
    reasons = list(objections)
    if not counted:
        reasons.append("No verification has been given.")
    elif not total:
        reasons.append("All verifiers have reputation zero, for which §4.3 has no value.")
    elif score < LITERAL_THRESHOLD:
        reasons.append(f"The score {score:.4f} is below {LITERAL_THRESHOLD:.4f}.")
    return Consensus(
        score=score,
        verified=score >= LITERAL_THRESHOLD and not objections,
        method=ConsensusMethod.LITERAL,
        per_criterion=(),
        counted=tuple(sorted({judgement.verifier for judgement in counted})),
        ignored=tuple(
            (judgement.verifier, _reason_to_ignore_literally(judgement))
            for judgement in judgements
            if judgement.machine or not judgement.weighs
        ),
        reasons=tuple(reasons),
    )


def _reason_to_ignore_literally(judgement: Judgement) -> str:
    if not judgement.trusted:
        return UNTRUSTED_KEY
    return RETRACTED if judgement.retracted else "the machine's check is unknown to §4.3"
