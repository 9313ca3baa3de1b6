"""The accuracy of every method on the label sets of a folder, beside crowd-kit's in the same run."""

from pathlib import Path
from typing import Any

from bench.trust import crowd_kit
from bench.trust.accuracy import credit, percent
from bench.trust.crowd import Crowd, CrowdError, read_crowd
from bench.trust.crowd_kit import CrowdKit
from bench.trust.methods import METHODS


def read_sets(folder: Path) -> dict[str, Crowd]:
    """Read each set of the folder, `<set>/label.csv` and `<set>/truth.csv`, by name; raises `CrowdError`."""
    found = sorted(path.parent for path in folder.glob("**/label.csv") if path.with_name("truth.csv").exists())
    if not found:
        raise CrowdError(f"{folder} has no folder with a label.csv and a truth.csv")
    return {path.name: read_crowd(path / "label.csv", path / "truth.csv") for path in found}


def measure_sets(sets: dict[str, Crowd], kit: CrowdKit) -> dict[str, Any]:
    """Return each set's size and accuracies in per cent, their means, and the lead of the default over the others.

    The best of the others is the method whose mean over the sets is highest.
    """
    measured = {name: measure_set(crowd, kit) for name, crowd in sets.items()}
    methods = next(iter(measured.values()))["accuracy"]
    means = {
        method: round(sum(found["accuracy"][method] for found in measured.values()) / len(measured), 3)
        for method in methods
    }
    others = [method for method in methods if method.startswith("crowd-kit")]
    best = max(others, key=lambda method: means[method])
    return {
        "sets": measured,
        "mean": means,
        "least_over_majority": round(
            min(found["accuracy"]["default"] - found["accuracy"]["majority"] for found in measured.values()), 3
        ),
        "best_of_crowd_kit": best,
        "mean_over_best": round(means["default"] - means[best], 3),
    }


def measure_set(crowd: Crowd, kit: CrowdKit) -> dict[str, Any]:
    """Return one set's size and the accuracy of each method in per cent."""
    return {
        "items": len(crowd.items),
        "workers": len(crowd.workers),
        "labels": len(crowd.names),
        "verdicts": len(crowd.item),
        "accuracy": _accuracies(crowd, kit),
    }


def _accuracies(crowd: Crowd, kit: CrowdKit) -> dict[str, float | None]:
    ours = {name: method(crowd.label_set, {}, ()) for name, method in METHODS.items()}
    theirs = {f"crowd-kit {name}": kit.shares(crowd, name) for name in crowd_kit.METHODS}
    known = crowd.known
    return {name: percent(credit(shares[known], crowd.truth[known])) for name, shares in {**ours, **theirs}.items()}
