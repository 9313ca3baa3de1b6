"""The reliability of verifiers in scoring a statement: the last epoch's table, and priors for all other verifiers."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log

from a2ap.messages.epoch import Estimate, Pair
from a2ap.messages.priors import Priors
from graph.scoring.beta import trigamma
from graph.scoring.unit import unit
from graph.scoring.votes import Vote

MAX_EVIDENCE = log(99)
"""Maximum log-odds of one verdict: no verifier is assumed to be right more than 99 times in 100."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """A verifier's rates of passing right claims and failing wrong ones, as Beta counts, and its independence."""

    sensitivity: Pair
    specificity: Pair
    independence: float = 1.0

    def evidence(self, passes: bool) -> float:
        """Return the log-odds that its PASS adds to a claim, or its FAIL subtracts; 0 for a verifier below chance."""
        return _log_ratio(*self._pairs(passes))

    def variance(self, passes: bool) -> float:
        """Return the variance of that evidence due to the uncertainty of the reliability."""
        hit, miss = self._pairs(passes)
        return _variance_of_log(*hit) + _variance_of_log(miss[1], miss[0])

    def _pairs(self, passes: bool) -> tuple[Pair, Pair]:
        """Return the counts of rightly giving this answer, and of rightly giving the other."""
        return (self.sensitivity, self.specificity) if passes else (self.specificity, self.sensitivity)


@dataclass(frozen=True, slots=True)
class ReliabilityTable:
    """The estimates of the requested verifiers by the epoch made at `log_size`; empty before the first epoch."""

    log_size: int | None = None
    estimates: Mapping[tuple[str, str], Estimate] = field(default_factory=dict)
    calibration: tuple[Pair, ...] = ()

    def of(self, vote: Vote, seeds: frozenset[str], priors: Priors) -> Reliability:
        """Return the reliability of the verifier of a vote under its criterion."""
        found = self.estimates.get((vote.verifier, vote.criterion))
        if found is not None:
            return Reliability(found.sensitivity, found.specificity, unit(found.independence))
        prior = prior_of(vote.verifier, vote.operator, seeds, priors)
        return Reliability(prior, prior)

    def weight_of(self, confidence: float) -> float:
        """Return the weight, from 0 to 1, of a verdict with this confidence: the confidence itself without calibration.

        Between two points of the calibration the weight is on the line between them; before the first and after the
        last it is that of the nearest point.
        """
        sure = unit(confidence)
        points = self.calibration
        if not points:
            return sure
        place = bisect_right(points, sure, key=lambda point: point[0])
        if place in (0, len(points)):
            return unit(points[min(place, len(points) - 1)][1])
        (x0, y0), (x1, y1) = points[place - 1], points[place]
        return unit(y0 + (y1 - y0) * (sure - x0) / (x1 - x0))


def prior_of(verifier: str, operator: str | None, seeds: frozenset[str], priors: Priors) -> Pair:
    """Return the prior of a verifier that no epoch has estimated."""
    if verifier in seeds:
        return priors.trusted
    return priors.unknown if operator is None else priors.endorsed


def _log_ratio(hit: Pair, miss: Pair) -> float:
    said_rightly = hit[0] / (hit[0] + hit[1])
    said_wrongly = miss[1] / (miss[0] + miss[1])
    return min(max(log(said_rightly / said_wrongly), 0.0), MAX_EVIDENCE)


def _variance_of_log(a: float, b: float) -> float:
    """Return the variance of the logarithm of a Beta(a, b) variable."""
    return trigamma(a) - trigamma(a + b)
