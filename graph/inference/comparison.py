"""Other methods of weighing answers, by name: the majority, Wawa, and A2AP §4.3."""

import numpy as np

from graph.inference.label_set import LabelSet, Numbers


def majority(labels: LabelSet) -> Numbers:
    """Return the share of each label among the answers to each item, (items, labels)."""
    return labels.shares()


def wawa(labels: LabelSet) -> Numbers:
    """Return the majority again, each worker weighing its agreement with the first (Worker Agreement with Aggregate).

    If labels share the majority, the lowest counts as the aggregate.
    """
    return labels.shares(_agreement(labels)[labels.worker])


def literal(labels: LabelSet) -> Numbers:
    """Return A2AP §4.3 as far as it applies to labels, regardless of the answers and of their weights by §6.3.

    §4.3 averages confidences and counts no label against another, so that label 1 (VALIDATED) wins wherever an item has
    any answer; label 0 if it has none.
    """
    answered = np.bincount(labels.item, minlength=labels.items) > 0
    shares = np.zeros((labels.items, labels.labels))
    shares[answered, min(1, labels.labels - 1)] = 1.0
    shares[~answered, 0] = 1.0
    return shares


def _agreement(labels: LabelSet) -> Numbers:
    aggregate = labels.shares().argmax(axis=1)
    agreed = (aggregate[labels.item] == labels.label).astype(np.float64)
    answered = np.bincount(labels.worker, minlength=labels.workers)
    found: Numbers = np.bincount(labels.worker, agreed, labels.workers) / np.maximum(answered, 1)
    return found
