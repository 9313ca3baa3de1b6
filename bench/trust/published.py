"""Calibration of the published figures after an epoch: scores of claims, intervals of verifiers.

The worlds are those of the attacks (`bench.trust.verdict_world`), without attackers: verdicts are read as the platform
reads them, with operators and gold, an epoch is estimated, and each claim that is not gold gets its score.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from a2ap.messages.epoch import Pair
from bench.trust.calibration import BINS, expected_calibration_error
from bench.trust.verdict_world import (
    FOUR_OPERATORS,
    Shape,
    World,
    claim_name,
    draw_world,
    estimate_world,
    reliability_table,
    score_claims,
)
from graph.scoring.accuracy import accuracy_of
from graph.scoring.beta import beta_quantile

ALONE = Shape(operators=20, verifiers=1, judged=0.25)
"""Each verifier with an operator of its own, five verdicts on a claim."""
ALONE_AND_FEW = Shape(operators=20, verifiers=1, judged=0.15)
"""The same with three verdicts on a claim."""
MANY = Shape(operators=200, verifiers=1, judged=0.025, claims=4_000)
"""As many verifiers and claims as the simulated population has, five verdicts on a claim."""
SHAPES = ((FOUR_OPERATORS, 20), (ALONE, 20), (ALONE_AND_FEW, 20), (MANY, 3))
"""The worlds, and the number of draws of each."""


@dataclass(frozen=True, slots=True, eq=False)
class Published:
    """Scores of claims that are not gold, parallel to whether they are right; and whether intervals hold the truth.

    `covered` has every verifier's sensitivity and specificity, `reputed` every verifier's reputation.
    """

    score: NDArray[np.float64]
    right: NDArray[np.bool_]
    covered: NDArray[np.bool_]
    reputed: NDArray[np.bool_]


def measure_published() -> dict[str, Any]:
    """Return the figures of each world."""
    return {"worlds": [_measure_world(shape, draws) for shape, draws in SHAPES]}


def _measure_world(shape: Shape, draws: int) -> dict[str, Any]:
    found = [publish(shape, seed) for seed in range(draws)]
    score, right, covered, reputed = joined(found)
    return {
        "operators": shape.operators,
        "verifiers": shape.verifiers,
        "each": round(shape.each, 4),
        "drawn": draws,
        "claims": len(score),
        "expected_calibration_error": round(expected_calibration_error(score, right), 4),
        "too_sure": round(too_sure(score, right), 4),
        "worst_of_seeds": round(max(expected_calibration_error(one.score, one.right) for one in found), 4),
        "coverage": round(100 * float(covered.mean()), 2),
        "intervals": len(covered),
        "reputation_coverage": round(100 * float(reputed.mean()), 2),
    }


def publish(shape: Shape, random_seed: int) -> Published:
    """Draw a world, estimate and score it as the platform does, and compare with the truth."""
    world = draw_world(np.random.default_rng([7, random_seed]), shape=shape)
    epoch = estimate_world(world.votes, world)
    scores = score_claims(world.votes, epoch)
    asked = [claim for claim in range(len(world.truth)) if claim not in world.gold and claim_name(claim) in scores]
    estimates = reliability_table(epoch).estimates.values()
    return Published(
        score=np.array([scores[claim_name(claim)].score for claim in asked]),
        right=world.truth[asked],
        covered=np.array(
            [
                _holds((beta_quantile(0.025, *pair), beta_quantile(0.975, *pair)), true)
                for one in estimates
                for pair, true in zip((one.sensitivity, one.specificity), world.honest[one.agent], strict=True)
            ]
        ),
        reputed=np.array([_holds(accuracy_of([one]).interval95, _accuracy(world, one.agent)) for one in estimates]),
    )


def joined(
    found: Sequence[Published],
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return scores, whether the claims are right, and whether the intervals hold, of all draws together."""
    return (
        np.concatenate([one.score for one in found]),
        np.concatenate([one.right for one in found]),
        np.concatenate([one.covered for one in found]),
        np.concatenate([one.reputed for one in found]),
    )


def too_sure(score: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Return the calibration error of the bins whose mean score is further from ½ than their share of right claims."""
    place = np.minimum((score * BINS).astype(np.int64), BINS - 1)
    count = np.bincount(place, minlength=BINS)
    said, found = (np.bincount(place, each, BINS) / np.maximum(count, 1) for each in (score, right))
    sure = np.abs(said - 0.5) > np.abs(found - 0.5)
    return float((count * np.abs(said - found))[sure].sum() / len(score))


def _accuracy(world: World, verifier: str) -> float:
    return sum(world.honest[verifier]) / 2


def _holds(interval: Pair, true: float) -> bool:
    return interval[0] <= true <= interval[1]
