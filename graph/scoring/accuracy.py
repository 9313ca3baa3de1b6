"""Compute an agent's accuracy over all criteria from an epoch's estimates: mean, interval, judged verdicts."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from a2ap.messages.epoch import Estimate, Pair
from graph.scoring.beta import beta_quantile


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The mean of sensitivity and specificity: the rate of correct verdicts if right and wrong are equally frequent.

    `interval95` contains the value with a probability of 95 %; `judged` is the number of verdicts it was computed from.
    """

    value: float
    interval95: Pair
    judged: int


def accuracy_of(estimates: Sequence[Estimate]) -> Accuracy:
    """Return the mean over the criteria, weighted by the verdicts judged under each; raises ValueError without any."""
    if not estimates:
        raise ValueError("no estimates")
    judged = sum(one.judged for one in estimates)
    shares = [one.judged / judged if judged else 1 / len(estimates) for one in estimates]
    pairs = [
        (share, pair)
        for share, one in zip(shares, estimates, strict=True)
        for pair in (one.sensitivity, one.specificity)
    ]
    mean = fsum(share * _mean(pair) / 2 for share, pair in pairs)
    variance = fsum((share / 2) ** 2 * _variance(pair) for share, pair in pairs)
    return Accuracy(round(mean, 9), _interval(mean, variance), judged)


def _mean(pair: Pair) -> float:
    return pair[0] / (pair[0] + pair[1])


def _variance(pair: Pair) -> float:
    mean = _mean(pair)
    return mean * (1 - mean) / (pair[0] + pair[1] + 1)


def _interval(mean: float, variance: float) -> Pair:
    """Return the central 95 % of the Beta distribution with this mean and variance."""
    counts = mean * (1 - mean) / variance - 1 if variance > 0 else 0.0
    if counts <= 0:
        return mean, mean
    a, b = mean * counts, (1 - mean) * counts
    low = beta_quantile(0.025, a, b)
    return min(low, mean), max(mean, beta_quantile(0.975, a, b))
