"""Estimates how often all workers err together, by the gold items, each taken as not observed.

The model takes the errors of workers on one item for independent, given its level of difficulty. They are not on an
item that misleads them all, so that a posterior near 0 or 1 is too sure. The *common error* e is the rate of such items
among gold, beyond those that the model expects: a posterior p becomes e + (1 - 2 e) p. In reliability engineering it is
the rate of common-cause failures, which no number of redundant parts removes. Without gold it is 0.
"""

from collections.abc import Mapping

import numpy as np
from scipy.optimize import minimize_scalar

from graph.inference.label_set import LabelSet, Numbers
from graph.inference.variational import Fit, expected_log

MAX_COMMON_ERROR = 0.15
_RIGHTLY = 11.0  # items that are taken to have been told rightly before any was seen


def held_out_probabilities(labels: LabelSet, found: Fit, gold: Mapping[int, int], heard: Numbers) -> Numbers:
    """Return P(truth) of each gold item, in their order, as if it had not been observed.

    The part of its own answers in its workers' counts is taken out; all else stays (one step of leave-one-out).
    """
    order = np.argsort(labels.item, kind="stable")
    ends = np.searchsorted(labels.item[order], np.arange(labels.items + 1))
    told = []
    for item, truth in sorted(gold.items()):
        own = order[ends[item] : ends[item + 1]]
        worker, label = labels.worker[own], labels.label[own]
        pseudo = found.counts[worker] + found.prior[worker]
        pseudo[np.arange(len(own)), :, label] -= heard[own, None] * found.cells[item]
        said = expected_log(np.maximum(pseudo, 1e-3))[np.arange(len(own)), :, label]
        logits = found.log_share + heard[own] @ said
        by_truth = np.exp(logits - logits.max()).reshape(-1, found.levels).sum(axis=1)
        told.append(by_truth[truth] / by_truth.sum())
    return np.array(told, dtype=np.float64)


def common_error(labels: LabelSet, found: Fit, gold: Mapping[int, int], heard: Numbers) -> float:
    """Return the most likely common error of an estimate of two labels, 0 to `MAX_COMMON_ERROR`."""
    answered = np.bincount(labels.item, heard, labels.items)
    gold = {item: truth for item, truth in gold.items() if answered[item] > 0.0}
    if not gold:
        return 0.0
    told = held_out_probabilities(labels, found, gold, heard)

    def loss(rate: float) -> float:
        return -float(np.log(rate + (1.0 - 2.0 * rate) * told).sum() + _RIGHTLY * np.log1p(-rate))

    least = minimize_scalar(loss, bounds=(1e-6, MAX_COMMON_ERROR), method="bounded", options={"xatol": 1e-7})
    return float(least.x)
