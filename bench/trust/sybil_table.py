"""Accuracy under fake identities, for the default with and without the operator's knowledge."""

from collections.abc import Iterator
from itertools import product
from statistics import mean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.trust.crowd import Crowd
from bench.trust.crowd_kit import CrowdKit
from bench.trust.methods import METHODS
from bench.trust.run import accuracies
from bench.trust.sybil import Attack, Attacked, Threat, attack_crowd

ATTACKS = (Attack.BLUNT, Attack.CAMOUFLAGED)
SHARES = (0.0, 0.2, 0.4, 0.6)
SEEDS = (0, 1, 2)
TRUSTED, GOLD = 3, 0.1
# The default is asked three times: with all that the operator knows, with the trusted workers only, with nothing.
_WAYS = ("default", "default, trusted only", "default, nothing known", "majority", "wawa", "crowd-kit DawidSkene")

Ways = dict[str, dict[str, float | None]]


def measure_sybil(sets: dict[str, Crowd], kit: CrowdKit) -> dict[str, Any]:
    """Return mean and least accuracy over the seeds by set, attack and share of fakes, and the loss without fakes."""
    rows = [
        _summary(name, attack, share, [run_ways(crowd, threat, kit) for threat in _threats(attack, share)])
        for (name, crowd), attack, share in product(sets.items(), ATTACKS, SHARES)
    ]
    return {"trusted": TRUSTED, "gold": GOLD, "random_seeds": list(SEEDS), "rows": rows, "loss": _losses(rows)}


def run_ways(crowd: Crowd, threat: Threat, kit: CrowdKit) -> Ways:
    """Return both accuracies of each way on one attacked crowd."""
    attacked = attack_crowd(crowd, threat)
    return {way: accuracies(attacked, _shares(way, attacked, kit)) for way in _WAYS}


def _threats(attack: Attack, share: float) -> Iterator[Threat]:
    for seed in SEEDS:
        yield Threat(sybil=share, attack=attack, trusted=TRUSTED, gold=GOLD, random_seed=seed)


def _shares(way: str, attacked: Attacked, kit: CrowdKit) -> NDArray[np.float64]:
    if way.startswith("crowd-kit"):
        return kit.shares(attacked.crowd, way.partition(" ")[2])
    gold = attacked.gold if way == "default" else {}
    trusted = attacked.trusted if way in ("default", "default, trusted only") else frozenset[int]()
    return METHODS[way.partition(",")[0]](attacked.crowd.label_set, gold, trusted)


def _summary(name: str, attack: Attack, share: float, runs: list[Ways]) -> dict[str, Any]:
    return {
        "set": name,
        "attack": attack.value,
        "sybil": share,
        "ways": {
            way: {figure: _mean([run[way][figure] for run in runs]) for figure in ("accuracy", "accuracy_without_gold")}
            | {"least": min((run[way]["accuracy"] or 0.0) for run in runs)}
            for way in _WAYS
        },
    }


def _mean(figures: list[float | None]) -> float:
    return round(mean(figure for figure in figures if figure is not None), 3)


def _losses(rows: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Return by set the points lost by knowing gold and trusted workers without fakes; below 0 is a gain.

    `accuracy_without_gold` counts the items that are not gold, the same for both, since gold is right by definition.
    """
    return {
        row["set"]: {
            figure: round(row["ways"]["default, nothing known"][figure] - row["ways"]["default"][figure], 3)
            for figure in ("accuracy", "accuracy_without_gold")
        }
        for row in rows
        if row["sybil"] == 0 and row["attack"] == Attack.BLUNT
    }
