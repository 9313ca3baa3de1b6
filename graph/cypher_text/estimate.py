"""An estimate of the rows that a query makes at each step, from its text and the counts of labels and relationships.

The same numbers hold for both engines: the embedded one estimates nothing, and planning a query is itself work.

- A node that is in one row at most (`distinct`) is followed by as many rows as there are relationships of the type.
- Any other node is followed by `SKEW` times the average of its relationships of the type, up to all of them. If the
  average is one or less, and the type leads from one kind of node to another, it is followed by one.
- Nodes found by a unique property are one row. Conditions in WHERE do not reduce the estimate.

Nodes with far more relationships than `SKEW` times the average are underestimated; the time limit ends such a query.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

from graph.cypher_text.vocabulary import ends_of

SKEW = 16
"""Assumed relationships of a node that is in many rows, as a multiple of the average of its label."""

LINEAR = 4
"""Estimated rows allowed to any reader, as a multiple of the most frequent label or type: one pass over all."""


@dataclass(frozen=True, slots=True)
class Bound:
    """Nodes by label and relationships by type, and the estimated rows allowed to a query of this reader."""

    counts: Mapping[str, int]
    rows: int

    @property
    def most(self) -> int:
        """Return the estimated rows that a query may have at any step."""
        return max(self.rows, LINEAR * max(self.counts.values(), default=0))

    def count(self, names: Iterable[str]) -> int:
        """Return the number of nodes or relationships with one of these labels or types, 1 or more."""
        return max(1, sum(self.counts.get(name, 0) for name in names))

    def rarest(self, labels: Iterable[str]) -> int:
        """Return the count of the rarest of these labels that the graph has, 1 or more."""
        return min((number for label in labels if (number := self.counts.get(label, 0))), default=1)


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a pattern; `is_one` says that a unique property finds it."""

    name: str | None
    labels: frozenset[str]
    is_one: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """Relationships of a pattern, 1 to `hops` of them; `directions` are +1 from left to right and -1 back."""

    types: tuple[str, ...]
    hops: int
    directions: tuple[int, ...]


@dataclass(slots=True)
class Rows:
    """The estimated rows at one step, and the variables whose nodes are in at most one row."""

    number: int = 1
    distinct: set[str] = field(default_factory=set)


def follow_pattern(
    bound: Bound, rows: Rows, nodes: Sequence[Node], links: Sequence[Link], known: Iterable[str]
) -> None:
    """Add a pattern to the rows: from a known or unique node, otherwise from the cheaper of its ends."""
    names = set(known)
    starts = [place for place, one in enumerate(nodes) if one.name in names or one.is_one]
    found = [_followed(bound, rows, nodes, links, names, start) for start in starts or {0, len(nodes) - 1}]
    best = min(found, key=lambda one: one.number)
    rows.number, rows.distinct = best.number, best.distinct


def _followed(
    bound: Bound, rows: Rows, nodes: Sequence[Node], links: Sequence[Link], known: set[str], start: int
) -> Rows:
    first = nodes[start]
    walk = _Walk(bound, Rows(rows.number, set(rows.distinct)), set(known))
    walk.begin(first)
    for place in range(start, len(links)):
        walk.follow(nodes[place], links[place], nodes[place + 1], 1)
    for place in range(start - 1, -1, -1):
        walk.follow(nodes[place + 1], links[place], nodes[place], -1)
    walk.rows.distinct = {name for name in walk.rows.distinct if name is not None}
    return walk.rows


@dataclass(slots=True)
class _Walk:
    """One way through a pattern; the names of unnamed nodes are their places in memory."""

    bound: Bound
    rows: Rows
    known: set[str]

    def begin(self, node: Node) -> None:
        """Find the first node."""
        if node.name in self.known:
            return
        number = 1 if node.is_one else self.bound.count(node.labels)
        alone = self.rows.number == 1
        if number > 1:
            self.rows.distinct.clear()
        self.rows.number *= number
        if alone:
            self.rows.distinct.add(_name(node))
        self.known.add(_name(node))

    def follow(self, near: Node, link: Link, far: Node, side: int) -> None:
        """Follow relationships from a found node to the next."""
        if far.name in self.known:
            return  # a condition on the existence of something
        made = sum(self._made(near, link.types, side * way, link.hops) for way in link.directions)
        back = all(self._average(far, link.types, -side * way) <= 1 for way in link.directions)
        is_from_one = _name(near) in self.rows.distinct
        grows = made > self.rows.number or link.hops > 1
        if grows:
            self.rows.distinct.clear()
        self.rows.number = max(made, 1)
        if is_from_one and back and link.hops == 1 and not _is_loop(link.types):
            self.rows.distinct.add(_name(far))
        self.known.add(_name(far))

    def _made(self, near: Node, types: tuple[str, ...], way: int, hops: int) -> int:
        count, average = self.bound.count(types), self._average(near, types, way)
        each = 1 if average <= 1 and not _is_loop(types) else min(count, SKEW * ceil(average))
        if hops == 1 and _name(near) in self.rows.distinct:
            most = each if each == 1 else SKEW * each
            return max(self.rows.number, min(count, self.rows.number * most))
        paths = sum(int(each**hop) for hop in range(1, hops + 1))
        return self.rows.number * paths

    def _average(self, near: Node, types: tuple[str, ...], way: int) -> float:
        labels = ends_of(types)[0 if way > 0 else 1]
        # Of a node with one of several labels, all relationships may be at the rarest.
        return self.bound.count(types) / self.bound.rarest(labels & near.labels or labels)


def _is_loop(types: tuple[str, ...]) -> bool:
    starts, ends = ends_of(types)
    return bool(starts & ends)


def _name(node: Node) -> str:
    return node.name if node.name is not None else f" {id(node)}"
