"""Joint estimate of the truths and of each worker's confusions, by variational Bayes.

The model is that of Dawid and Skene (1979) with two additions:

1. Items of one truth may come in levels of difficulty, each with its own confusions, so that errors may go together
   (the subtypes of Li, Rubinstein and Cohn, ICML 2019). At the start an item is as difficult as its answers are
   divided: nothing is drawn at random, and the order of the answers does not matter. The number of levels is chosen
   that makes the answers likeliest, by the lower bound of their probability that is maximized anyway.
2. A worker's answers to each truth are drawn towards one accuracy shared by all: a worker with few answers is believed
   little more or less than others.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import gammaln, psi

from graph.inference.label_set import LabelSet, Numbers


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The settings of the fit.

    `levels` are the numbers of levels that are tried. `strength` is how many answers the shared accuracy is worth for
    each truth, `trusted_strength` how many right ones a trusted worker begins with. `tolerance` is the mean change of a
    posterior at which the fit ends. `most_contradicted` is the share of the workers whose answers to gold may
    contradict an estimate (`graph.inference.contradiction`).
    """

    levels: tuple[int, ...] = (1, 2)
    strength: float = 4.0
    trusted_strength: float = 4.0
    iterations: int = 100
    tolerance: float = 1e-4
    most_contradicted: float = 0.4


DEFAULTS = ModelSettings()


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """The result of a fit, with cells = (truth, level), truths slowest.

    `posterior` is (items, truths). `cells` (items, cells), `counts` and `prior` (workers, cells, answers) and `share`
    (cells), in pseudo-counts, are those of the last step. `bound` is the lower bound of the log-probability of the
    answers.
    """

    posterior: Numbers
    cells: Numbers
    counts: Numbers
    prior: Numbers
    share: Numbers
    bound: float

    @property
    def log_share(self) -> Numbers:
        """Return the expected logarithm of the share of each cell."""
        return expected_log(self.share)

    @property
    def levels(self) -> int:
        """Return the number of levels of difficulty."""
        return int(self.cells.shape[1] // self.posterior.shape[1])


def fit(
    labels: LabelSet,
    *,
    gold: Mapping[int, int],
    trusted: NDArray[np.bool_],
    weight: Numbers | None = None,
    anchored: Numbers | None = None,
    settings: ModelSettings = DEFAULTS,
    start: Numbers | None = None,
) -> Fit:
    """Return the best estimate; gold items have the truth that was observed.

    `weight` is the weight of each answer in the truth of its item, 0 to 1; `anchored` the share of that weight with
    which it also counts in the rates of its worker and in the shares of the truths, 1 by default
    (`graph.inference.anchoring`). `trusted` tells for each worker whether it is trusted. The fit begins at `start`, the
    posterior of the items' truths, (items, truths): by default at the shares of their answers.
    """
    answers = _Answers.of(labels, weight, anchored)
    if start is not None:
        answers = replace(answers, start=start)
    best: Fit | None = None
    for levels in settings.levels:
        least = -np.inf if best is None else best.bound
        found = _fit_levels(answers, gold, trusted, levels, settings, least)
        best = found if best is None or found.bound > best.bound else best
    if best is None:
        raise ValueError("no number of levels is given")
    return best


@dataclass(frozen=True, slots=True, eq=False)
class _Answers:
    """The answers as (items, workers * labels): their weights in the truth, and in the rates of their workers.

    `start` are the shares of the labels of each item, `worth` the anchored share of each item's weight.
    """

    heard: sparse.csr_array
    learnt: sparse.csr_array
    start: Numbers
    worth: Numbers

    @classmethod
    def of(cls, labels: LabelSet, weight: Numbers | None, anchored: Numbers | None) -> "_Answers":
        heard, start = labels.matrix(weight), labels.shares(weight)
        if anchored is None:
            return cls(heard, heard, start, np.ones(labels.items))
        spoken = np.ones(labels.item.size) if weight is None else weight
        total = np.bincount(labels.item, spoken, labels.items)
        kept = np.bincount(labels.item, spoken * anchored, labels.items)
        return cls(heard, labels.matrix(spoken * anchored), start, kept / np.maximum(total, 1e-9))


def _fit_levels(
    answers: _Answers,
    gold: Mapping[int, int],
    trusted: NDArray[np.bool_],
    levels: int,
    settings: ModelSettings,
    least: float,
) -> Fit:
    """Return the estimate with `levels` levels, or an unfinished one if its bound will not reach `least`."""
    k, workers = answers.start.shape[1], len(trusted)
    diagonal = np.repeat(np.eye(k), levels, axis=0)
    known = trusted[:, None, None] * diagonal * settings.trusted_strength
    allowed = _allowed(len(answers.start), k, levels, gold)
    cells = _first_cells(answers.start, levels, gold)
    posterior, bound = _by_truth(cells, k), -np.inf
    for left in reversed(range(settings.iterations)):
        counts = (answers.learnt.T @ cells).reshape(workers, k, k * levels).transpose(0, 2, 1)
        prior = settings.strength * one_accuracy(counts.sum(axis=0), diagonal) + known
        share = answers.worth @ cells + 1.0 / levels
        logits = _log_likelihood(answers.heard, counts + prior) + expected_log(share)
        cells, item_evidence = _softmax(logits, allowed)
        evidence = float(answers.worth @ item_evidence)
        before, posterior = posterior, _by_truth(cells, k)
        evidence -= _divergence(counts + prior, prior) + _divergence(share, np.full(k * levels, 1.0 / levels))
        gained, bound = evidence - bound, evidence  # each step gains less than the one before, by and large
        if np.abs(posterior - before).mean() < settings.tolerance or bound + left * gained < least:
            break
    return Fit(posterior, cells, counts, prior, share, bound)


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
    """Share each item's truths among the levels: the more divided its answers, the higher the level."""
    items, k = start.shape
    agreed = start.max(axis=1)
    width = (1.0 - 1.0 / k) / levels
    centres = 1.0 - width * (np.arange(levels) + 0.5)
    near = row_shares(np.exp(-0.5 * ((agreed[:, None] - centres) / max(width, 1e-9)) ** 2))
    truths = start.copy()
    for item, truth in gold.items():
        truths[item] = np.arange(k) == truth
    return (truths[:, :, None] * near[:, None, :]).reshape(items, k * levels)


def one_accuracy(counts: Numbers, diagonal: Numbers) -> Numbers:
    """Return the confusion, (cells, answers), in which all workers and truths have the accuracy of these counts."""
    accuracy = ((counts * diagonal).sum() + 3.0) / (counts.sum() + 4.0)
    wrong = (1.0 - accuracy) / max(diagonal.shape[1] - 1, 1)
    found: Numbers = diagonal * accuracy + (1.0 - diagonal) * wrong
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


def _divergence(pseudo_counts: Numbers, prior: Numbers) -> float:
    """Return the sum of the Kullback-Leibler divergences of Dirichlet distributions from their priors."""
    gained = gammaln(pseudo_counts.sum(axis=-1)) - gammaln(pseudo_counts).sum(axis=-1)
    assumed = gammaln(prior.sum(axis=-1)) - gammaln(prior).sum(axis=-1)
    moved = ((pseudo_counts - prior) * expected_log(pseudo_counts)).sum(axis=-1)
    return float((gained - assumed + moved).sum())


def _softmax(logits: Numbers, allowed: Numbers | None) -> tuple[Numbers, Numbers]:
    """Return the shares of each row, and the logarithm of their divisor."""
    if allowed is not None:
        logits = np.where(allowed > 0, logits, -np.inf)
    greatest = logits[:, 0].copy()
    for column in range(1, logits.shape[1]):  # a reduction along so short an axis takes ten times as long
        np.maximum(greatest, logits[:, column], out=greatest)
    powers = np.exp(logits - greatest[:, None])
    total = powers @ np.ones(powers.shape[1])
    return powers / total[:, None], greatest + np.log(total)


def row_shares(values: Numbers) -> Numbers:
    """Return each row divided by its sum."""
    shares: Numbers = values / (values @ np.ones(values.shape[1]))[:, None]
    return shares
