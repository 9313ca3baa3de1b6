"""JSON as Go's `encoding/json` writes it, byte for byte. It is not RFC 8785."""

import math
import re
from collections.abc import Mapping
from typing import Any

from a2ap.pack.errors import PackError
from a2ap.pack.go_json import clean_text
from a2ap.passport.ecmascript import write_number as write_as_ecmascript

_ESCAPED = re.compile('["\\\\\x00-\x1f<>&\u2028\u2029]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def write_sorted(value: Any) -> bytes:
    """Write a value compactly, the members of every object in the order of their names' UTF-8 bytes.

    Every number is written as the double that it is read as.
    """
    return "".join(_pieces(value, None, 0, ordered=False)).encode()


def write_ordered(value: Any, indent: int | None = None) -> bytes:
    """Write a value as Go writes a struct: members of objects in their order, integers with all their digits."""
    return "".join(_pieces(value, indent, 0, ordered=True)).encode()


def write_text(text: str) -> str:
    """Write a text in quotes: `<`, `>`, `&`, U+2028 and U+2029 are escaped, all else beyond ASCII is not."""
    return f'"{_ESCAPED.sub(_escape, clean_text(text))}"'


def write_number(number: int | float) -> str:
    """Write a number as Go writes the double: as ECMAScript does, and minus zero as `-0`."""
    try:
        double = float(number)
    except OverflowError as error:
        raise PackError("a number is larger than a double can be") from error
    if not math.isfinite(double):
        raise PackError(f"{double} cannot be written as JSON")
    if double == 0:
        return "-0" if math.copysign(1, double) < 0 else "0"
    return write_as_ecmascript(double)


def _pieces(value: Any, indent: int | None, level: int, *, ordered: bool) -> list[str]:
    if value is None:
        return ["null"]
    if isinstance(value, bool):
        return ["true" if value else "false"]
    if isinstance(value, str):
        return [write_text(value)]
    if isinstance(value, int | float):
        return [str(value) if ordered and isinstance(value, int) else write_number(value)]
    if isinstance(value, Mapping):
        members = {clean_text(str(name)): item for name, item in value.items()}
        # A map of Go's has no order, and is written in that of its names; a struct in that of its fields.
        names = list(members) if ordered and isinstance(value, Struct) else sorted(members)
        colon = ":" if indent is None else ": "
        items = [
            [write_text(name), colon, *_pieces(members[name], indent, level + 1, ordered=ordered)] for name in names
        ]
        return _joined("{", items, "}", indent, level)
    if isinstance(value, list | tuple):
        return _joined("[", [_pieces(item, indent, level + 1, ordered=ordered) for item in value], "]", indent, level)
    raise PackError(f"a value of the kind {type(value).__name__} cannot be written as JSON")


class Struct(dict[str, Any]):
    """An object whose members have an order."""


def _joined(opening: str, items: list[list[str]], closing: str, indent: int | None, level: int) -> list[str]:
    if not items:
        return [opening, closing]
    inner = "" if indent is None else "\n" + " " * indent * (level + 1)
    outer = "" if indent is None else "\n" + " " * indent * level
    found = [opening]
    for number, item in enumerate(items):
        found += ["," if number else "", inner, *item]
    return [*found, outer, closing]


def _escape(match: re.Match[str]) -> str:
    mark = match[0]
    return _SHORT.get(mark) or f"\\u{ord(mark):04x}"
