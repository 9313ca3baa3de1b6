"""What the others say of a claim: the posterior without a verifier's own operator, which judges nobody by itself."""

from collections.abc import Mapping

import numpy as np

from graph.inference.label_set import Indices, LabelSet, Numbers
from graph.inference.variational import expected_log

_MOST = 30.0  # log-odds


def posteriors_of_others(
    labels: LabelSet, confusion: Numbers, weight: Numbers, operator: Indices, gold: Mapping[int, int]
) -> Numbers:
    """Return, for each answer, the probability that its item's truth is 1, by the answers of other operators alone.

    For two labels. `confusion` is (workers, 2, 2), `operator` a number from 0 for each answer. Before any answer both
    truths are as likely, for how often claims are right is known by the answers alone. Gold is what it is.
    """
    said = expected_log(confusion)
    contribution = weight * (said[labels.worker, 1, labels.label] - said[labels.worker, 0, labels.label])
    total = np.bincount(labels.item, contribution, labels.items)
    voices = int(operator.max(initial=-1)) + 1
    _, pair = np.unique(labels.item * voices + operator, return_inverse=True)
    own = np.bincount(pair, contribution)[pair] if pair.size else contribution
    odds = total[labels.item] - own
    others: Numbers = 1.0 / (1.0 + np.exp(-np.clip(odds, -_MOST, _MOST)))
    known = np.full(labels.items, np.nan)
    known[list(gold)] = list(gold.values())
    observed = known[labels.item]
    return np.where(np.isnan(observed), others, observed)
