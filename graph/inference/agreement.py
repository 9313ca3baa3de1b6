"""Who agrees with whom: the pairs that agree most beyond what is expected, and who is like a worker."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.stats import poisson

from graph.inference.label_set import Indices, LabelSet, Numbers

LEAST_SHARE = 0.5
"""Who copies less of what would be its own is not found; hard items make independent workers alike up to that."""

CHANCE = 0.001
"""Of finding any pair where nobody copies."""

_PARTNERS = 3  # of those that a worker agrees with oftener than expected
_PAIRS = 20  # that are looked at, those that agree most beyond what is expected


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """On how many items each two workers answered, and how often alike; how often each agrees with other operators."""

    both: sparse.csr_array
    same: sparse.csr_array
    rate: Numbers
    mean: float

    @classmethod
    def of(cls, labels: LabelSet, operator: Indices, weight: Numbers) -> "Agreement":
        """Count what weighs anything; how often a worker agrees, by what the others weigh."""
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
        """Return the operators of those that differ from a worker on less than half as many items as they would."""
        both, same = (table[[worker]].toarray().ravel() for table in (self.both, self.same))
        others = np.flatnonzero(both)
        both, differed = both[others], (both - same)[others]
        expected = both * np.maximum(1.0 - self.rate[worker] * self.rate[others] / self.mean, 0.0)
        alike = (differed < (1.0 - LEAST_SHARE) * expected) & (poisson.cdf(differed, expected) < CHANCE)
        return frozenset(operator[others[alike]].tolist())


def pairs_that_agree(agreement: Agreement, operator: Indices) -> list[tuple[int, int]]:
    """Return the pairs that agree most beyond how often both agree with anybody, a few for each worker."""
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
    """Return, for each two workers, in how many columns both are."""
    table = sparse.csr_array((np.ones(worker.size), (worker, column)), shape=(workers, columns))
    table.data[:] = 1.0
    product = table @ table.T
    return (product - sparse.diags_array(product.diagonal())).tocsr()


def _with_others(table: sparse.csr_array, operator: Indices, voice: Numbers) -> Numbers:
    """Return what a table counts for each worker with the workers of other operators, each as its voice weighs."""
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
