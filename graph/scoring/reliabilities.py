"""The reliability of verifiers in scoring a statement: the last epoch's table, and priors for all other verifiers."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log

from a2ap.messages.epoch import CriterionModel, Estimate, OperatorRecord, Pair
from a2ap.messages.priors import Priors
from graph.scoring.beta import trigamma
from graph.scoring.unit import unit
from graph.scoring.votes import Vote

LEAST_KNOWN_ANSWERS = 4.0
"""The number of answers to known claims of either truth that an operator is tested by."""

MAX_EVIDENCE = log(99)
"""Maximum shift of one verdict on a level: no verifier is assumed to be right more than 99 times in 100."""


Levels = tuple[tuple[Pair, Pair], ...]
"""For each level of difficulty, sensitivity and specificity as Beta counts; one entry stands for all levels."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """The rates of passing right claims and failing wrong ones on each level of difficulty, and an independence."""

    levels: Levels
    independence: float = 1.0

    def variance(self, passes: bool) -> float:
        """Return the variance of a shift of its PASS or FAIL, due to the uncertainty of the rates: the greatest one."""
        return max(
            _variance_of_log(*hit) + _variance_of_log(*miss) for hit, miss in zip(*self._counts(passes), strict=True)
        )

    def shifts(self, passes: bool, levels: int) -> tuple[float, ...]:
        """Return by how much its PASS or FAIL moves the log-odds of a claim on so many levels.

        First those of a right claim on each level, which a PASS moves up and a FAIL down, then those of a wrong one,
        the other way round. The answer is compared with the level on which it is most often wrong, so that no shift is
        against it.
        """
        hit, miss = ([_rate(pair) for pair in side] for side in self._counts(passes))
        most = max(miss)
        gains = [min(max(log(rate / most), 0.0), MAX_EVIDENCE) for rate in hit]
        losses = [min(log(most / rate), MAX_EVIDENCE) for rate in miss]
        if len(gains) != levels:
            gains, losses = gains[:1] * levels, losses[:1] * levels
        return tuple(gains + losses if passes else losses + gains)

    def _counts(self, passes: bool) -> tuple[list[Pair], list[Pair]]:
        """Return, by level, the counts of this answer and the other to claims of which it is right, then wrong."""
        sensitivities, specificities = ([level[side] for level in self.levels] for side in (0, 1))
        hit, miss = (sensitivities, specificities) if passes else (specificities, sensitivities)
        return hit, [(other, this) for this, other in miss]


@dataclass(frozen=True, slots=True)
class ReliabilityTable:
    """The estimates of the requested verifiers by the epoch made at `log_size`; empty before the first epoch.

    `models` are those of the criteria, `records` those of the operators by operator and criterion. Epochs of earlier
    nodes have neither.
    """

    log_size: int | None = None
    estimates: Mapping[tuple[str, str], Estimate] = field(default_factory=dict)
    calibration: tuple[Pair, ...] = ()
    models: Mapping[str, CriterionModel] = field(default_factory=dict)
    records: Mapping[tuple[str, str], OperatorRecord] = field(default_factory=dict)

    def of(self, vote: Vote, seeds: frozenset[str], priors: Priors) -> Reliability:
        """Return the reliability of a vote: its operator's record with its verifier's independence.

        Without a record it is the prior, a newcomer's once there is a model. An unseeded verifier, and every one in an
        epoch without models, has its own estimate.
        """
        found, record = self._found(vote)
        independence = _independence(found)
        if record is not None:
            return Reliability(record.levels, independence)
        model = self.models.get(vote.criterion)
        if found is not None and (model is None or vote.operator is None):
            return Reliability(((found.sensitivity, found.specificity),), independence)
        prior = prior_of(vote.verifier, vote.operator, seeds, priors)
        if model is not None and vote.verifier not in seeds:
            prior = model.prior(prior)
        return Reliability(((prior, prior),), independence)

    def tested(self, vote: Vote) -> Reliability | None:
        """Return the reliability of a vote by its operator's answers to known claims alone; None if there are few."""
        found, record = self._found(vote)
        if record is None or record.known is None or min(map(sum, record.known)) < LEAST_KNOWN_ANSWERS:
            return None
        (passed, failed), (refused, accepted) = record.known
        level = ((passed + 1.0, failed + 1.0), (refused + 1.0, accepted + 1.0))
        return Reliability((level,), _independence(found))

    def _found(self, vote: Vote) -> tuple[Estimate | None, OperatorRecord | None]:
        """Return the estimate of the verifier of a vote, and the record of its operator."""
        estimate = self.estimates.get((vote.verifier, vote.criterion))
        return estimate, None if vote.operator is None else self.records.get((vote.operator, vote.criterion))

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


def _independence(found: Estimate | None) -> float:
    return 1.0 if found is None else unit(found.independence)


def _rate(pair: Pair) -> float:
    return pair[0] / (pair[0] + pair[1])


def _variance_of_log(a: float, b: float) -> float:
    """Return the variance of the logarithm of a Beta(a, b) variable."""
    return trigamma(a) - trigamma(a + b)
