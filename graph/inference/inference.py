"""Jointly estimates truths and reliabilities from answers, gold and trusted workers.

1. Without gold: the truths that the answers agree on (`graph.inference.variational`).
2. With gold, a second estimate without the answers of suspected members of a coalition (`graph.inference.coalition`).
   It is taken if it tells the truth of the gold items clearly better, each taken as not observed, and if the silenced
   are wrong about gold at least half as often as about all else: no worker is silenced without a clear gain, nor by
   workers who know the gold.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.inference.coalition import find_coalition
from graph.inference.common_error import held_out_probabilities
from graph.inference.contradiction import contradicted_share, count_answers, known_answers, tested_share
from graph.inference.label_set import LabelSet, Numbers
from graph.inference.variational import DEFAULTS, Fit, ModelSettings, fit

_LEAST = 0.01  # a surprise greater than this says no more
_CLEARLY = 1.645  # standard errors: one chance in twenty
_MORE_OFTEN = 2.0  # than about gold, the silenced may be wrong about all else


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """The posterior of each item's truths, (items, labels), and the model that it is of.

    `member` is how likely each worker is in a coalition that was silenced, 0 if there is none. `heard` is the weight of
    each answer that `model` was fitted with.
    """

    posterior: Numbers
    member: Numbers
    model: Fit
    heard: Numbers


def infer(
    labels: LabelSet,
    *,
    gold: Mapping[int, int] | None = None,
    trusted: Collection[int] = (),
    weight: Numbers | None = None,
    anchored: Numbers | None = None,
    settings: ModelSettings = DEFAULTS,
) -> Estimate:
    """Return the joint estimate; the order of the answers does not matter.

    `gold` has the observed truths by item, `trusted` the trusted workers; both are indices. `weight` is the weight of
    each answer in the truth, 0 to 1, `anchored` the share of it that is learnt from (`graph.inference.anchoring`).
    """
    gold = gold or {}
    is_trusted = np.zeros(labels.workers, dtype=np.bool_)
    is_trusted[list(trusted)] = True
    weight = np.ones(labels.item.size) if weight is None else weight
    everybody = fit(labels, gold=gold, trusted=is_trusted, weight=weight, anchored=anchored, settings=settings)
    suspected = find_coalition(labels, gold, is_trusted, settings, weight)
    if suspected is not None:
        heard = (1.0 - suspected.member)[labels.worker] * weight
        others = fit(labels, gold=gold, trusted=is_trusted, weight=heard, anchored=anchored, settings=settings)
        before = _held_out_losses(labels, everybody, gold, weight)
        is_better = _is_clearly_less(_held_out_losses(labels, others, gold, heard), before)
        if is_better and _is_wrong_as_on_gold(labels, others, gold, suspected.member):
            return Estimate(np.minimum(others.posterior, 1.0), suspected.member, others, heard)
    if _is_contradicted(labels, everybody, gold, weight, settings):
        everybody, weight = _by_known_answers(labels, gold, is_trusted, weight, anchored, settings)
    return Estimate(np.minimum(everybody.posterior, 1.0), np.zeros(labels.workers), everybody, weight)


def _by_known_answers(
    labels: LabelSet,
    gold: Mapping[int, int],
    trusted: NDArray[np.bool_],
    weight: Numbers,
    anchored: Numbers | None,
    settings: ModelSettings,
) -> tuple[Fit, Numbers]:
    """Return the fit that begins where the answers to gold lead, and the weight of each answer in it.

    If gold contradicts that as well, nothing is learnt from agreement: the fit is that of the answers to gold alone,
    with each worker heard as far as these have tested it.
    """
    tested = weight * tested_share(known_answers(labels, gold, weight))[labels.worker]
    of_gold = np.isin(labels.item, list(gold)).astype(np.float64)
    plain = fit(labels, gold=gold, trusted=trusted, weight=tested, anchored=of_gold, settings=settings)
    found = fit(
        labels, gold=gold, trusted=trusted, weight=weight, anchored=anchored, settings=settings, start=plain.posterior
    )
    return (plain, tested) if _is_contradicted(labels, found, gold, weight, settings) else (found, weight)


def _is_contradicted(
    labels: LabelSet, found: Fit, gold: Mapping[int, int], weight: Numbers, settings: ModelSettings
) -> bool:
    if not gold or settings.most_contradicted >= 1.0:
        return False  # The share, which takes a pass over all answers, would decide nothing.
    return contradicted_share(labels, found, gold, weight) > settings.most_contradicted


def answers_given(labels: LabelSet, posterior: Numbers) -> tuple[Numbers, Numbers]:
    """Return how often each worker gave each answer to each truth, and how many certain truths that is worth.

    The first is (workers, truths, answers), the second (workers, truths). An answer about an item of unknown truth
    tells nothing about its worker; about one that is certain it counts in full.
    """
    k = labels.labels
    worth = np.empty((labels.workers, k))
    for truth in range(k):
        share = posterior[labels.item, truth]
        known = ((k * share - 1.0) / max(k - 1, 1)) ** 2
        worth[:, truth] = np.bincount(labels.worker, share * known, labels.workers)
    return count_answers(labels, posterior, np.ones(labels.item.size)), worth


def confusion_of(labels: LabelSet, found: Fit) -> Numbers:
    """Return the confusion of each worker, (workers, truths, answers), in Dirichlet pseudo-counts, the prior included.

    They are as many as the knowledge of the truths is worth, so that intervals cover.
    """
    given, worth = answers_given(labels, found.posterior)
    prior = found.prior.reshape(labels.workers, labels.labels, found.levels, labels.labels).mean(axis=2)
    shares = (given + prior) / (given + prior).sum(axis=2, keepdims=True)
    pseudo_counts: Numbers = shares * (prior.sum(axis=2) + worth)[:, :, None]
    return pseudo_counts


def _held_out_losses(labels: LabelSet, found: Fit, gold: Mapping[int, int], heard: Numbers) -> Numbers:
    """Return -log P(truth) of each gold item, in their order, as if it had not been observed."""
    losses: Numbers = -np.log(np.maximum(held_out_probabilities(labels, found, gold, heard), _LEAST))
    return losses


def _is_wrong_as_on_gold(labels: LabelSet, found: Fit, gold: Mapping[int, int], member: Numbers) -> bool:
    """Return whether the silenced are wrong about gold at least half as often as about other items, by the estimate.

    Gold is drawn without looking. If the silenced are wrong far more often about all other items, those who are heard
    know the gold, and have silenced those who do not.
    """
    of_gold = np.isin(labels.item, list(gold))
    wrong = 1.0 - found.posterior[labels.item, labels.label]
    heard = np.bincount(labels.item, 1.0 - member[labels.worker], labels.items)
    weight = member[labels.worker] * (heard[labels.item] >= 0.5)  # where no other answers, nothing tells who is wrong
    on_gold, elsewhere = (
        float((weight * wrong)[which].sum() / max(weight[which].sum(), 1e-9)) for which in (of_gold, ~of_gold)
    )
    return elsewhere <= _MORE_OFTEN * on_gold


def _is_clearly_less(losses: Numbers, than: Numbers) -> bool:
    gain = than - losses
    return bool(gain.sum() > _CLEARLY * np.sqrt(((gain - gain.mean()) ** 2).sum() + 1e-9))
