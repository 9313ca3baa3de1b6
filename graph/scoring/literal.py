"""A2AP §4.3 to the letter: `a2ap-0.1`, which averages confidences regardless of the verdict."""

from collections.abc import Iterable, Sequence
from math import fsum

from a2ap.messages.policy import ConsensusMethod
from graph.scoring.result import Consensus
from graph.scoring.unit import unit
from graph.scoring.votes import RETRACTED, UNTRUSTED_KEY, Judgement, position

LITERAL_THRESHOLD = 0.7
"""A2AP §4.3: `"verified": consensus >= 0.7`."""


def weigh_literally(judgements: Iterable[Judgement], default_reputation: float, objections: Sequence[str]) -> Consensus:
    """Compute A2AP §4.3: the mean of all confidences, weighted by reputation, regardless of verdict and verifier.

    The specification knows no machine check, so the machine's own verdict is left out. So are verdicts signed with a
    key that is not trusted, which proves no author, and retracted verdicts.
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
