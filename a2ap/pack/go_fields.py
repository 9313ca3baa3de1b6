"""Values read into members of a kind, as Go reads JSON into structs, also if names are doubled or in another case.

A doubled name is read into the value that is there already: a text is replaced, an object is continued, and the
items of a list are continued one by one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from a2ap.pack.errors import FieldError, PackTimeError
from a2ap.pack.go_json import Members, Number, clean_text
from a2ap.pack.go_time import NO_TIME, rewrite_time

_INTEGERS = range(-(2**63), 2**63)


class Kind(Enum):
    """The kind of a member."""

    TEXT = auto()
    INTEGER = auto()
    TRUTH = auto()
    TIME = auto()
    VALUES = auto()  # an object with anything in it
    TEXTS = auto()  # an object of texts


@dataclass(frozen=True, slots=True)
class Object:
    """An object with known members."""

    members: Mapping[str, "Shape"]


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of objects."""

    item: Object


Shape = Kind | Object | ListOf

_NOTHING: dict[Kind, Any] = {
    Kind.TEXT: "",
    Kind.INTEGER: 0,
    Kind.TRUTH: False,
    Kind.TIME: NO_TIME,
    Kind.VALUES: None,
    Kind.TEXTS: None,
}


def read_members(shape: Object, value: Any) -> dict[str, Any]:
    """Read an object with known members; missing ones have Go's zero value. Raises FieldError."""
    found: dict[str, Any] = plain(_into(shape, value, nothing(shape), ""))
    return found


def nothing(shape: Shape) -> Any:
    """Return the value of a member that is missing, Go's zero value."""
    if isinstance(shape, Object):
        return {name: nothing(inner) for name, inner in shape.members.items()}
    return None if isinstance(shape, ListOf) else _NOTHING[shape]


def read_any(value: Any, path: str) -> Any:
    """Read a value of any kind: numbers are doubles, and of two members of one name the last one counts."""
    if isinstance(value, Number):
        double = float(value)
        if double in (float("inf"), float("-inf")):
            raise FieldError(f"{path} is {value[:40]}, which a double cannot hold")
        return double
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, Members):
        return {clean_text(name): read_any(item, f"{path[:200]}.{clean_text(name)[:80]}") for name, item in value}
    if isinstance(value, list):
        return [read_any(item, f"{path[:300]}[{number}]") for number, item in enumerate(value)]
    return value


def plain(value: Any) -> Any:
    """Return a value that was read, with plain lists in the place of `_Slice`s."""
    if isinstance(value, _Slice):
        return [plain(item) for item in value.items[: value.length]]
    return {name: plain(item) for name, item in value.items()} if isinstance(value, dict) else value


class _Slice:
    """A list that remembers items that it was shortened by: reading continues with them if it grows again."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.length = 0


def _into(shape: Shape, value: Any, there: Any, path: str) -> Any:
    if value is None:
        return _null(shape, there)
    if isinstance(shape, Object):
        return _object(shape, value, there, path)
    if isinstance(shape, ListOf):
        return _list(shape, value, there, path)
    return _READERS[shape](value, there, path)


def _null(shape: Shape, there: Any) -> Any:
    # null empties a list or a map, and leaves anything else as it is.
    return None if isinstance(shape, ListOf) or shape in (Kind.VALUES, Kind.TEXTS) else there


def _object(shape: Object, value: Any, there: dict[str, Any], path: str) -> dict[str, Any]:
    if not isinstance(value, Members):
        raise FieldError(f"{path or 'it'} is {kind_of(value)}, not an object")
    for written, item in value:
        name = _member(shape, clean_text(written))
        if name is None:
            raise FieldError(f"{_at(path, clean_text(written)[:80])} is an unknown member")
        there[name] = _into(shape.members[name], item, there[name], _at(path, name))
    return there


def _member(shape: Object, name: str) -> str | None:
    if name in shape.members:
        return name
    folded = fold(name)
    return next((known for known in shape.members if known == folded), None)


def fold(name: str) -> str:
    """Return a name as Go compares it: in small letters, with the two signs beyond ASCII that fold to letters."""
    small = "".join(mark.lower() if mark.isascii() else mark for mark in name)
    return small.replace("\u017f", "s").replace("\u212a", "k")


def _list(shape: ListOf, value: Any, there: Any, path: str) -> _Slice:
    if not isinstance(value, list):
        raise FieldError(f"{path} is {kind_of(value)}, not a list")
    held = there if isinstance(there, _Slice) and value else _Slice()
    for number, item in enumerate(value):
        if number == len(held.items):
            held.items.append(nothing(shape.item))
        held.items[number] = _into(shape.item, item, held.items[number], f"{path}[{number}]")
    held.length = len(value)
    return held


def _text(value: Any, there: Any, path: str) -> str:
    if not isinstance(value, str) or isinstance(value, Number):
        raise FieldError(f"{path} is {kind_of(value)}, not a text")
    return clean_text(value)


def _integer(value: Any, there: Any, path: str) -> int:
    # Go refuses 1.0 and 1e3 here; the length is looked at first, for long digits are slow to read.
    if not isinstance(value, Number) or not value.removeprefix("-").isdigit() or len(value) > 20:
        raise FieldError(f"{path} is {kind_of(value)}, not an integer of 64 bits")
    number = int(value)
    if number not in _INTEGERS:
        raise FieldError(f"{path} is {value}, not an integer of 64 bits")
    return number


def _truth(value: Any, there: Any, path: str) -> bool:
    if not isinstance(value, bool):
        raise FieldError(f"{path} is {kind_of(value)}, not true or false")
    return value


def _time(value: Any, there: Any, path: str) -> str:
    try:
        return rewrite_time(_text(value, there, path))
    except PackTimeError as error:
        raise FieldError(f"{path}: {error}") from error


def _values(value: Any, there: Any, path: str) -> dict[str, Any]:
    if not isinstance(value, Members):
        raise FieldError(f"{path} is {kind_of(value)}, not an object")
    return {**(there or {}), **read_any(value, path)}


def _texts(value: Any, there: Any, path: str) -> dict[str, str]:
    if not isinstance(value, Members):
        raise FieldError(f"{path} is {kind_of(value)}, not an object")
    found = {clean_text(name): "" if item is None else _text(item, "", _at(path, name)) for name, item in value}
    return {**(there or {}), **found}


def kind_of(value: Any) -> str:
    """Return the kind of a JSON value in words."""
    if isinstance(value, Number):
        return f"the number {value[:40]}"
    kinds = {bool: "true or false", str: "a text", Members: "an object", list: "a list"}
    return kinds.get(type(value), "null")


def _at(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


_READERS = {
    Kind.TEXT: _text,
    Kind.INTEGER: _integer,
    Kind.TRUTH: _truth,
    Kind.TIME: _time,
    Kind.VALUES: _values,
    Kind.TEXTS: _texts,
}
