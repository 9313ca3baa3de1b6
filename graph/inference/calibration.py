"""Calibrates stated confidences by how much more often the sure votes were right than the unsure ones."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import isotonic_regression

from graph.inference.label_set import Numbers

AS_STATED = ((0.0, 0.0), (1.0, 1.0))
"""The calibration without enough known votes: a confidence is its own weight."""

LEAST_JUDGED = 100
"""With fewer votes whose truth is known, a confidence is its own weight."""

_EDGES = np.array([0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0])
_PRIOR_VOTES = 20.0
_BEST = 0.95  # the accuracy at which a vote in full confidence is expected, before anything was seen


def calibrate(confidence: Numbers, right: Numbers, known: Numbers) -> tuple[tuple[float, float], ...]:
    """Return the weight, 0 to 1, of a confidence as points of a line that nowhere falls.

    `right` is the probability that a vote was right, `known` from 0 to 1 the worth of that probability. Reliabilities
    give the average rate at which a verifier is right, so that votes which are right as often as the average weigh 1;
    those that are right half the time weigh 0, and between them the weight follows the log-odds of being right. A vote
    with confidence 0 weighs nothing. Fewer than `LEAST_JUDGED` known votes change nothing.
    """
    if known.sum() < LEAST_JUDGED:
        return AS_STATED
    bins = np.clip(np.searchsorted(_EDGES, confidence, side="right") - 1, 0, len(_EDGES) - 2)
    count = np.bincount(bins, known, len(_EDGES) - 1)
    centre = (_EDGES[:-1] + _EDGES[1:]) / 2.0
    stated = 1.0 / (1.0 + np.exp(-centre * np.log(_BEST / (1.0 - _BEST))))
    accuracy = (np.bincount(bins, known * right, len(count)) + _PRIOR_VOTES * stated) / (count + _PRIOR_VOTES)
    rising = isotonic_regression(accuracy, weights=count + _PRIOR_VOTES).x
    odds = np.log(rising / (1.0 - rising))
    average = float((odds * count).sum() / count.sum())
    weights = np.clip(odds / average, 0.0, 1.0) if average > 0 else np.ones(len(odds))
    return _line(centre, weights)


def _line(centre: Numbers, weights: Numbers) -> tuple[tuple[float, float], ...]:
    points: Sequence[tuple[float, float]] = [
        (round(float(x), 4), round(float(y), 4)) for x, y in zip(centre, weights, strict=True)
    ]
    return ((0.0, 0.0), *points, (1.0, points[-1][1]))
