"""Finds the pairs of workers that agree most beyond expectation, and the operators that resemble a worker."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.stats import poisson

from graph.inference.label_set import Indices, LabelSet, Numbers

LEAST_SHARE = 0.5
"""The least copied share of answers that is found; hard items make independent workers alike up to that."""

CHANCE = 0.001
"""The probability of finding any pair if no worker copies."""

_PARTNERS = 3  # of those that a worker agrees with oftener than expected
_PAIRS = 20  # that are examined, those that agree most beyond expectation


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """For each two workers, the numbers of common items and of equal answers; each one's rate of agreement with others.

    `rate` counts the workers of other operators only.
    """

    both: sparse.csr_array
    same: sparse.csr_array
    rate: Numbers
    mean: float

    @classmethod
    def of(cls, labels: LabelSet, operator: Indices, weight: Numbers) -> "Agreement":
        """Count the answers that weigh anything; the rates of agreement are weighted by the weights of the others."""
        heard = weight > 0.0
        worker, item, label = labels.worker[heard], labels.item[heard], labels.label[heard]
        both = _product(worker, item, labels.workers, labels.items)
        same = _product(worker, item * 2 + label, labels.workers, labels.items * 2)
        answers = np.maximum(np.bincount(worker, minlength=labels.workers), 1)
        voice = np.bincount(worker, weight[heard], labels.workers) / answers
        agreed, met = (_with_others(table, operator, voice) for table in (same, both))
        mean = float((voice * agreed).sum() / max((voice * met).sum(), 1e-9))
        return cls(both, same, agreed / np.maximum(met, 1e-9), max(mean, 1e-9))

    def alike(self, worker: int, operator: Indices) -> frozenset[int]:
        """Return the operators of those that differ from a worker on less than half as many items as expected."""
        both, same = (table[[worker]].toarray().ravel() for table in (self.both, self.same))
        others = np.flatnonzero(both)
        both, differed = both[others], (both - same)[others]
        expected = both * np.maximum(1.0 - self.rate[worker] * self.rate[others] / self.mean, 0.0)
        alike = (differed < (1.0 - LEAST_SHARE) * expected) & (poisson.cdf(differed, expected) < CHANCE)
        return frozenset(operator[others[alike]].tolist())


def pairs_that_agree(agreement: Agreement, operator: Indices) -> list[tuple[int, int]]:
    """Return the pairs that agree most beyond their rates of agreement with all others, a few for each worker."""
    upper = sparse.triu(agreement.same, k=1).tocoo()
    if not upper.nnz:
        return []
    first, second = upper.row.astype(np.int64), upper.col.astype(np.int64)
    both = np.asarray(agreement.both[first, second]).ravel()
    expected = both * agreement.rate[first] * agreement.rate[second] / agreement.mean
    excess = (upper.data - expected) / np.sqrt(np.maximum(expected, 1.0))
    chosen = (excess > 0) & (operator[first] != operator[second])
    return _strongest(first[chosen], second[chosen], excess[chosen])


def _product(worker: Indices, column: Indices, workers: int, columns: int) -> sparse.csr_array:
    """Return, for each two workers, the number of columns that both have."""
    table = sparse.csr_array((np.ones(worker.size), (worker, column)), shape=(workers, columns))
    table.data[:] = 1.0
    product = table @ table.T
    return (product - sparse.diags_array(product.diagonal())).tocsr()


def _with_others(table: sparse.csr_array, operator: Indices, voice: Numbers) -> Numbers:
    """Return, for each worker, the sum of a table over the workers of other operators, each weighted by its voice."""
    cells = table.tocoo()
    others = operator[cells.row] != operator[cells.col]
    found = cells.data[others] * voice[cells.col[others]]
    return np.bincount(cells.row[others], found, operator.size).astype(np.float64)


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
