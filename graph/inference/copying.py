"""Who repeats whom: workers that give the same wrong answers more often than chance and hard items explain.

Right answers agree because they are right, so that only wrong ones tell. For two workers and the items that both
answered, the number of common wrong answers is compared with what two independent workers would have, each as often
wrong as it is and oftener where others are wrong too. Who answers later on most of these items is the copier.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.stats import poisson

from graph.inference.label_set import Indices, LabelSet, Numbers

Flags = NDArray[np.bool_]

LEAST_COMMON = 5
"""So many common wrong answers there must be, for otherwise a pair is not looked at."""

_CHANCE = 0.001  # of finding any pair where nobody copies
_MOST_WRONG = 0.95


@dataclass(frozen=True, slots=True)
class Copy:
    """That `worker` repeats `original`: their common wrong answers, and how many were to be expected.

    `later` is the share of them that the worker gave after the other, `share` that of the worker's wrong answers that
    is not its own.
    """

    worker: int
    original: int
    common: int
    expected: float
    later: float
    share: float


def find_copies(labels: LabelSet, posterior: Numbers, place: Indices) -> tuple[Copy, ...]:
    """Return the copies by worker, each with the original that explains most; `place` orders the answers in time."""
    wrong = posterior[labels.item, labels.label] < 0.5
    if labels.workers < 2 or not wrong.any():
        return ()
    pairs = _pairs_with_common(labels, wrong)
    difficulty = _difficulties(labels, wrong)
    rates = np.bincount(labels.worker, wrong, labels.workers) / np.maximum(
        np.bincount(labels.worker, minlength=labels.workers), 1
    )
    answers = _Answers(labels, wrong, place)
    found: dict[int, Copy] = {}
    for first, second in pairs:
        copy = _compare(answers, first, second, rates, difficulty, _CHANCE / len(pairs))
        if copy is not None and (copy.worker not in found or found[copy.worker].share < copy.share):
            found[copy.worker] = copy
    return tuple(found[worker] for worker in sorted(found))


class _Answers:
    """The answers of each worker, by item: whether wrong, which label, and when."""

    def __init__(self, labels: LabelSet, wrong: Flags, place: Indices) -> None:
        order = np.lexsort((place, labels.item, labels.worker))
        self._ends = np.searchsorted(labels.worker[order], np.arange(labels.workers + 1))
        self._item, self._label = labels.item[order], labels.label[order]
        self._wrong, self._place = wrong[order], place[order]

    def common(self, first: int, second: int) -> tuple[Indices, Indices, Indices]:
        """Return the items that both answered, and the positions of both workers' answers."""
        one, two = (slice(self._ends[worker], self._ends[worker + 1]) for worker in (first, second))
        items, left, right = np.intersect1d(self._item[one], self._item[two], return_indices=True)
        return items, left + one.start, right + two.start

    def wrong_together(self, left: Indices, right: Indices) -> Flags:
        """Return where both are wrong with the same label."""
        found: Flags = self._wrong[left] & self._wrong[right] & (self._label[left] == self._label[right])
        return found

    def is_later(self, left: Indices, right: Indices) -> Flags:
        """Return where the right one came after the left."""
        found: Flags = self._place[right] > self._place[left]
        return found


def _pairs_with_common(labels: LabelSet, wrong: Flags) -> list[tuple[int, int]]:
    cells = labels.item[wrong] * labels.labels + labels.label[wrong]
    given = sparse.csr_array(
        (np.ones(cells.size), (labels.worker[wrong], cells)), shape=(labels.workers, labels.items * labels.labels)
    )
    given.data[:] = 1.0
    together = sparse.triu(given @ given.T, k=1).tocoo()
    enough = together.data >= LEAST_COMMON
    return sorted(zip(together.row[enough].tolist(), together.col[enough].tolist(), strict=True))


def _difficulties(labels: LabelSet, wrong: Flags) -> Numbers:
    """Return how much oftener than elsewhere answers to each item are wrong, drawn towards 1."""
    mean = max(float(wrong.mean()), 1e-9)
    counts = np.bincount(labels.item, minlength=labels.items)
    found: Numbers = (np.bincount(labels.item, wrong, labels.items) + mean) / (counts + 1.0) / mean
    return found


def _compare(
    answers: _Answers, first: int, second: int, rates: Numbers, difficulty: Numbers, chance: float
) -> Copy | None:
    items, left, right = answers.common(first, second)
    both = answers.wrong_together(left, right)
    common = int(both.sum())
    if common < LEAST_COMMON:
        return None
    likely = [np.minimum(rates[worker] * difficulty[items], _MOST_WRONG) for worker in (first, second)]
    expected = float((likely[0] * likely[1]).sum())
    if poisson.sf(common - 1, expected) >= chance:
        return None
    later = float(answers.is_later(left[both], right[both]).mean())
    worker, original = (second, first) if later >= 0.5 else (first, second)
    own_wrong = rates[worker] * len(items)
    share = min((common - expected) / max(own_wrong, common), 1.0)
    return Copy(worker, original, common, expected, max(later, 1.0 - later), share)
