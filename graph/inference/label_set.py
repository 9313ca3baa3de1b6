"""A set of answers: worker, item, and one of K labels, as three parallel arrays."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Indices = NDArray[np.int64]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LabelSet:
    """Answers of `workers` about `items`, each one of `labels`; one worker may answer an item more than once."""

    items: int
    workers: int
    labels: int
    item: Indices
    worker: Indices
    label: Indices

    def __post_init__(self) -> None:
        """Raise ValueError if the arrays differ in length or have an index out of range."""
        if not self.item.shape == self.worker.shape == self.label.shape or self.item.ndim != 1:
            raise ValueError(f"{self.item.shape} items, {self.worker.shape} workers, {self.label.shape} labels")
        for name, values, most in (
            ("item", self.item, self.items),
            ("worker", self.worker, self.workers),
            ("label", self.label, self.labels),
        ):
            if values.size and (values.min() < 0 or values.max() >= most):
                raise ValueError(f"a {name} is outside 0..{most - 1}")

    @classmethod
    def of(cls, answers: Sequence[tuple[int, int, int]], items: int, workers: int, labels: int) -> "LabelSet":
        """Return the set of (item, worker, label)."""
        item, worker, label = np.array(answers, dtype=np.int64).reshape(-1, 3).T
        return cls(items, workers, labels, item, worker, label)

    def matrix(self, weight: Numbers | None = None) -> sparse.csr_array:
        """Return the answers as (items, workers * labels), each counting 1.0 or its weight."""
        data = np.ones(self.item.size) if weight is None else weight
        shape = (self.items, self.workers * self.labels)
        return sparse.csr_array((data, (self.item, self.worker * self.labels + self.label)), shape=shape)

    def shares(self, weight: Numbers | None = None) -> Numbers:
        """Return the share of each label among the answers to each item, (items, labels); without answers, equal."""
        cells = np.bincount(self.item * self.labels + self.label, weight, self.items * self.labels)
        counts = cells.reshape(self.items, self.labels).astype(np.float64)
        total = counts.sum(axis=1, keepdims=True)
        return np.where(total > 0, counts / np.where(total > 0, total, 1.0), 1.0 / self.labels)
