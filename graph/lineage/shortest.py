"""Shortest paths between two ends, from the crossings of a search from both sides.

Each side goes level by level and knows all of a level or nothing of it. So if a thing has been reached from both sides
for the first time, no path is shorter than the two distances together, and every path of that length goes through
exactly one of the things where the sides meet. No I/O: `graph.lineage.path` finds the neighbours.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from graph.lineage.walk import Identity, Relation


@dataclass(frozen=True, slots=True, order=True)
class Crossing:
    """A way to a thing from one nearer to the end of the side; `onward` goes from later to earlier."""

    near: Identity
    relation: Relation
    onward: bool


@dataclass(frozen=True, slots=True, order=True)
class Step:
    """A step of a path, to the thing `to`; `onward` if the previous thing rests on it."""

    to: Identity
    relation: Relation
    onward: bool


@dataclass(frozen=True, slots=True)
class Path:
    """The start of a path, and its steps."""

    start: Identity
    steps: tuple[Step, ...]


@dataclass(slots=True)
class Side:
    """The progress of a search from one end: the things reached, their distances, and the crossings."""

    depths: dict[Identity, int]
    frontier: list[Identity]
    depth: int = 0
    crossings: dict[Identity, set[Crossing]] = field(default_factory=lambda: defaultdict(set))

    @classmethod
    def at(cls, things: Iterable[Identity]) -> "Side":
        """Return a side that is still at its end."""
        ends = sorted(things)
        return cls(dict.fromkeys(ends, 0), ends)

    def take(self, found: Iterable[tuple[Identity, Crossing]]) -> None:
        """Add all neighbours of the frontier as the next level; things that were reached before are not part of it."""
        self.depth += 1
        for thing, crossing in found:
            if self.depths.setdefault(thing, self.depth) == self.depth:
                self.crossings[thing].add(crossing)
        self.frontier = sorted(thing for thing in self.crossings if self.depths[thing] == self.depth)


class ShortestPaths:
    """The shortest paths between the ends of two sides that have met, sorted by the things on them."""

    def __init__(self, ahead: Side, behind: Side) -> None:
        self._ahead, self._behind = ahead, behind
        common = ahead.depths.keys() & behind.depths.keys()
        lengths = {thing: ahead.depths[thing] + behind.depths[thing] for thing in common}
        self.length: int | None = min(lengths.values(), default=None)
        meets = sorted(thing for thing in common if lengths[thing] == self.length)
        self._steps: dict[Identity, set[Step]] = defaultdict(set)
        self._starts = sorted(self._trace_ahead(meets))
        self._trace_behind(meets)
        self._totals: dict[Identity, int] = {}

    @property
    def total(self) -> int:
        """Return the number of paths."""
        return sum(self._total(thing) for thing in self._starts)

    def __iter__(self) -> Iterator[Path]:
        """Yield the paths; the time for each is proportional to its length."""
        for start in self._starts:
            for steps in self._from(start):
                yield Path(start, steps)

    def _trace_ahead(self, meets: Iterable[Identity]) -> set[Identity]:
        """Record the steps that lead to the things where the sides meet; return the things where they begin."""
        left, seen, starts = list(meets), set(meets), set()
        while left:
            thing = left.pop()
            if self._ahead.depths[thing] == 0:
                starts.add(thing)
            for one in self._ahead.crossings.get(thing, ()):
                self._steps[one.near].add(Step(thing, one.relation, one.onward))
                if one.near not in seen:
                    seen.add(one.near)
                    left.append(one.near)
        return starts

    def _trace_behind(self, meets: Iterable[Identity]) -> None:
        left, seen = list(meets), set(meets)
        while left:
            thing = left.pop()
            for one in self._behind.crossings.get(thing, ()):
                self._steps[thing].add(Step(one.near, one.relation, not one.onward))
                if one.near not in seen:
                    seen.add(one.near)
                    left.append(one.near)

    def _total(self, thing: Identity) -> int:
        if thing not in self._totals:
            steps = self._steps.get(thing, ())
            self._totals[thing] = sum(self._total(step.to) for step in steps) if steps else 1
        return self._totals[thing]

    def _from(self, thing: Identity) -> Iterator[tuple[Step, ...]]:
        steps = self._steps.get(thing)
        if not steps:
            yield ()
            return
        for step in sorted(steps):
            for rest in self._from(step.to):
                yield (step, *rest)
