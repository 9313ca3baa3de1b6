"""Who repeats whom: workers that hardly ever differ where workers as good as they are would.

Two that repeat each other look right to whatever weighs answers, for they agree. So how good each is is estimated
without the operator of the other; two independent workers that are so good differ on a number of items that can be
expected, because sometimes one of them is wrong. Who differs on less than half as many, beyond chance, repeats the
other: the one that mostly answered later, or where neither did, the one that is named later. A worker that says
something of everything in advance is early wherever the other happens to say the same; so where one of them often
moved, after the other had answered, to what the other says, that one repeats the other.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.stats import poisson

from graph.inference.inference import Estimate
from graph.inference.label_set import Indices, LabelSet, Numbers

LEAST_SHARE = 0.5
"""Who copies less of what would be its own is not found; hard items make independent workers alike up to that."""

_CHANCE = 0.001  # of finding any pair where nobody copies
_OFTEN_MOVED = 0.1  # of the items that both answered
_PARTNERS = 3  # of those that a worker agrees with oftener than expected
_PAIRS = 20  # that are looked at, those that agree most beyond what is expected


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """The places of the answers in time, and whether their workers had answered otherwise before; parallel to them."""

    place: Indices
    changed: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Copy:
    """That `worker` repeats `original`: on how many items of `both` they differed, and how many were to be expected.

    `later` is the share of the items that the worker answered after the other, `share` what of its answers is not its
    own.
    """

    worker: int
    original: int
    both: int
    differed: int
    expected: float
    later: float
    share: float


Without = Callable[[int], Estimate]
"""The estimate without the answers of an operator."""


def find_copies(
    labels: LabelSet, operator: Indices, said: Said, heard: NDArray[np.bool_], without: Without
) -> tuple[Copy, ...]:
    """Return the copies by worker, each with the original that explains most; for two labels.

    `operator` is a number for each worker, whose workers have one voice as it is and are not compared; what is not
    `heard` is not compared.
    """
    pairs = _pairs_that_agree(labels, operator, heard)
    answers = _Answers(labels, said)
    found: dict[int, Copy] = {}
    for first, second in pairs:
        copy = _compare(answers, (first, second), without(int(operator[second])), without(int(operator[first])))
        chance = poisson.cdf(copy.differed, copy.expected) if copy.expected else 1.0
        is_copy = copy.share >= LEAST_SHARE and chance < _CHANCE / len(pairs)
        if is_copy and (copy.worker not in found or found[copy.worker].share < copy.share):
            found[copy.worker] = copy
    return tuple(found[worker] for worker in sorted(found))


def _pairs_that_agree(labels: LabelSet, operator: Indices, heard: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the pairs that agree most beyond how often both agree with anybody, a few for each worker."""
    if not heard.any():
        return []
    worker, item, label = labels.worker[heard], labels.item[heard], labels.label[heard]
    both = _product(worker, item, labels.workers, labels.items)
    same = _product(worker, item * 2 + label, labels.workers, labels.items * 2)
    rate = np.asarray(same.sum(axis=1)).ravel() / np.maximum(np.asarray(both.sum(axis=1)).ravel(), 1.0)
    mean = max(float(same.sum() / max(both.sum(), 1.0)), 1e-9)
    upper = sparse.triu(same, k=1).tocoo()
    first, second = upper.row.astype(np.int64), upper.col.astype(np.int64)
    expected = np.asarray(both[first, second]).ravel() * rate[first] * rate[second] / mean
    excess = (upper.data - expected) / np.sqrt(np.maximum(expected, 1.0))
    chosen = (excess > 0) & (operator[first] != operator[second])
    return _strongest(first[chosen], second[chosen], excess[chosen])


def _product(worker: Indices, column: Indices, workers: int, columns: int) -> sparse.csr_array:
    """Return, for each two workers, in how many columns both are."""
    table = sparse.csr_array((np.ones(worker.size), (worker, column)), shape=(workers, columns))
    table.data[:] = 1.0
    product = table @ table.T
    return (product - sparse.diags_array(product.diagonal())).tocsr()


def _strongest(first: Indices, second: Indices, excess: Numbers) -> list[tuple[int, int]]:
    seen: dict[int, int] = {}
    pairs: list[tuple[int, int]] = []
    for row in np.lexsort((second, first, -excess)).tolist():
        pair = int(first[row]), int(second[row])
        if len(pairs) < _PAIRS and any(seen.get(worker, 0) < _PARTNERS for worker in pair):
            pairs.append(pair)
            for worker in pair:
                seen[worker] = seen.get(worker, 0) + 1
    return pairs


@dataclass(frozen=True, slots=True, eq=False)
class _Both:
    """The items that two workers answered: whether they differed, who answered later, and who moved to the other."""

    items: Indices
    differed: NDArray[np.bool_]
    second_is_later: NDArray[np.bool_]
    moved: tuple[int, int]

    @property
    def later(self) -> float:
        """Return on which share of the items the second answered later."""
        return float(self.second_is_later.mean())

    @property
    def second_repeats(self) -> bool:
        """Whether the second repeats the first, if one of them repeats the other."""
        first, second = self.moved
        if first != second and max(self.moved) >= _OFTEN_MOVED * len(self.items):
            return second > first
        return self.later >= 0.5


class _Answers:
    """The answers of each worker by item, the last one where there are several."""

    def __init__(self, labels: LabelSet, said: Said) -> None:
        order = np.lexsort((said.place, labels.item, labels.worker))
        last = np.append(np.diff(labels.item[order] + labels.items * labels.worker[order]) != 0, True)
        order = order[last[: len(order)]]
        self._ends = np.searchsorted(labels.worker[order], np.arange(labels.workers + 1))
        self._item, self._label = labels.item[order], labels.label[order]
        self._place, self._changed = said.place[order], said.changed[order]

    def of_both(self, first: int, second: int) -> _Both:
        """Compare what two workers say of the items that both answered."""
        one, two = (slice(self._ends[worker], self._ends[worker + 1]) for worker in (first, second))
        items, left, right = np.intersect1d(self._item[one], self._item[two], True, True)
        differed = self._label[one][left] != self._label[two][right]
        is_later = self._place[two][right] > self._place[one][left]
        is_earlier = self._place[two][right] < self._place[one][left]
        moved = (
            int((self._changed[one][left] & is_earlier & ~differed).sum()),
            int((self._changed[two][right] & is_later & ~differed).sum()),
        )
        return _Both(items, differed, is_later, moved)


def _compare(answers: _Answers, pair: tuple[int, int], for_first: Estimate, for_second: Estimate) -> Copy:
    """Compare two workers, each rated by the estimate that the other's operator had no part in."""
    both = answers.of_both(*pair)
    truth = (for_first.posterior[both.items] + for_second.posterior[both.items]) / 2.0
    one, two = _rates(for_first, pair[0]), _rates(for_second, pair[1])
    expected = float((truth @ (one * (1.0 - two) + two * (1.0 - one))).sum())
    worker, original = (pair[1], pair[0]) if both.second_repeats else pair
    differed = int(both.differed.sum())
    share = min(max(1.0 - differed / max(expected, 1e-9), 0.0), 1.0)
    later = both.later if both.second_repeats else 1.0 - both.later
    return Copy(worker, original, len(both.items), differed, expected, later, share)


def _rates(estimate: Estimate, worker: int) -> Numbers:
    """Return how often a worker is right about each truth."""
    confusion = estimate.confusion[worker]
    rates: Numbers = confusion.diagonal() / confusion.sum(axis=1)
    return rates
