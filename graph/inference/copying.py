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
_LOOKED_AT = 3  # of those that a worker may repeat, the ones that explain most


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


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Pairs of workers, and in each the common wrong answers, seen and expected."""

    first: Indices
    second: Indices
    common: Numbers
    expected: Numbers

    def where(self, chosen: Flags | Indices) -> "_Pairs":
        """Return some of the pairs."""
        return _Pairs(self.first[chosen], self.second[chosen], self.common[chosen], self.expected[chosen])


def find_copies(labels: LabelSet, posterior: Numbers, place: Indices) -> tuple[Copy, ...]:
    """Return the copies by worker, each with the original that explains most; `place` orders the answers in time."""
    wrong = posterior[labels.item, labels.label] < 0.5
    if labels.workers < 2 or not wrong.any():
        return ()
    answered = np.bincount(labels.worker, minlength=labels.workers)
    rates = np.bincount(labels.worker, wrong, labels.workers) / np.maximum(answered, 1)
    pairs = _beyond_chance(_pairs_with_common(labels, wrong, rates))
    wrongs = _WrongAnswers(labels, wrong, place)
    found: dict[int, Copy] = {}
    for row in _strongest_of_each(pairs):
        copy = _copy(wrongs, pairs.where(np.array([row])))
        if copy.worker not in found or found[copy.worker].share < copy.share:
            found[copy.worker] = copy
    return tuple(found[worker] for worker in sorted(found))


def _pairs_with_common(labels: LabelSet, wrong: Flags, rates: Numbers) -> _Pairs:
    """Return the pairs with at least `LEAST_COMMON` common wrong answers."""
    cells = labels.item[wrong] * labels.labels + labels.label[wrong]
    together = sparse.triu(_product(labels.worker[wrong], cells, np.ones(cells.size), labels.workers), k=1).tocoo()
    enough = together.data >= LEAST_COMMON
    first, second = (axis[enough].astype(np.int64) for axis in (together.row, together.col))
    if not first.size:
        return _Pairs(first, second, together.data[enough], np.zeros(0))
    likely = np.minimum(rates[labels.worker] * _difficulties(labels, wrong)[labels.item], _MOST_WRONG)
    expected = _product(labels.worker, labels.item, likely, labels.workers)
    return _Pairs(first, second, together.data[enough], np.asarray(expected[first, second]).ravel())


def _product(worker: Indices, column: Indices, value: Numbers, workers: int) -> sparse.csr_array:
    """Return, for each two workers, the sum over the columns that both have of the products of their values."""
    _, first = np.unique(np.stack([worker, column]), axis=1, return_index=True)
    _, compact = np.unique(column[first], return_inverse=True)
    table = sparse.csr_array((value[first], (worker[first], compact)), shape=(workers, int(compact.max()) + 1))
    return (table @ table.T).tocsr()


def _difficulties(labels: LabelSet, wrong: Flags) -> Numbers:
    """Return how much oftener than elsewhere answers to each item are wrong, drawn towards 1."""
    mean = max(float(wrong.mean()), 1e-9)
    counts = np.bincount(labels.item, minlength=labels.items)
    found: Numbers = (np.bincount(labels.item, wrong, labels.items) + mean) / (counts + 1.0) / mean
    return found


def _beyond_chance(pairs: _Pairs) -> _Pairs:
    chance = poisson.sf(pairs.common - 1, pairs.expected)
    return pairs.where(chance < _CHANCE / max(pairs.first.size, 1))


def _strongest_of_each(pairs: _Pairs) -> list[int]:
    """Return the rows of the pairs that explain most of a worker's mistakes, a few for each worker."""
    gain = pairs.common - pairs.expected
    seen: dict[int, int] = {}
    rows = []
    for row in np.lexsort((pairs.second, pairs.first, -gain)).tolist():
        members = int(pairs.first[row]), int(pairs.second[row])
        if any(seen.get(member, 0) < _LOOKED_AT for member in members):
            rows.append(row)
            for member in members:
                seen[member] = seen.get(member, 0) + 1
    return rows


class _WrongAnswers:
    """The wrong answers of each worker, by item and label, with their places in time."""

    def __init__(self, labels: LabelSet, wrong: Flags, place: Indices) -> None:
        worker = labels.worker[wrong]
        order = np.lexsort((place[wrong], labels.item[wrong], worker))
        self._ends = np.searchsorted(worker[order], np.arange(labels.workers + 1))
        self._cell = (labels.item[wrong] * labels.labels + labels.label[wrong])[order]
        self._place = place[wrong][order]

    def count(self, worker: int) -> int:
        """Return how many wrong answers a worker gave."""
        return int(self._ends[worker + 1] - self._ends[worker])

    def later(self, first: int, second: int) -> float:
        """Return the share of the common wrong answers that the second gave after the first."""
        one, two = (slice(self._ends[worker], self._ends[worker + 1]) for worker in (first, second))
        _, left, right = np.intersect1d(self._cell[one], self._cell[two], return_indices=True)
        return float((self._place[two][right] > self._place[one][left]).mean())


def _copy(wrongs: _WrongAnswers, pair: _Pairs) -> Copy:
    first, second = int(pair.first[0]), int(pair.second[0])
    later = wrongs.later(first, second)
    worker, original = (second, first) if later >= 0.5 else (first, second)
    common, expected = float(pair.common[0]), float(pair.expected[0])
    share = min((common - expected) / max(wrongs.count(worker), common), 1.0)
    return Copy(worker, original, round(common), expected, max(later, 1.0 - later), share)
