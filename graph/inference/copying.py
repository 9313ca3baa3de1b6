"""Who repeats whom: workers that hardly ever differ where workers as good as they are would.

Two that repeat each other look right to whatever weighs answers, for they agree. So how good each is is estimated
without the operator of the other; two independent workers that are so good differ on a number of items that can be
expected, because sometimes one of them is wrong. Who differs on less than half as many, beyond chance, repeats the
other.

Which of the two it is, what each held when the other came to its answer tells. An answer that the other held already
may have been looked up; the more so, the less the rest agree with it. But what the other held and no longer says, since
it has moved to this answer or taken back its own, was a guess: who looks things up does not lead, who guesses does not
know. Guesses that are not changed cost nothing here, yet with too many of them a worker is not like the other at all.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import poisson

from graph.inference.agreement import CHANCE, LEAST_SHARE, Agreement, pairs_that_agree
from graph.inference.inference import Estimate
from graph.inference.label_set import Indices, LabelSet, Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """The places in time since which the answers stand, parallel to them; and all that was ever said, with its places.

    What was said once and is not any more, or was taken back, is among the latter.
    """

    since: Indices
    ever: LabelSet
    place: Indices


@dataclass(frozen=True, slots=True)
class Copy:
    """That `worker` repeats `original`: on how many items of `both` they differed, and how many were to be expected.

    `share` is what of its answers is not its own.
    """

    worker: int
    original: int
    both: int
    differed: int
    expected: float
    share: float

    @property
    def chance(self) -> float:
        """Return the logarithm of how likely so few differences are where nobody copies."""
        return float(poisson.logcdf(self.differed, self.expected)) if self.expected else 0.0

    def is_found(self, pairs: int) -> bool:
        """Whether it is a copy, as one of so many pairs that are looked at."""
        return self.share >= LEAST_SHARE and self.chance < np.log(CHANCE / pairs)


Without = Callable[[frozenset[int]], Estimate]
"""The estimate without the answers of some operators."""


def find_copies(labels: LabelSet, operator: Indices, said: Said, weight: Numbers, without: Without) -> tuple[Copy, ...]:
    """Return the copies by worker, each with the original that explains most; for two labels.

    `operator` is a number for each worker, whose workers have one voice as it is and are not compared; what weighs
    nothing is not compared.
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
        # Who copies makes others look wrong where they agree with each other against it; what is left then counts.
        copy = compare(pair, frozenset(int(operator[copier]) for copier in found))
        if copy.is_found(len(pairs)) and (copy.worker not in found or found[copy.worker].share < copy.share):
            found[copy.worker] = copy
    return tuple(found[worker] for worker in sorted(found))


@dataclass(frozen=True, slots=True, eq=False)
class _Met:
    """The answers of a worker at which another held one, by item: the same, or one that it says no longer."""

    item: Indices
    label: Indices
    same: NDArray[np.bool_]
    guessed: NDArray[np.bool_]

    def followed(self, truth: Numbers) -> float:
        """Return how much looks as if the worker had followed the other: unlikely answers less the other's guesses."""
        unlikely = 1.0 - truth[self.item[self.same], self.label[self.same]]
        return float(unlikely.sum()) - int(self.guessed.sum())


class _Answers:
    """The answers of each worker by item, the last one where there are several, and all that it ever said."""

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
        """Return the answers of a worker that came when the other had said something of the item."""
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
        """Return what a worker answers to the items, -1 where nothing."""
        known, label = self._item[self._of(worker)], self._label[self._of(worker)]
        found = np.searchsorted(known, item)
        answered = found < known.size
        answered[answered] = known[found[answered]] == item[answered]
        standing = np.full(item.size, -1, dtype=np.int64)
        standing[answered] = label[found[answered]]
        return standing


def _compare(answers: _Answers, pair: tuple[int, int], for_first: Estimate, for_second: Estimate) -> Copy:
    """Compare two workers, each rated by the estimate that the other's operator had no part in."""
    first, second = pair
    items, differed = answers.of_both(first, second)
    truth = (for_first.posterior + for_second.posterior) / 2.0
    one, two = _rates(for_first, first), _rates(for_second, second)
    expected = float((truth[items] @ (one * (1.0 - two) + two * (1.0 - one))).sum())
    share = min(max(1.0 - differed / max(expected, 1e-9), 0.0), 1.0)
    second_repeats = answers.met(second, first).followed(truth) >= answers.met(first, second).followed(truth)
    worker, original = (second, first) if second_repeats else pair
    return Copy(worker, original, len(items), differed, expected, share)


def _rates(estimate: Estimate, worker: int) -> Numbers:
    """Return how often a worker is right about each truth."""
    confusion = estimate.confusion[worker]
    rates: Numbers = confusion.diagonal() / confusion.sum(axis=1)
    return rates
