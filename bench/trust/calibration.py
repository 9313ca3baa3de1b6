"""Calibration of probabilities on the simulated population: claims' posteriors and agents' intervals."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

from bench.trust.population import FAIL, PASS, Population, Size, draw_population
from graph.inference.inference import confusion_of, infer

SEEDS = tuple(range(10))
DENSITIES = (3.0, 5.0, 10.0)  # verdicts on a claim
GOLD, TRUSTED = 0.05, 3
BINS = 10


@dataclass(frozen=True, slots=True, eq=False)
class Forecast:
    """Posteriors of claims that are not gold, parallel to the truth; and whether each interval holds the true value."""

    posterior: NDArray[np.float64]
    right: NDArray[np.bool_]
    covered: NDArray[np.bool_]


def measure_calibration() -> dict[str, Any]:
    """Return by density of verdicts the expected calibration error, its bins, and the coverage of 95 % intervals."""
    return {
        "random_seeds": len(SEEDS),
        "gold": GOLD,
        "trusted": TRUSTED,
        "densities": {f"{each:g}": _measure_density(each) for each in DENSITIES},
    }


def _measure_density(each: float) -> dict[str, Any]:
    forecasts = [forecast(Size(each=each), GOLD, TRUSTED, np.random.default_rng([7, seed])) for seed in SEEDS]
    posterior = np.concatenate([one.posterior for one in forecasts])
    right = np.concatenate([one.right for one in forecasts])
    covered = np.concatenate([one.covered for one in forecasts])
    bins = reliability_bins(posterior, right)
    return {
        "claims": len(posterior),
        "accuracy": round(100 * float(((posterior >= 0.5) == right).mean()), 3),
        "expected_calibration_error": round(expected_calibration_error(posterior, right), 4),
        "worst_of_seeds": round(max(expected_calibration_error(one.posterior, one.right) for one in forecasts), 4),
        "coverage": round(100 * float(covered.mean()), 2),
        "intervals": len(covered),
        "bins": bins,
    }


def forecast(size: Size, gold: float, trusted: int, random: np.random.Generator) -> Forecast:
    """Draw a population, estimate it and compare; the share `gold` of the claims and `trusted` agents are known."""
    population = draw_population(size, random)
    crowd = population.crowd
    known = random.permutation(size.claims)[: round(gold * size.claims)]
    seeds = random.permutation(size.agents)[:trusted]
    estimate = infer(
        crowd.label_set,
        gold=dict(zip(known.tolist(), crowd.truth[known].tolist(), strict=True)),
        trusted=seeds.tolist(),
    )
    asked = np.setdiff1d(np.arange(size.claims), known)
    return Forecast(
        posterior=estimate.posterior[asked, PASS],
        right=crowd.truth[asked] == PASS,
        covered=intervals_covering(confusion_of(crowd.label_set, estimate.model), population),
    )


def intervals_covering(confusion: NDArray[np.float64], population: Population) -> NDArray[np.bool_]:
    """Return for each agent's sensitivity, then specificity, whether its 95 % interval holds the true value."""
    found = []
    for label, true in ((PASS, population.sensitivity), (FAIL, population.specificity)):
        low, high = beta.interval(0.95, confusion[:, label, label], confusion[:, label, 1 - label])
        found.append((low <= true) & (true <= high))
    return np.concatenate(found)


def reliability_bins(posterior: NDArray[np.float64], right: NDArray[np.bool_]) -> list[dict[str, float]]:
    """Return, for ten bins of equal width, mean posterior, share of right claims and number; omit empty bins."""
    place = np.minimum((posterior * BINS).astype(np.int64), BINS - 1)
    return [
        {
            "posterior": round(float(posterior[place == number].mean()), 4),
            "right": round(float(right[place == number].mean()), 4),
            "claims": int((place == number).sum()),
        }
        for number in range(BINS)
        if (place == number).any()
    ]


def expected_calibration_error(posterior: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Return the distance between posterior and share of right claims in a bin, averaged over all claims."""
    place = np.minimum((posterior * BINS).astype(np.int64), BINS - 1)
    distance = np.abs(np.bincount(place, posterior - right, BINS))
    return float(distance.sum() / len(posterior))
