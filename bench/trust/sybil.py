"""Fake identities among the workers of a crowd, and the operator's knowledge: gold labels and trusted workers.

- The fakes are the share `f` of all identities: `round(f / (1 − f) × real workers)` of them.
- A fake is as active as a worker drawn from the real ones, on items drawn without repetition and as often as the real
  workers label them.
- *Blunt*: each item has one wrong label, drawn once, and all fakes always give it.
- *Camouflaged*: a fifth of the items with known truth are targets, on which all fakes tell the same lie. Elsewhere they
  draw their labels from the pooled confusion of the real workers, given the truth.
- *Insider*: the fakes know the gold and answer it rightly; to every other item they give the same wrong label.
- Identities are shuffled, and so are the verdicts: neither number nor place tells a fake.
- Gold is drawn uniformly from the items with known truth, targets included. Trusted workers are drawn uniformly from
  the real ones, regardless of their accuracy and activity.

The draws of gold, trust and targets depend on the seed alone, so that they are the same in runs with more fakes or
other methods.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from bench.trust.crowd import UNKNOWN, Crowd, with_workers

TARGETS = 0.2  # of the items with known truth


class Attack(StrEnum):
    """The strategies of fakes."""

    BLUNT = "blunt"
    CAMOUFLAGED = "camouflaged"
    INSIDER = "insider"


@dataclass(frozen=True, slots=True)
class Threat:
    """The assumptions of a run: share of fakes, their strategy, and the operator's knowledge; shares are in [0, 1)."""

    sybil: float = 0.0
    attack: Attack = Attack.BLUNT
    trusted: int = 0
    gold: float = 0.0
    random_seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Attacked:
    """A crowd with fakes; `counted` are the items in the accuracy: targets if camouflaged, else all of known truth."""

    crowd: Crowd
    fakes: NDArray[np.int64]
    gold: dict[int, int]
    trusted: frozenset[int]
    counted: NDArray[np.int64]


def attack_crowd(crowd: Crowd, threat: Threat) -> Attacked:
    """Add the fakes, shuffle all identities and draw the operator's gold and trusted workers."""
    for_targets, for_gold, for_trust, for_fakes, for_order = (
        np.random.default_rng(seed) for seed in np.random.SeedSequence(threat.random_seed).spawn(5)
    )
    known = crowd.known
    targets = np.sort(for_targets.permutation(known)[: round(TARGETS * len(known))])
    gold = for_gold.permutation(known)[: round(threat.gold * len(known))]
    trusted = for_trust.permutation(len(crowd.workers))[: threat.trusted]
    lies = draw_lies(crowd, for_fakes)
    camouflaged = threat.attack is Attack.CAMOUFLAGED
    item, fake = draw_activity(crowd, count_fakes(len(crowd.workers), threat.sybil), for_fakes)
    label = lies[item]
    if camouflaged:
        honest = ~np.isin(item, targets)
        label[honest] = draw_honest_labels(crowd, item[honest], for_fakes)
    if threat.attack is Attack.INSIDER:
        label = np.where(np.isin(item, gold), crowd.truth[item], label)
    mixed, place = _mix(crowd, item, fake, label, for_order)
    return Attacked(
        crowd=mixed,
        fakes=np.sort(place[len(crowd.workers) :]),
        gold=dict(zip(gold.tolist(), crowd.truth[gold].tolist(), strict=True)),
        trusted=frozenset(place[trusted].tolist()),
        counted=targets if camouflaged else known,
    )


def count_fakes(workers: int, share: float) -> int:
    """Return the number of fakes that make up the share of all identities."""
    return round(share / (1 - share) * workers)


def draw_lies(crowd: Crowd, random: np.random.Generator) -> NDArray[np.int64]:
    """Return a wrong label for each item, uniform over the wrong ones; any label if the truth is unknown."""
    names = len(crowd.names)
    step = random.integers(1, max(names, 2), size=len(crowd.items))
    anything = random.integers(0, names, size=len(crowd.items))
    return np.where(crowd.truth == UNKNOWN, anything, (crowd.truth + step) % names)


def draw_activity(crowd: Crowd, fakes: int, random: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the items that the fakes label and, parallel to them, the number of the fake."""
    activity = np.bincount(crowd.worker, minlength=len(crowd.workers))
    popularity = np.log(np.bincount(crowd.item, minlength=len(crowd.items)))
    items: list[NDArray[np.int64]] = []
    for amount in random.choice(activity, size=fakes):
        # The largest of log-weights + Gumbel noise are a weighted draw without replacement.
        order = np.argsort(-(popularity + random.gumbel(size=len(popularity))))
        items.append(order[:amount])
    who = np.repeat(np.arange(fakes), [len(drawn) for drawn in items]).astype(np.int64)
    return np.concatenate([np.empty(0, dtype=np.int64), *items]), who


def draw_honest_labels(crowd: Crowd, item: NDArray[np.int64], random: np.random.Generator) -> NDArray[np.int64]:
    """Return labels drawn as the pooled real workers label that truth; if it is unknown, as they labelled the item."""
    names = len(crowd.names)
    truth = crowd.truth[crowd.item]
    pooled = np.zeros((names, names))
    np.add.at(pooled, (truth[truth != UNKNOWN], crowd.label[truth != UNKNOWN]), 1.0)
    pooled[pooled.sum(axis=1) == 0] = 1.0  # a truth that no labelled item has
    own = np.zeros((len(crowd.items), names))
    np.add.at(own, (crowd.item, crowd.label), 1.0)
    weights = np.where((crowd.truth[item] == UNKNOWN)[:, None], own[item], pooled[crowd.truth[item]])
    below = np.cumsum(weights, axis=1)
    drawn = random.random(len(item)) * below[:, -1]
    found: NDArray[np.int64] = (drawn[:, None] >= below).sum(axis=1).astype(np.int64)
    return found


def _mix(
    crowd: Crowd,
    item: NDArray[np.int64],
    fake: NDArray[np.int64],
    label: NDArray[np.int64],
    random: np.random.Generator,
) -> tuple[Crowd, NDArray[np.int64]]:
    """Return the crowd with the fakes, and each identity's new number: first the real workers', then the fakes'."""
    real = len(crowd.workers)
    fakes = int(fake.max()) + 1 if len(fake) else 0
    place = random.permutation(real + fakes).astype(np.int64)
    names = np.empty(real + fakes, dtype=object)
    names[place] = [*crowd.workers, *_fake_names(crowd, fakes)]
    order = random.permutation(len(crowd.item) + len(item))
    return with_workers(
        crowd,
        workers=tuple(names.tolist()),
        item=np.concatenate([crowd.item, item])[order],
        worker=place[np.concatenate([crowd.worker, real + fake])][order],
        label=np.concatenate([crowd.label, label])[order],
    ), place


def _fake_names(crowd: Crowd, fakes: int) -> list[str]:
    """Return names that no worker has."""
    prefix = "fake"
    while any(worker.startswith(prefix) for worker in crowd.workers):
        prefix += "-"
    return [f"{prefix}{number}" for number in range(fakes)]
