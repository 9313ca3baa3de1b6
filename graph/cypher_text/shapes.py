"""Shapes of expressions: a node of which labels, a number, a list, and the number of values in it.

A shape is known before the query runs. It decides which properties can be read, and how large a value can get.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from graph.dictionary.term import Kind as PropertyKind

_NODE_VALUES = 10


class Kind(StrEnum):
    """The kind of a value; ANY is a value without readable parts."""

    NODE = "node"
    RELATIONSHIP = "relationship"
    PATH = "path"
    NUMBER = "number"
    TIME = "time"
    DURATION = "duration"
    SCALAR = "text or truth value"
    LIST = "list"
    MAP = "map"
    NULL = "null"
    ANY = "value"

    @property
    def word(self) -> str:
        """Return the word for it in responses."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind, with the labels or types of a node or relationship, the elements of a list or the members of a map.

    `values` is the maximum number of single values in it, `count` the maximum number of elements of a list. `labels` of
    a path are those of its nodes, and `types` those of its relationships.
    """

    kind: Kind
    labels: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    values: int = 1
    count: int = 0
    item: "Shape | None" = None
    members: Mapping[str, "Shape"] = field(default_factory=dict)


SCALAR, NUMBER, TIME, DURATION, NULL, ANY = (
    Shape(kind) for kind in (Kind.SCALAR, Kind.NUMBER, Kind.TIME, Kind.DURATION, Kind.NULL, Kind.ANY)
)


def node(labels: Iterable[str]) -> Shape:
    """Return the shape of a node with one of these labels."""
    return Shape(Kind.NODE, frozenset(labels), values=_NODE_VALUES)


def relationship(types: Iterable[str]) -> Shape:
    """Return the shape of a relationship of one of these types."""
    return Shape(Kind.RELATIONSHIP, types=frozenset(types), values=_NODE_VALUES)


def path(labels: Iterable[str], types: Iterable[str], hops: int) -> Shape:
    """Return the shape of a path of up to `hops` relationships."""
    return Shape(Kind.PATH, frozenset(labels), frozenset(types), values=_NODE_VALUES * (2 * hops + 1), count=hops)


def list_of(item: Shape, count: int) -> Shape:
    """Return the shape of a list of up to `count` items."""
    return Shape(Kind.LIST, item=item, count=count, values=max(1, item.values * count))


def map_of(members: Mapping[str, Shape]) -> Shape:
    """Return the shape of a map."""
    return Shape(Kind.MAP, members=dict(members), values=1 + sum(one.values for one in members.values()))


def either(shapes: Sequence[Shape]) -> Shape:
    """Return the shape of a value that has one of these shapes: only their common parts can be read."""
    known = [one for one in shapes if one.kind is not Kind.NULL]
    if not known:
        return NULL
    first, values = known[0], max(one.values for one in known)
    if any(one.kind is not first.kind for one in known):
        return Shape(Kind.ANY, values=values)
    if first.kind is Kind.LIST:
        items = [one.item for one in known if one.item is not None]
        item = either(items) if items else SCALAR
        return Shape(Kind.LIST, item=item, count=max(one.count for one in known), values=values)
    if first.kind is Kind.MAP:
        # A member that only one of them has may be anything in the other.
        names = set.intersection(*(set(one.members) for one in known))
        members = {name: either([one.members[name] for one in known]) for name in names}
        return Shape(Kind.MAP, members=members, values=values)
    labels = frozenset(label for one in known for label in one.labels)
    types = frozenset(type for one in known for type in one.types)
    return Shape(first.kind, labels, types, values, max(one.count for one in known))


def shape_of(value: Any) -> Shape:
    """Return the shape of a parameter's value."""
    if value is None:
        return NULL
    if isinstance(value, bool):
        return SCALAR
    if isinstance(value, (int, float)):
        return NUMBER
    if isinstance(value, Mapping):
        return map_of({str(name): shape_of(member) for name, member in value.items()})
    if isinstance(value, (list, tuple)):
        return list_of(either([shape_of(item) for item in value]) if value else SCALAR, len(value))
    return SCALAR


SHAPES = {
    PropertyKind.TEXT: SCALAR,
    PropertyKind.INTEGER: NUMBER,
    PropertyKind.FLOAT: NUMBER,
    PropertyKind.BOOLEAN: SCALAR,
    PropertyKind.TIME: TIME,
    PropertyKind.TEXTS: list_of(SCALAR, 1),
    PropertyKind.INTEGERS: list_of(NUMBER, 1),
    PropertyKind.FLOATS: list_of(NUMBER, 1),
}
"""The shape of a property, by the kind of its values in the dictionary."""
