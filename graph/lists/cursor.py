"""Cursors: places in one ordering of a list, as opaque text.

A cursor is the base64url of a JSON array: the version, the name of the ordering, and the key of an entry in it. It
keeps its place when entries are added before or behind it. A cursor that was changed, or is of another ordering, is
refused.
"""

import base64
import json
import math
from dataclasses import dataclass
from typing import Any, NoReturn

from graph.errors import InputError

Key = tuple[int | float | str, ...]
"""The place of an entry in an ordering; the last part identifies the entry."""

_VERSION = 1
_LONGEST = 4_096  # characters
_LARGEST = 2**63


@dataclass(frozen=True, slots=True)
class Ordering:
    """An ordering of a list: its name in cursors, the types of its keys' parts, and whether the largest comes first."""

    name: str
    types: tuple[type, ...] = (int,)
    descending: bool = False


def encode_cursor(ordering: Ordering, key: Key) -> str:
    """Return the cursor of the entry with this key."""
    text = json.dumps([_VERSION, _name_of(ordering), *key], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode("ascii").rstrip("=")


def decode_cursor(ordering: Ordering, cursor: str, argument: str) -> Key:
    """Return the key that a cursor of this ordering holds; raise `InputError` that names the argument."""
    version, name, *key = _read(cursor, argument)
    if version != _VERSION or not isinstance(name, str):
        raise InputError(f"{argument} is no cursor of this node", argument)
    if name != _name_of(ordering):
        raise InputError(f"{argument} is a cursor of {name}, not of {_name_of(ordering)}", argument)
    if len(key) != len(ordering.types) or not all(map(_is_of, key, ordering.types)):
        raise InputError(f"{argument} is no cursor of this node", argument)
    if encode_cursor(ordering, tuple(key)) != cursor:
        raise InputError(f"{argument} is no cursor of this node", argument)
    return tuple(key)


def _name_of(ordering: Ordering) -> str:
    return f"{ordering.name} {'DESC' if ordering.descending else 'ASC'}"


def _read(cursor: str, argument: str) -> list[Any]:
    try:
        if len(cursor) > _LONGEST:
            raise ValueError("it is too long")
        text = base64.b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4), b"-_", validate=True)
        found = json.loads(text.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{argument} is no cursor of this node", argument) from error
    if not isinstance(found, list) or len(found) < 2:
        raise InputError(f"{argument} is no cursor of this node", argument)
    return found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _is_of(value: object, expected: type) -> bool:
    if expected is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and _is_finite(value)
    if expected is int:
        return isinstance(value, int) and not isinstance(value, bool) and -_LARGEST <= value < _LARGEST
    if isinstance(value, str):
        # A lone surrogate is no text, and no database takes it.
        return not any("\ud800" <= character <= "\udfff" for character in value)
    return False


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value) and abs(value) < _LARGEST
    except OverflowError:
        return False
