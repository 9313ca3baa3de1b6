"""Whether known answers contradict an estimate: its workers are right about gold and wrong elsewhere, or the other way.

Gold is drawn without looking, so a worker's rates on gold are its rates elsewhere. Workers that agree on items without
gold can lead an estimate to call all others wrong there. It then has to believe that these others are wrong wherever
the truth is not known and right wherever it is: the known answers contradict it.
"""

from collections.abc import Mapping

import numpy as np
from scipy.special import gammaincc

from graph.inference.label_set import LabelSet, Numbers
from graph.inference.variational import Fit, one_accuracy, row_shares

_CHANCE = 0.001  # of a contradiction of a worker whose rates are the same everywhere
_STRENGTH = 4.0  # answers to each truth at the accuracy of all


def contradicted_share(labels: LabelSet, found: Fit, gold: Mapping[int, int], weight: Numbers) -> float:
    """Return the share of the workers, 0 to 1, whose answers to gold their rates elsewhere do not explain.

    A worker counts as far as the answers to gold have tested it. `weight` is that of each answer. A worker's answers to
    gold are compared under two rates, its own there and those that the estimate finds elsewhere, by the
    likelihood-ratio test of Wilks (1938). 0 without an answer to gold.
    """
    k = labels.labels
    known = known_answers(labels, gold, weight)
    elsewhere = count_answers(labels, found.posterior, weight * ~np.isin(labels.item, list(gold)))
    prior = _STRENGTH * one_accuracy((known + elsewhere).sum(axis=0), np.eye(k))
    likelier = (known * (np.log(row_shares(known + prior)) - np.log(row_shares(elsewhere + prior)))).sum(axis=(1, 2))
    contradicted = gammaincc(0.5 * k * (k - 1), np.maximum(likelier, 0.0)) < _CHANCE
    tested = tested_share(known)
    return min(float(tested[contradicted].sum() / max(tested.sum(), 1e-9)), 1.0)


def tested_share(known: Numbers) -> Numbers:
    """Return how far its known answers have tested each worker, 0 without any, towards 1 with many."""
    number = known.sum(axis=(1, 2))
    found: Numbers = number / (number + _STRENGTH)
    return found


def known_answers(labels: LabelSet, gold: Mapping[int, int], weight: Numbers) -> Numbers:
    """Return how often each worker gave each answer to gold items of each truth, (workers, truths, answers)."""
    truths = np.zeros((labels.items, labels.labels))
    truths[list(gold), list(gold.values())] = 1.0
    return count_answers(labels, truths, weight)


def count_answers(labels: LabelSet, posterior: Numbers, weight: Numbers) -> Numbers:
    """Return how often each worker gave each answer to each truth, (workers, truths, answers)."""
    k, cell = labels.labels, labels.worker * labels.labels + labels.label
    by_truth = [
        np.bincount(cell, posterior[labels.item, truth] * weight, labels.workers * k).reshape(-1, k)
        for truth in range(k)
    ]
    return np.stack(by_truth, axis=1)
