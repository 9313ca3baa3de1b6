"""Accuracy of labels against the truth, ties credited by share."""

import numpy as np
from numpy.typing import NDArray

_TIE = 1e-9


def credit(shares: NDArray[np.float64], truth: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return each item's credit: 1 ÷ (number of labels tied for the largest share) if the truth is among them, else 0.

    The truth of every item must be a label: the caller leaves out items with unknown truth. Shares that are not numbers
    earn 0.
    """
    tied = shares >= shares.max(axis=1, keepdims=True) - _TIE
    right = tied[np.arange(len(truth)), truth]
    found: NDArray[np.float64] = right / np.maximum(tied.sum(axis=1), 1)
    return found


def percent(credits: NDArray[np.float64]) -> float | None:
    """Return the mean in per cent, with three decimals; None if there are no credits."""
    return round(100 * float(credits.mean()), 3) if len(credits) else None
