"""The parts of a row: the place of each value in an answer, and its column.

Nested objects become columns with dotted names. A list of objects stays one column, of objects as flat as a row, unless
it is exploded: then the row is there once for each of its elements, and once with nothing if it has none.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from a2ap.errors import FieldError, FrameError
from a2ap.times import parse_instant

Row = dict[str, Any]


class Kind(StrEnum):
    """The kind of a column's values; OTHER is any JSON."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    TRUTH = "truth"
    TIME = "time"
    CATEGORY = "category"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Part:
    """A value of a row, or a list of values (`many`).

    `path` leads to it from the object that is the row, `name` is that of its column. `parts` are those of the objects
    that it is a list of; without any, its values are of one `kind`, those of CATEGORY among `categories`. `more` leads
    to the flag that says that the list goes on, and is empty if there is none.
    """

    path: tuple[str, ...]
    name: str
    kind: Kind = Kind.OTHER
    categories: tuple[str, ...] = ()
    many: bool = False
    parts: "tuple[Part, ...]" = ()
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, and the part whose values it holds; `listed` if each of them is a list."""

    name: str
    part: Part
    listed: bool


def columns_of(parts: Sequence[Part], exploded: Collection[str]) -> tuple[Column, ...]:
    """Return the columns of rows of these parts, in their order. Raises FrameError if two have one name."""
    columns = tuple(_columns(parts, exploded, ""))
    names: set[str] = set()
    for column in columns:
        if column.name in names:
            raise FrameError(f"two columns are called {column.name}: one of them needs an alias")
        names.add(column.name)
    return columns


def check_exploded(parts: Sequence[Part], exploded: Sequence[str]) -> None:
    """Raise FrameError if a name in `exploded` is not a list of a row, or stands beside another one."""
    lists = tuple(_lists(parts, ""))
    for name in exploded:
        if name not in lists:
            raise FrameError(f"a row has no list {name!r}: it has {', '.join(lists) or 'none'}")
        for other in exploded:
            if not (_is_within(name, other) or _is_within(other, name)):
                raise FrameError(f"{name} and {other} stand beside each other: only one of them can be exploded")


def rows_of(value: Any, parts: Sequence[Part], exploded: Collection[str] = (), prefix: str = "") -> list[Row]:
    """Return an object of an answer as rows: one, or one for each element of the exploded lists."""
    rows: list[Row] = [{}]
    for part in parts:
        found, name = at(value, part.path), f"{prefix}{part.name}"
        if part.many and name in exploded:
            # Nothing to explode leaves a row, with nothing in these columns.
            elements = [row for one in found or [None] for row in _element(one, part, exploded, name)]
        else:
            elements = [{name: _typed(part, found)}]
        rows = [row | element for row in rows for element in elements]
    return rows


def cut_off(value: Any, parts: Sequence[Part], prefix: str = "") -> Iterator[str]:
    """Yield the names of the lists of a row that continue beyond the answer."""
    for part in parts:
        name = f"{prefix}{part.name}"
        if part.more and at(value, part.more) is True:
            yield name
        for one in (at(value, part.path) or ()) if part.parts else ():
            yield from cut_off(one, part.parts, f"{name}.")


def _element(value: Any, part: Part, exploded: Collection[str], name: str) -> list[Row]:
    return rows_of(value, part.parts, exploded, f"{name}.") if part.parts else [{name: _single(part, value)}]


def _columns(parts: Sequence[Part], exploded: Collection[str], prefix: str) -> Iterator[Column]:
    for part in parts:
        name = f"{prefix}{part.name}"
        if part.parts and name in exploded:
            yield from _columns(part.parts, exploded, f"{name}.")
        else:
            yield Column(name, part, part.many and name not in exploded)


def _lists(parts: Sequence[Part], prefix: str) -> Iterator[str]:
    for part in parts:
        if part.many:
            yield f"{prefix}{part.name}"
            yield from _lists(part.parts, f"{prefix}{part.name}.")


def _is_within(name: str, other: str) -> bool:
    return name == other or name.startswith(f"{other}.")


def at(value: Any, path: Sequence[str]) -> Any:
    """Return the value at a path in objects within each other, None if it ends early."""
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _typed(part: Part, value: Any) -> Any:
    if value is None or not part.many:
        return _single(part, value)
    return [rows_of(one, part.parts)[0] if part.parts else _single(part, one) for one in value]


def _single(part: Part, value: Any) -> Any:
    if value is None:
        return None
    if part.kind is Kind.TIME:
        try:
            return parse_instant(value)
        except FieldError as error:
            raise FrameError(f"the platform gave {value!r} for a time") from error
    return float(value) if part.kind is Kind.NUMBER else value
