"""Jointly estimates truths and reliabilities from answers, gold and trusted workers.

1. Without gold: the truths that the answers agree on (`graph.inference.variational`).
2. With gold, a second estimate without the answers of suspected members of a coalition (`graph.inference.coalition`).
   It is taken if it tells the truth of the gold items clearly better, each taken as not observed: no worker is silenced
   without a clear gain.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from graph.inference.coalition import find_coalition
from graph.inference.label_set import LabelSet, Numbers
from graph.inference.variational import DEFAULTS, Fit, ModelSettings, expected_log, fit

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


_CLEARLY = 1.645  # standard errors: one chance in twenty


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """The posterior of each item's truths, (items, labels), and the confusion of each worker.

    `confusion` is (workers, truths, answers) in Dirichlet pseudo-counts, the prior included, as many as the knowledge
    of the truths is worth. `member` is how likely each worker is in a coalition that was silenced, 0 if there is none.
    """

    posterior: Numbers
    confusion: Numbers
    member: Numbers


def infer(
    labels: LabelSet,
    *,
    gold: Mapping[int, int] | None = None,
    trusted: Collection[int] = (),
    weight: Numbers | None = None,
    settings: ModelSettings = DEFAULTS,
) -> Estimate:
    """Return the joint estimate; the order of the answers does not matter.

    `gold` has the observed truths by item, `trusted` the trusted workers; both are indices. `weight` is the weight of
    each answer in the truth, 0 to 1.
    """
    gold = gold or {}
    known = np.zeros(labels.workers, dtype=np.bool_)
    known[list(trusted)] = True
    everybody = fit(labels, gold=gold, trusted=known, weight=weight, settings=settings)
    suspected = find_coalition(labels, gold, known, settings, weight)
    if suspected is not None:
        heard = (1.0 - suspected.member)[labels.worker] * (1.0 if weight is None else weight)
        others = fit(labels, gold=gold, trusted=known, weight=heard, settings=settings)
        before = held_out_losses(labels, everybody, gold, weight)
        if _is_clearly_less(held_out_losses(labels, others, gold, heard), before):
            return _estimate(labels, others, suspected.member)
    return _estimate(labels, everybody, np.zeros(labels.workers))


def answers_given(labels: LabelSet, posterior: Numbers) -> tuple[Numbers, Numbers]:
    """Return how often each worker gave each answer to each truth, and how many certain truths that is worth.

    The first is (workers, truths, answers), the second (workers, truths). An answer about an item of unknown truth
    tells nothing about its worker; about one that is certain it counts in full.
    """
    k = labels.labels
    given = np.empty((labels.workers, k, k))
    worth = np.empty((labels.workers, k))
    cell = labels.worker * k + labels.label
    for truth in range(k):
        share = posterior[labels.item, truth]
        given[:, truth] = np.bincount(cell, share, labels.workers * k).reshape(-1, k)
        known = ((k * share - 1.0) / max(k - 1, 1)) ** 2
        worth[:, truth] = np.bincount(labels.worker, share * known, labels.workers)
    return given, worth


def _estimate(labels: LabelSet, found: Fit, member: Numbers) -> Estimate:
    """Return the estimate with as many pseudo-counts as the answers are worth: intervals that cover."""
    given, worth = answers_given(labels, found.posterior)
    prior = found.prior.reshape(labels.workers, labels.labels, -1, labels.labels).mean(axis=2)
    shares = (given + prior) / (given + prior).sum(axis=2, keepdims=True)
    pseudo_counts = shares * (prior.sum(axis=2) + worth)[:, :, None]
    return Estimate(np.minimum(found.posterior, 1.0), pseudo_counts, member)


def _is_clearly_less(losses: Numbers, than: Numbers) -> bool:
    gain = than - losses
    return bool(gain.sum() > _CLEARLY * np.sqrt(((gain - gain.mean()) ** 2).sum() + 1e-9))
