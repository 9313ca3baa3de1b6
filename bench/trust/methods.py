"""The methods under comparison, by name; each returns the shares of the labels of every item, (items, labels)."""

from collections.abc import Callable, Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from graph.inference.comparison import literal, majority, wawa
from graph.inference.inference import infer
from graph.inference.label_set import LabelSet

Shares = NDArray[np.float64]
Method = Callable[[LabelSet, Mapping[int, int], Collection[int]], Shares]

METHODS: dict[str, Method] = {
    "default": lambda labels, gold, trusted: infer(labels, gold=gold, trusted=trusted).posterior,
    # These know neither gold nor trust.
    "majority": lambda labels, gold, trusted: majority(labels),
    "wawa": lambda labels, gold, trusted: wawa(labels),
    "a2ap-0.1": lambda labels, gold, trusted: literal(labels),
}
