"""Finds copies: workers that hardly ever differ where independent workers of their accuracy would.

Two workers that repeat each other look right to any method that weighs answers, for they agree. So the accuracy of each
is estimated without the operator of the other; two independent workers of that accuracy differ on an expected number of
items, because sometimes one of them is wrong. A worker that differs on less than half as many, beyond chance, repeats
the other.

The answers that each held when the other came to its own tell the copier from the original. An answer that the other
held already may have been looked up; the more so, the less the rest agree with it. But a different answer that the
other held then and no longer gives was a guess: a worker that guesses is not the original. Unchanged guesses cost
nothing here, but with too many of them a worker does not resemble the other at all.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import poisson

from graph.inference.agreement import CHANCE, LEAST_SHARE, Agreement, pairs_that_agree
from graph.inference.label_set import Indices, LabelSet, Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """The places in time since which the answers stand, parallel to them; all answers ever given, with their places.

    The latter include answers that were changed or taken back.
    """

    since: Indices
    ever: LabelSet
    place: Indices


@dataclass(frozen=True, slots=True)
class Copy:
    """The finding that `worker` repeats `original`: of `both` items they differ on `differed`.

    `expected` is the number on which independent workers of their accuracy would differ, `share` the share of its
    answers to these items that is not its own. `overlap`, 0 to 1, is the share of these items among all that it
    answered, each by its anchored share, so that items of its own do not count; alike if no share is above 0.
    """

    worker: int
    original: int
    both: int
    differed: int
    expected: float
    share: float
    overlap: float = 1.0

    @property
    def independence(self) -> float:
        """The share of all its answers that is its own: on items that the original did not answer all of them are."""
        return 1.0 - self.share * self.overlap

    @property
    def chance(self) -> float:
        """The logarithm of the probability of so few differences if no worker copies."""
        return float(poisson.logcdf(self.differed, self.expected)) if self.expected else 0.0

    def is_found(self, pairs: int) -> bool:
        """Return whether it is a copy, as one of `pairs` compared pairs."""
        return self.share >= LEAST_SHARE and self.chance < np.log(CHANCE / pairs)


Rated = tuple[Numbers, Numbers]
"""The posterior of each item's truths, and the rate at which each worker is right about each, (workers, truths)."""

Without = Callable[[frozenset[int]], Rated]
"""The estimate without the answers of some operators."""


def find_copies(
    labels: LabelSet, operator: Indices, said: Said, weight: Numbers, anchored: Numbers, without: Without
) -> tuple[Copy, ...]:
    """Return the copies by worker, each with the original that explains most; for two labels.

    `anchored` is the share of each answer that counts in its worker's record (`graph.inference.anchoring`).

    `operator` is a number for each worker; workers of one operator have one voice already and are not compared, nor are
    answers without weight.
    """
    agreement = Agreement.of(labels, operator, weight)
    pairs = pairs_that_agree(agreement, operator)
    answers = _Answers(labels, said)

    def compare(pair: tuple[int, int], silent: frozenset[int]) -> Copy:
        left_out = (
            (agreement.alike(one, operator) | silent | {int(operator[other])}) - {int(operator[one])}
            for one, other in (pair, pair[::-1])
        )
        return _compare(answers, pair, *(without(operators) for operators in left_out))

    compared = [(compare(pair, frozenset()), pair) for pair in pairs]
    suspected = sorted((copy.chance, pair) for copy, pair in compared if copy.is_found(len(pairs)))
    found: dict[int, Copy] = {}
    for _, pair in suspected:
        # A copier makes others look wrong if they agree with each other against it, so it is compared without copiers.
        copy = compare(pair, frozenset(int(operator[copier]) for copier in found))
        if copy.is_found(len(pairs)) and (copy.worker not in found or found[copy.worker].share < copy.share):
            found[copy.worker] = copy
    return tuple(replace(found[worker], overlap=_overlap(labels, found[worker], anchored)) for worker in sorted(found))


def _overlap(labels: LabelSet, copy: Copy, anchored: Numbers) -> float:
    """Return the share of the items that its original has answered among those that a copier has answered."""
    own = labels.worker == copy.worker
    shared = np.isin(labels.item[own], labels.item[labels.worker == copy.original])
    total = float(anchored[own].sum())
    return float(anchored[own][shared].sum()) / total if total > 0.0 else float(shared.mean())


@dataclass(frozen=True, slots=True, eq=False)
class _Met:
    """The answers of a worker at which another held one, by item: the same, or one that it no longer gives."""

    item: Indices
    label: Indices
    same: NDArray[np.bool_]
    guessed: NDArray[np.bool_]

    def followed(self, truth: Numbers) -> float:
        """Return the evidence that the worker followed the other: unlikely equal answers less the other's guesses."""
        unlikely = 1.0 - truth[self.item[self.same], self.label[self.same]]
        return float(unlikely.sum()) - int(self.guessed.sum())


class _Answers:
    """The answers of each worker by item, the last one if there are several, and all answers that it ever gave."""

    def __init__(self, labels: LabelSet, said: Said) -> None:
        times, ranks = np.unique(np.concatenate([said.since, said.place]), return_inverse=True)
        since, place = ranks[: said.since.size], ranks[said.since.size :]
        order = np.lexsort((since, labels.item, labels.worker))
        last = np.append(np.diff(labels.item[order] + labels.items * labels.worker[order]) != 0, True)
        order = order[last[: len(order)]]
        self._times = max(times.size, 1)
        self._ends = np.searchsorted(labels.worker[order], np.arange(labels.workers + 1))
        self._item, self._label, self._since = labels.item[order], labels.label[order], since[order]
        ever = said.ever
        order = np.lexsort((place, ever.item, ever.worker))
        self._ever_ends = np.searchsorted(ever.worker[order], np.arange(ever.workers + 1))
        self._ever_key = ever.item[order] * self._times + place[order]
        self._ever_label = ever.label[order]

    def of_both(self, first: int, second: int) -> tuple[Indices, int]:
        """Return the items that two workers answered, and on how many they differ."""
        one, two = self._of(first), self._of(second)
        items, left, right = np.intersect1d(self._item[one], self._item[two], True, True)
        return items, int((self._label[one][left] != self._label[two][right]).sum())

    def met(self, worker: int, other: int) -> _Met:
        """Return the answers of a worker that came after the other had answered the item."""
        own, theirs = self._of(worker), slice(self._ever_ends[other], self._ever_ends[other + 1])
        item, label = self._item[own], self._label[own]
        before = np.searchsorted(self._ever_key[theirs], item * self._times + self._since[own]) - 1
        had = before >= 0
        had[had] = self._ever_key[theirs][before[had]] // self._times == item[had]
        item, label, held = item[had], label[had], self._ever_label[theirs][before[had]]
        return _Met(item, label, held == label, (held != label) & (self._stands(other, item) != held))

    def _of(self, worker: int) -> slice:
        return slice(self._ends[worker], self._ends[worker + 1])

    def _stands(self, worker: int, item: Indices) -> Indices:
        """Return a worker's answers to the items, -1 for an item without one."""
        known, label = self._item[self._of(worker)], self._label[self._of(worker)]
        found = np.searchsorted(known, item)
        answered = found < known.size
        answered[answered] = known[found[answered]] == item[answered]
        standing = np.full(item.size, -1, dtype=np.int64)
        standing[answered] = label[found[answered]]
        return standing


def _compare(answers: _Answers, pair: tuple[int, int], for_first: Rated, for_second: Rated) -> Copy:
    """Compare two workers, each rated by the estimate without the other's operator."""
    first, second = pair
    items, differed = answers.of_both(first, second)
    truth = (for_first[0] + for_second[0]) / 2.0
    one, two = for_first[1][first], for_second[1][second]
    expected = float((truth[items] @ (one * (1.0 - two) + two * (1.0 - one))).sum())
    share = min(max(1.0 - differed / max(expected, 1e-9), 0.0), 1.0)
    second_repeats = answers.met(second, first).followed(truth) >= answers.met(first, second).followed(truth)
    worker, original = (second, first) if second_repeats else pair
    return Copy(worker, original, len(items), differed, expected, share)
