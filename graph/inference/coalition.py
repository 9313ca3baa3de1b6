"""Coalitions: workers that tell one lie on some items and answer like all other workers on the rest.

A majority that lies together looks honest to any method that learns from agreement. Gold reveals it: on observed items
that were attacked, its members are wrong together, and on the same items again and again. The model: an item is
attacked or not; on an attacked one every member tells its lie; all other answers have the confusions of the honest.

1. On the gold items alone, with one confusion for all honest workers: how likely each worker is a member, and how often
   items are attacked. As gold is drawn without looking, that share holds for all items.
2. On all items, with each worker's own confusion, beginning with that: a worker that lies with known members is one.

Trusted workers are no members. Without gold the lie cannot be told from the truth, and no worker is suspected.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graph.inference.label_set import LabelSet, Numbers
from graph.inference.variational import ModelSettings, expected_log, row_shares

MAX_LABELS = 12
"""With more labels there are too many possible lies."""

_SLIP = 0.03  # how often a member does not say the lie
_FEW = (1.0, 4.0)  # the prior of members among workers, and of attacked items: one in five, worth five of them
_GOLD_STEPS = 50
_STEPS = 40
_TOLERANCE = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Suspicion:
    """How likely each worker is a member of a coalition, and the truths that this leaves, (items, labels)."""

    member: Numbers
    posterior: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class _Lies:
    """The pairs of a truth and another label told instead, and a member's log-probabilities of answers under each."""

    truth: NDArray[np.int64]
    lie: NDArray[np.int64]
    log_answer: Numbers

    @property
    def of_truth(self) -> Numbers:
        """1.0 if a lie is told instead of a truth, (truths, lies)."""
        return np.equal.outer(np.unique(self.truth), self.truth).astype(np.float64)

    @classmethod
    def among(cls, k: int) -> "_Lies":
        truth, lie = np.nonzero(~np.eye(k, dtype=np.bool_))
        said = np.where(np.arange(k) == lie[:, None], 1.0 - _SLIP, _SLIP / (k - 1))
        return cls(truth, lie, np.log(said))


def find_coalition(
    labels: LabelSet,
    gold: Mapping[int, int],
    trusted: NDArray[np.bool_],
    settings: ModelSettings,
    weight: Numbers | None = None,
) -> Suspicion | None:
    """Return the suspicion of each worker, None without gold or with labels too many or too few to lie.

    An answer with `weight` 0 does not count: it accuses no worker.
    """
    if not gold or not 2 <= labels.labels <= MAX_LABELS:
        return None
    lies = _Lies.among(labels.labels)
    answers, shares = labels.matrix(weight), labels.shares(weight)
    member, log_honest, attacked = _from_gold(answers, shares, gold, trusted, lies, settings)
    return _from_all(answers, gold, trusted, lies, settings, member, log_honest, attacked)


def _from_gold(
    answers: sparse.csr_array,
    shares: Numbers,
    gold: Mapping[int, int],
    trusted: NDArray[np.bool_],
    lies: _Lies,
    settings: ModelSettings,
) -> tuple[Numbers, Numbers, float]:
    """Return the members, log P(answer | truth) of the honest, and the share of items that are attacked."""
    k, workers = shares.shape[1], len(trusted)
    items = np.array(sorted(gold), dtype=np.int64)
    truth = np.array([gold[item] for item in items], dtype=np.int64)
    answers, shares = answers[items], shares[items]
    possible = lies.truth == truth[:, None]
    told = shares[:, lies.lie] * possible
    # At first an item is attacked if most answers are wrong, by the lies that they tell.
    most_wrong = shares[np.arange(len(items)), truth] < 0.5
    told = np.where(most_wrong[:, None], told / np.maximum(told.sum(axis=1, keepdims=True), 1e-9), 0.0)
    member = np.where(trusted, 0.0, 0.2)
    observed = np.eye(k)[truth]
    for _ in range(_GOLD_STEPS):
        fair = (answers.T @ (observed * (1.0 - told.sum(axis=1))[:, None])).reshape(workers, k, k).transpose(0, 2, 1)
        unfair = (answers.T @ told).reshape(workers, k, len(lies.truth)).transpose(0, 2, 1)
        honest = (fair + (1.0 - member)[:, None, None] * (lies.of_truth @ unfair)).sum(axis=0)
        log_honest = np.log(_pooled(honest, settings.strength))
        member = _members(unfair, lies, log_honest[lies.truth], member, trusted)
        attacked = (told.sum() + _FEW[0]) / (len(items) + sum(_FEW))
        fair_log = (answers @ np.tile(log_honest.T, (workers, 1)))[np.arange(len(items)), truth]
        unfair_log = answers @ _mixed(log_honest[lies.truth][None], member, lies)
        logits = np.column_stack(
            [
                fair_log + np.log1p(-attacked),
                np.where(possible, unfair_log + np.log(attacked / (k - 1)), -np.inf),
            ]
        )
        told = _normalized(logits)[:, 1:]
    return member, log_honest, float(attacked)


def _from_all(
    answers: sparse.csr_array,
    gold: Mapping[int, int],
    trusted: NDArray[np.bool_],
    lies: _Lies,
    settings: ModelSettings,
    member: Numbers,
    log_honest: Numbers,
    attacked: float,
) -> Suspicion:
    k, workers = len(log_honest), len(trusted)
    items = answers.shape[0]
    truths = np.concatenate([np.arange(k), lies.truth])
    excluded = np.zeros((items, len(truths)), dtype=np.bool_)
    for item, truth in gold.items():
        excluded[item] = truths != truth
    known = trusted[:, None, None] * np.eye(k) * settings.trusted_strength
    share = np.bincount(list(gold.values()), minlength=k) + 1.0
    own = np.broadcast_to(log_honest, (workers, k, k))
    posterior = np.zeros((items, k))
    for _ in range(_STEPS):
        share = share / share.sum()
        prior = np.log(np.concatenate([share * (1.0 - attacked), attacked * share[lies.truth] / (k - 1)]))
        told = _mixed(own[:, lies.truth], member, lies)
        honestly = own.transpose(0, 2, 1).reshape(workers * k, k)
        logits = np.asarray(answers @ np.hstack([honestly, told])) + prior
        cells = _normalized(np.where(excluded, -np.inf, logits))
        before, posterior = posterior, cells @ (truths[:, None] == np.arange(k)).astype(np.float64)
        if np.abs(posterior - before).max() < _TOLERANCE:
            break
        counts = (answers.T @ cells).reshape(workers, k, len(truths)).transpose(0, 2, 1)
        unfair = counts[:, k:]
        honest = counts[:, :k] + (1.0 - member)[:, None, None] * (lies.of_truth @ unfair)
        own = expected_log(honest + settings.strength * _one_accuracy(honest.sum(axis=0)) + known)
        member = _members(unfair, lies, own[:, lies.truth], member, trusted)
        share = posterior.sum(axis=0) + 1.0
    return Suspicion(member, posterior)


def _members(unfair: Numbers, lies: _Lies, log_honest: Numbers, member: Numbers, trusted: NDArray[np.bool_]) -> Numbers:
    """Return how likely each worker is a member, by its answers on attacked items."""
    evidence = (unfair * (lies.log_answer - log_honest)).sum(axis=(1, 2))
    share = (member.sum() + _FEW[0]) / (len(member) + sum(_FEW))
    logit = np.clip(evidence + np.log(share / (1.0 - share)), -30.0, 30.0)
    return np.where(trusted, 0.0, 1.0 / (1.0 + np.exp(-logit)))


def _mixed(log_honest: Numbers, member: Numbers, lies: _Lies) -> Numbers:
    """Return the expected log-likelihood of each worker's answers under each lie, (workers * answers, lies)."""
    share = member[:, None, None]
    table = (1.0 - share) * log_honest + share * lies.log_answer
    found: Numbers = table.transpose(0, 2, 1).reshape(-1, len(lies.truth))
    return found


def _pooled(counts: Numbers, strength: float) -> Numbers:
    return row_shares(counts + strength * _one_accuracy(counts))


def _one_accuracy(counts: Numbers) -> Numbers:
    """Return the confusion in which every truth is told with the same accuracy, that of these counts."""
    k = len(counts)
    accuracy = (np.trace(counts) + 6.0) / (counts.sum() + 8.0)
    found: Numbers = np.eye(k) * accuracy + (1.0 - np.eye(k)) * (1.0 - accuracy) / (k - 1)
    return found


def _normalized(logits: Numbers) -> Numbers:
    return row_shares(np.exp(logits - logits.max(axis=1, keepdims=True)))
