"""Joint estimate of what is true and how each worker answers, by variational Bayes.

The model is that of Dawid and Skene (1979) with two things added:

1. Items of one truth come in levels of difficulty, each with its own confusions, so that errors may go together
   (the subtypes of Li, Rubinstein and Cohn, ICML 2019). At the start an item is as difficult as its answers are
   divided: nothing is drawn at random, and the order of the answers does not matter.
2. What a worker does with each truth is drawn towards an accuracy shared by all, and by its family before that: who
   answered little is believed little more or less than others.

An answer may weigh less than one in what it says of the truth; what it says of its worker stays whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import psi

from graph.inference.label_set import Indices, LabelSet, Numbers


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How the model is fitted.

    `strength` is how many answers the shared accuracy is worth for each truth, `trusted_strength` how many right ones
    a trusted worker begins with, `family_strength` how many answers of a family the accuracy of all is worth.
    `tolerance` is the mean change of a posterior at which it ends.
    """

    levels: int = 2
    strength: float = 4.0
    trusted_strength: float = 4.0
    family_strength: float = 8.0
    iterations: int = 100
    tolerance: float = 1e-4


DEFAULTS = ModelSettings()


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """What was estimated, with cells = (truth, level), truths slowest.

    `posterior` is (items, truths). `confusion` is (workers, truths, answers) in pseudo-counts with their prior.
    `cells` (items, cells), `counts` and `prior` (workers, cells, answers) and `log_share` (cells) are those of the
    last step.
    """

    posterior: Numbers
    confusion: Numbers
    cells: Numbers
    counts: Numbers
    prior: Numbers
    log_share: Numbers


def fit(
    labels: LabelSet,
    *,
    start: Numbers,
    gold: Mapping[int, int],
    weight: Numbers | None = None,
    trusted: NDArray[np.bool_] | None = None,
    family: Indices | None = None,
    settings: ModelSettings = DEFAULTS,
) -> Fit:
    """Return the estimate that begins with `start` (items, truths); gold items have the truth that was observed.

    `weight` is what each answer counts in the truth, 0 to 1; `family` is a number from 0 for each worker.
    """
    k, levels = labels.labels, settings.levels
    said = labels.matrix().T
    heard = said.T if weight is None else labels.matrix(weight)
    voice = _voices(labels, weight)
    diagonal = np.repeat(np.eye(k), levels, axis=0)
    allowed = _allowed(labels.items, k, levels, gold)
    cells = _first_cells(start, levels, gold)
    posterior = _by_truth(cells, k)
    for _ in range(settings.iterations):
        counts = (said @ cells).reshape(labels.workers, k, k * levels).transpose(0, 2, 1)
        prior = _shared_accuracy(counts, diagonal, voice, family, settings)[:, None, None]
        prior = settings.strength * (diagonal * prior + (1.0 - diagonal) * (1.0 - prior) / max(k - 1, 1))
        if trusted is not None:
            prior = prior + trusted[:, None, None] * diagonal * settings.trusted_strength
        log_share = _log_shares(cells, levels)
        cells = _softmax(_log_likelihood(heard, counts + prior) + log_share, allowed)
        before, posterior = posterior, _by_truth(cells, k)
        if np.abs(posterior - before).mean() < settings.tolerance:
            break
    by_truth = counts.reshape(-1, k, levels, k).sum(axis=2) + prior.reshape(-1, k, levels, k).mean(axis=2)
    return Fit(posterior, by_truth, cells, counts, prior, log_share)


def expected_log(pseudo_counts: Numbers) -> Numbers:
    """Return the expected logarithm of Dirichlet shares along the last axis."""
    found: Numbers = psi(pseudo_counts) - psi(pseudo_counts.sum(axis=-1, keepdims=True))
    return found


def _log_likelihood(heard: sparse.csr_array, pseudo_counts: Numbers) -> Numbers:
    workers, cells, answers = pseudo_counts.shape
    table = expected_log(pseudo_counts).transpose(0, 2, 1).reshape(workers * answers, cells)
    found: Numbers = heard @ np.ascontiguousarray(table)
    return found


def _first_cells(start: Numbers, levels: int, gold: Mapping[int, int]) -> Numbers:
    """Share each item's truths among the levels by how divided its answers are: the more, the higher the level."""
    items, k = start.shape
    agreed = start.max(axis=1)
    width = (1.0 - 1.0 / k) / levels
    centres = 1.0 - width * (np.arange(levels) + 0.5)
    near = row_shares(np.exp(-0.5 * ((agreed[:, None] - centres) / max(width, 1e-9)) ** 2))
    truths = start.copy()
    for item, truth in gold.items():
        truths[item] = np.arange(k) == truth
    return (truths[:, :, None] * near[:, None, :]).reshape(items, k * levels)


def _shared_accuracy(
    counts: Numbers, diagonal: Numbers, voice: Numbers, family: Indices | None, settings: ModelSettings
) -> Numbers:
    """Return, for each worker, the accuracy of all, drawn towards that of its family where it has one."""
    right = (counts * diagonal).sum(axis=(1, 2))
    answered = counts.sum(axis=(1, 2))
    overall = ((right * voice).sum() + 3.0) / ((answered * voice).sum() + 4.0)
    if family is None:
        return np.full(len(right), overall)
    own = np.bincount(family, right) + settings.family_strength * overall
    shared: Numbers = (own / (np.bincount(family, answered) + settings.family_strength))[family]
    return shared


def _voices(labels: LabelSet, weight: Numbers | None) -> Numbers:
    """Return the mean weight of each worker's answers."""
    if weight is None:
        return np.ones(labels.workers)
    answered = np.bincount(labels.worker, minlength=labels.workers)
    found: Numbers = np.bincount(labels.worker, weight, labels.workers) / np.maximum(answered, 1)
    return found


def _allowed(items: int, k: int, levels: int, gold: Mapping[int, int]) -> Numbers | None:
    if not gold:
        return None
    allowed = np.ones((items, k * levels))
    truths = np.repeat(np.arange(k), levels)
    for item, truth in gold.items():
        allowed[item] = truths == truth
    return allowed


def _by_truth(cells: Numbers, k: int) -> Numbers:
    levels = cells.shape[1] // k
    found: Numbers = cells @ np.repeat(np.eye(k), levels, axis=0)
    return found


def _log_shares(cells: Numbers, levels: int) -> Numbers:
    return expected_log(cells.sum(axis=0) + 1.0 / levels)


def _softmax(logits: Numbers, allowed: Numbers | None) -> Numbers:
    if allowed is not None:
        logits = np.where(allowed > 0, logits, -np.inf)
    greatest = logits[:, 0].copy()
    for column in range(1, logits.shape[1]):  # a reduction along so short an axis takes ten times as long
        np.maximum(greatest, logits[:, column], out=greatest)
    return row_shares(np.exp(logits - greatest[:, None]))


def row_shares(values: Numbers) -> Numbers:
    """Return each row divided by its sum."""
    shares: Numbers = values / (values @ np.ones(values.shape[1]))[:, None]
    return shares
