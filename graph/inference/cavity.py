"""Computes the posterior of a claim without some operators, so that no verifier is judged by itself."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from graph.inference.label_set import Indices, LabelSet, Numbers
from graph.inference.variational import expected_log

_MOST = 30.0  # log-odds


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The log-odds that each answer adds to the truth of its item being 1, for two labels.

    `total` is the sum for each item, `of_operator` that of each operator, (operators, items); `operator` is that of
    each worker, and `known` the truth of each item, NaN if it was not observed. Before any answer both truths are
    equally likely, for the rate of right claims is known from the answers alone.
    """

    labels: LabelSet
    operator: Indices
    total: Numbers
    of_operator: sparse.csr_array
    known: Numbers

    @classmethod
    def of(
        cls, labels: LabelSet, confusion: Numbers, weight: Numbers, operator: Indices, gold: Mapping[int, int]
    ) -> "Evidence":
        """Add up the evidence of all answers; `confusion` is (workers, 2, 2), `operator` a number for each worker."""
        said = expected_log(confusion)
        added = weight * (said[labels.worker, 1, labels.label] - said[labels.worker, 0, labels.label])
        shape = (int(operator.max(initial=-1)) + 1, labels.items)
        of_operator = sparse.csr_array((added, (operator[labels.worker], labels.item)), shape=shape)
        known = np.full(labels.items, np.nan)
        known[list(gold)] = list(gold.values())
        total = np.bincount(labels.item, added, labels.items).astype(np.float64)
        return cls(labels, operator, total, of_operator, known)

    def without_own(self) -> Numbers:
        """Return, for each answer, the probability of 1 by the answers of other operators."""
        item, operator = self.labels.item, self.operator[self.labels.worker]
        own = np.asarray(self.of_operator[operator, item]).ravel() if item.size else np.zeros(0)
        return self._probability(item, self.total[item] - own)

    def _probability(self, items: Indices, odds: Numbers) -> Numbers:
        others: Numbers = 1.0 / (1.0 + np.exp(-np.clip(odds, -_MOST, _MOST)))
        known = self.known[items]
        return np.where(np.isnan(known), others, known)
