"""What is true, and who can be believed: the joint estimate from answers, gold and trusted workers."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from graph.inference.label_set import Indices, LabelSet, Numbers
from graph.inference.variational import DEFAULTS, ModelSettings, fit


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """The posterior of each item's truths, (items, labels), and what each worker answers to each truth.

    `confusion` is (workers, truths, answers) in Dirichlet pseudo-counts, the prior included.
    """

    posterior: Numbers
    confusion: Numbers


def infer(
    labels: LabelSet,
    *,
    gold: Mapping[int, int] | None = None,
    trusted: Collection[int] = (),
    weight: Numbers | None = None,
    family: Indices | None = None,
    settings: ModelSettings = DEFAULTS,
) -> Estimate:
    """Return the joint estimate; the order of the answers does not matter."""
    gold = gold or {}
    known = np.zeros(labels.workers, dtype=np.bool_)
    known[list(trusted)] = True
    found = fit(
        labels, start=labels.shares(weight), gold=gold, weight=weight, trusted=known, family=family, settings=settings
    )
    return Estimate(found.posterior, found.confusion)
