"""Published scores on public label sets of two labels: each worker a verifier with an operator of its own.

Label 1 is a PASS and label 0 a FAIL at one confidence. The verdicts are read as the platform reads them, an epoch is
estimated, and each claim that is not gold gets its score. The operator knows the truth of one claim in ten, drawn
uniformly, and three trusted workers of any accuracy; a second run knows neither. Beside the scores stand the posterior
of the joint estimate from the same knowledge, without operators and epochs, and the majority.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.trust.accuracy import credit, percent
from bench.trust.calibration import expected_calibration_error
from bench.trust.crowd import Crowd
from bench.trust.sybil import Attacked, Threat, attack_crowd
from bench.trust.verdict_world import CONFIDENCE, CRITERION, PRIORS, claim_name, score_claims
from graph.inference.comparison import majority
from graph.inference.inference import infer
from graph.inference.reliability import estimate_reliabilities
from graph.inference.verdict_vote import ObservedLabel, VerdictVote

RANDOM_SEEDS = (0, 1, 2)
GOLD, TRUSTED = 0.1, 3
_PASS = 1


def measure_published_sets(sets: dict[str, Crowd]) -> list[dict[str, Any]]:
    """Return the figures of each set of two labels, with the operator's knowledge and without."""
    return [
        _measured(name, crowd, knows)
        for name, crowd in sets.items()
        if len(crowd.names) == 2
        for knows in (True, False)
    ]


def published_scores(attacked: Attacked) -> NDArray[np.float64]:
    """Return the score of each claim as the platform publishes it after an epoch; ½ for one without a verdict."""
    crowd = attacked.crowd
    votes = [
        VerdictVote(claim_name(item), f"worker-{worker}", CRITERION, label == _PASS, CONFIDENCE, f"worker-{worker}")
        for item, worker, label in zip(crowd.item.tolist(), crowd.worker.tolist(), crowd.label.tolist(), strict=True)
    ]
    observed = [ObservedLabel(claim_name(item), CRITERION, truth == _PASS) for item, truth in attacked.gold.items()]
    epoch = estimate_reliabilities(votes, observed, [f"worker-{worker}" for worker in attacked.trusted], PRIORS)
    found = score_claims(votes, epoch)
    names = [claim_name(item) for item in range(len(crowd.items))]
    return np.array([found[name].score if name in found else 0.5 for name in names])


def _measured(name: str, crowd: Crowd, knows: bool) -> dict[str, Any]:
    gold, trusted = (GOLD, TRUSTED) if knows else (0.0, 0)
    threats = [Threat(trusted=trusted, gold=gold, random_seed=seed) for seed in RANDOM_SEEDS]
    runs = [_run(attack_crowd(crowd, threat)) for threat in threats]
    figures = {figure: round(float(np.mean([run[figure] for run in runs])), 4) for figure in runs[0]}
    return {"set": name, "known": knows, **figures}


def _run(attacked: Attacked) -> dict[str, float]:
    crowd = attacked.crowd
    asked = np.setdiff1d(attacked.counted, np.fromiter(attacked.gold, dtype=np.int64, count=len(attacked.gold)))
    right = crowd.truth[asked] == _PASS
    ways = {
        "published": published_scores(attacked),
        "infer": infer(crowd.label_set, gold=attacked.gold, trusted=sorted(attacked.trusted)).posterior[:, _PASS],
        "majority": majority(crowd.label_set)[:, _PASS],
    }
    shares = {way: np.column_stack([1.0 - score, score])[asked] for way, score in ways.items()}
    accuracies = {way: percent(credit(share, crowd.truth[asked])) or 0.0 for way, share in shares.items()}
    error = expected_calibration_error(ways["published"][asked], right)
    return {**accuracies, "expected_calibration_error": error}
