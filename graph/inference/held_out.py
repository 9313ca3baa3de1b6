"""Measures how well an estimate tells the truth of observed items from everything but the observation itself."""

from collections.abc import Mapping

import numpy as np

from graph.inference.label_set import LabelSet, Numbers
from graph.inference.variational import Fit, expected_log

_LEAST = 0.01  # a surprise greater than this says no more


def held_out_losses(labels: LabelSet, found: Fit, gold: Mapping[int, int], weight: Numbers | None) -> Numbers:
    """Return -log P(truth) of each gold item, in their order, as if it had not been observed.

    The part of its own answers in its workers' counts is taken out; all else stays (one step of leave-one-out).
    """
    heard = np.ones(labels.item.size) if weight is None else weight
    cells_per_truth = found.cells.shape[1] // labels.labels
    order = np.argsort(labels.item, kind="stable")
    ends = np.searchsorted(labels.item[order], np.arange(labels.items + 1))
    losses = []
    for item, truth in sorted(gold.items()):
        own = order[ends[item] : ends[item + 1]]
        worker, label = labels.worker[own], labels.label[own]
        pseudo = found.counts[worker] + found.prior[worker]
        pseudo[np.arange(len(own)), :, label] -= heard[own, None] * found.cells[item]
        said = expected_log(np.maximum(pseudo, 1e-3))[np.arange(len(own)), :, label]
        logits = found.log_share + heard[own] @ said
        shares = np.exp(logits - logits.max())
        by_truth = shares.reshape(-1, cells_per_truth).sum(axis=1)
        losses.append(-np.log(max(by_truth[truth] / by_truth.sum(), _LEAST)))
    return np.array(losses, dtype=np.float64)
