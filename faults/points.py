"""The points of a run, all drawn from a seed: the process to kill and the moment.

Nothing in the platform knows of them. A moment is a time, or an event visible from outside: a response, the file of a
document, a change of the engine's transaction log, a new stored checkpoint.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

WORLD = 25
"""The number of consecutive points on one data folder; then its graph is rebuilt and compared."""


class Target(StrEnum):
    """The process to kill."""

    PROCESS = "process"
    ENGINE = "engine"
    BOTH = "both"


class Moment(StrEnum):
    """The event that a kill waits for."""

    TIME = "time"
    ANSWER = "answer"
    BYTES = "bytes"
    JOURNAL = "journal"
    CHECKPOINT = "checkpoint"


@dataclass(frozen=True, slots=True)
class Point:
    """One kill: `delay` seconds after the `occurrence`-th such moment of the load (0 if the moment is a time).

    A platform that starts again is killed once more `again` seconds after its start began, if that is given.
    """

    number: int
    engine: str
    target: Target
    moment: Moment
    occurrence: int
    delay: float
    again: float | None


def draw_points(seed: int, counts: Mapping[Target, int], engines: Sequence[str]) -> list[Point]:
    """Return the points of a run in order; the same arguments give the same points.

    The engines take turns, one world each.
    """
    targets = [target for target, count in counts.items() for _ in range(count)]
    Random(f"a2ap faults {seed}").shuffle(targets)
    return [
        _draw(Random(f"a2ap fault {seed} {number}"), number, engines[number // WORLD % len(engines)], target)
        for number, target in enumerate(targets)
    ]


def _draw(random: Random, number: int, engine: str, target: Target) -> Point:
    moment = random.choices(tuple(Moment), weights=(2, 2, 2, 3, 3))[0]
    occurrence, delay = random.randint(1, 30), random.choice((0.0, random.uniform(0, 0.004)))
    if moment is Moment.TIME:
        occurrence, delay = 0, random.uniform(0.02, 0.5)
    again = random.uniform(0.05, 1.0) if target is not Target.ENGINE and random.random() < 0.1 else None
    return Point(number, engine, target, moment, occurrence, delay, again)
