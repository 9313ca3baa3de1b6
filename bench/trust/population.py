"""A simulated population of verifying agents with known truth, to compare estimates with.

- A claim is right with probability `right`.
- An agent says PASS (1) of a right claim with its sensitivity, drawn from Beta(8, 2), and FAIL (0) of a wrong one with
  its specificity, drawn from Beta(7, 3): able on the average, weaker at refusing than at accepting, no two alike.
- Activity is uneven: an agent's share of the verdicts is log-normal (σ = 1), and no agent gives fewer than `least`.
- An agent's claims are drawn uniformly, none twice; given the truth, its errors are independent of all others'.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.trust.crowd import Crowd

SENSITIVITY = (8.0, 2.0)
SPECIFICITY = (7.0, 3.0)
FAIL, PASS = 0, 1


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a population; `each` is the mean number of verdicts on a claim."""

    agents: int = 200
    claims: int = 4_000
    each: float = 5.0
    right: float = 0.6
    least: int = 20


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """The verdicts of all agents as a crowd, and the agents' true sensitivity and specificity."""

    crowd: Crowd
    sensitivity: NDArray[np.float64]
    specificity: NDArray[np.float64]


def draw_population(size: Size, random: np.random.Generator) -> Population:
    """Draw agents, claims and verdicts."""
    truth = (random.random(size.claims) < size.right).astype(np.int64)
    sensitivity = random.beta(*SENSITIVITY, size=size.agents)
    specificity = random.beta(*SPECIFICITY, size=size.agents)
    activity = _draw_activity(size, random)
    item = np.concatenate([random.permutation(size.claims)[:amount] for amount in activity])
    worker = np.repeat(np.arange(size.agents), activity)
    passes = np.where(truth[item] == PASS, sensitivity[worker], 1 - specificity[worker])
    return Population(
        crowd=Crowd(
            items=tuple(str(number) for number in range(size.claims)),
            workers=tuple(str(number) for number in range(size.agents)),
            names=("0", "1"),
            item=item.astype(np.int64),
            worker=worker.astype(np.int64),
            label=(random.random(len(item)) < passes).astype(np.int64),
            truth=truth,
        ),
        sensitivity=sensitivity,
        specificity=specificity,
    )


def _draw_activity(size: Size, random: np.random.Generator) -> NDArray[np.int64]:
    share = random.lognormal(0.0, 1.0, size=size.agents)
    total = round(size.claims * size.each)
    activity: NDArray[np.int64] = np.clip(np.round(share / share.sum() * total), size.least, size.claims).astype(
        np.int64
    )
    # The most active one takes what rounding left over, so that there are as many verdicts as were asked for.
    busiest = activity.argmax()
    activity[busiest] = np.clip(activity[busiest] + total - activity.sum(), size.least, size.claims)
    return activity
