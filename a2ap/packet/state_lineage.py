"""The order of the states of the substrate: the text says "downstream of" and leaves references opaque.

Downstream of a state are: the state itself; a state that a disposition made from a downstream one; and a version of
the same thing with a later number or date, for references of the form `name@v9`, `name@12`, `name@2026-07-04`, with or
without `#` and more after it. Two references that nothing joins are not downstream of one another.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Version = tuple[int, ...]

_VERSIONED = re.compile(
    r"(?P<name>.+)@(?P<version>v?[0-9]{1,18}(?:\.[0-9]{1,9}){0,3}|[0-9]{4}-[0-9]{2}-[0-9]{2})(?:#.*)?"
)


@dataclass(frozen=True, slots=True)
class Downstream:
    """The states that come after one, itself among them, and the oldest version among these of each versioned thing."""

    states: frozenset[str]
    oldest: Mapping[tuple[str, bool], Version]

    def has(self, state: str) -> bool:
        """Say whether a state is one of these, or a later version of one."""
        if state in self.states:
            return True
        found = read_version(state)
        oldest = self.oldest.get(found[0]) if found is not None else None
        return found is not None and oldest is not None and found[1] > oldest


@dataclass(frozen=True, slots=True)
class StateLineage:
    """The states that dispositions made, each from the states that the packet was assembled from."""

    made: Mapping[str, frozenset[str]]
    _found: dict[str, Downstream] = field(default_factory=dict, compare=False, repr=False)

    def downstream_of(self, state: str) -> Downstream:
        """Return all states that come after a state."""
        if state not in self._found:
            self._found[state] = self._walk_from(state)
        return self._found[state]

    def _walk_from(self, state: str) -> Downstream:
        pending, states = [state], {state}
        while pending:
            new = self.made.get(pending.pop(), frozenset()) - states
            states |= new
            pending.extend(new)
        oldest: dict[tuple[str, bool], Version] = {}
        for thing, version in filter(None, map(read_version, states)):
            oldest[thing] = min(version, oldest.get(thing, version))
        return Downstream(frozenset(states), oldest)


def read_lineage(steps: Iterable[tuple[Iterable[str], str]]) -> StateLineage:
    """Return the lineage of steps, each the states that a packet came from and the one that a disposition made."""
    made: dict[str, set[str]] = {}
    for sources, result in steps:
        for source in sources:
            made.setdefault(source, set()).add(result)
    return StateLineage({source: frozenset(results - {source}) for source, results in made.items()})


def read_version(state: str) -> tuple[tuple[str, bool], Version] | None:
    """Return the thing of which a state is a version, if by dates, and the version; `None` for an opaque reference."""
    match = _VERSIONED.fullmatch(state[:1024])
    if match is None:
        return None
    version, by_date = match["version"], "-" in match["version"]
    parts = version.split("-") if by_date else version.removeprefix("v").split(".")
    return (match["name"], by_date), tuple(map(int, parts))
