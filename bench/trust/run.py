"""One run: the accuracy of a method on a crowd under a threat."""

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.trust.accuracy import credit, percent
from bench.trust.crowd import UNKNOWN, Crowd
from bench.trust.methods import METHODS
from bench.trust.sybil import Attacked, Threat, attack_crowd


def measure_run(crowd: Crowd, method: str, threat: Threat) -> dict[str, Any]:
    """Return the accuracy of one method with all assumptions of the run and the numbers of items left out."""
    attacked = attack_crowd(crowd, threat)
    started = time.perf_counter()
    shares = METHODS[method](attacked.crowd.label_set, attacked.gold, attacked.trusted)
    seconds = time.perf_counter() - started
    return {
        "method": method,
        **accuracies(attacked, shares),
        "items": len(crowd.items),
        "items_counted": len(attacked.counted),
        "items_without_truth": int((crowd.truth == UNKNOWN).sum()),
        "truth_without_labels": crowd.unlabelled,
        "labels": len(crowd.names),
        "repeated_lines": crowd.repeated,
        "workers": len(crowd.workers),
        "verdicts": len(crowd.item),
        "sybil": threat.sybil,
        "attack": threat.attack.value,
        "fakes": len(attacked.fakes),
        "verdicts_of_fakes": len(attacked.crowd.item) - len(crowd.item),
        "trusted": len(attacked.trusted),
        "gold": len(attacked.gold),
        "random_seed": threat.random_seed,
        "seconds": round(seconds, 4),
    }


def accuracies(attacked: Attacked, shares: NDArray[np.float64]) -> dict[str, float | None]:
    """Return the accuracy in per cent over the counted items, and over those of them that are not gold.

    A method that knows the gold answers those items right by definition: the second figure leaves them out.
    """
    credits = credit(shares[attacked.counted], attacked.crowd.truth[attacked.counted])
    learnt = ~np.isin(attacked.counted, np.fromiter(attacked.gold, dtype=np.int64, count=len(attacked.gold)))
    return {"accuracy": percent(credits), "accuracy_without_gold": percent(credits[learnt])}
