"""Causal order: each name after all names that it comes from, except in circles.

In a circle names come from one another, each way round, and one has to be first. That is one of the circle, and no name
that comes from the circle.
"""

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any, TypeVar

Name = TypeVar("Name", bound=tuple[str, ...])


def causal_order(
    waits: Mapping[Name, Set[Name]],
    follows: Mapping[Name, Sequence[Name]],
    place: Callable[[Name], tuple[Any, ...]],
) -> Iterator[Name]:
    """Yield names so that each comes after all that it waits for, the lowest place first if there is a choice."""
    left = {name: set(causes) for name, causes in waits.items()}
    ready = [(place(name), name) for name, causes in left.items() if not causes]
    heapq.heapify(ready)
    while left:
        if not ready:  # a circle, of which something has to be first; nodes that come from it are not
            ready = [min((place(name), name) for name in _first_circle(min(left, key=place), left))]
        _, name = heapq.heappop(ready)
        if left.pop(name, None) is None:
            continue
        yield name
        for effect in follows.get(name, ()):
            if effect in left:
                left[effect].discard(name)
                if not left[effect]:
                    heapq.heappush(ready, (place(effect), effect))


def _first_circle(start: Name, causes: Mapping[Name, Set[Name]]) -> list[Name]:
    """Return a circle that a name comes from, or is in, and that comes from nothing else.

    A name that comes from nothing is a circle by itself. It is Tarjan's walk, ended at the first complete component:
    until then everything visited is on its stack.
    """
    numbers, lowest, met = {start: 0}, {start: 0}, [start]
    path = [(start, iter(sorted(causes[start])))]
    while True:
        name, rest = path[-1]
        fresh = None
        for cause in rest:
            if cause not in numbers:
                fresh = cause
                break
            lowest[name] = min(lowest[name], numbers[cause])
        if fresh is not None:
            numbers[fresh] = lowest[fresh] = len(numbers)
            met.append(fresh)
            path.append((fresh, iter(sorted(causes[fresh]))))
        elif lowest[name] == numbers[name]:
            return met[numbers[name] :]
        else:
            path.pop()
            lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[name])
