"""JSON of other programs: numbers keep their kind, and doubled names are reported.

The older forms of the hash tell 1.0 from 1, write integers of any length and take lone surrogates, so none of that may
be lost here, unlike in `a2ap.json_text`. Refused are bad syntax, NaN and Infinity, anything but UTF-8, and texts that
would cost too much to read.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from a2ap.json_values import is_deeper, skip_space
from a2ap.passport.errors import PassportTextError

MAX_BYTES = 16 * 1_048_576
MAX_DEPTH = 66  # of a document; a chain is an array of records, each of 64 levels
MAX_DIGITS = 400  # of an integer; more than a double holds, fewer than int() refuses


@dataclass(frozen=True, slots=True)
class JsonPiece:
    """A JSON value, the bytes that it was read from, and the names that stand twice in one of its objects."""

    value: Any
    data: bytes
    doubled: tuple[str, ...] = ()


def read_value(data: bytes) -> JsonPiece:
    """Read one JSON value with nothing but space around it. Raises PassportTextError."""
    text = _decode(data)
    start = skip_space(text, 0)
    piece, end = _read_at(text, start)
    if skip_space(text, end) != len(text):
        raise PassportTextError(f"there is more after the JSON value, at character {end}")
    return piece


def read_items(data: bytes) -> tuple[JsonPiece, ...]:
    """Read the items of a JSON array, each with its bytes; a value that is not an array is the only item.

    Raises PassportTextError.
    """
    text = _decode(data)
    at = skip_space(text, 0)
    if text[at : at + 1] != "[":
        return (read_value(data),)
    items: list[JsonPiece] = []
    at = skip_space(text, at + 1)
    if text[at : at + 1] != "]":
        while True:
            piece, at = _read_at(text, at)
            items.append(piece)
            at = skip_space(text, at)
            if text[at : at + 1] == "]":
                break
            if text[at : at + 1] != ",":
                raise PassportTextError(f"the document is not JSON: no , or ] at character {at}")
            at = skip_space(text, at + 1)
    if skip_space(text, at + 1) != len(text):
        raise PassportTextError(f"there is more after the JSON array, at character {at + 1}")
    return tuple(items)


def write_value(value: Any, indent: int | None = None) -> bytes:
    """Write a JSON value in UTF-8, numbers in their kind; a lone surrogate stays an escape.

    Raises PassportTextError for NaN and Infinity.
    """
    separators = (",", ":") if indent is None else (",", ": ")
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    except (ValueError, RecursionError) as error:
        raise PassportTextError(f"a value cannot be written as JSON: {error}") from error
    return escape_surrogates(text).encode("utf-8")


def escape_surrogates(text: str) -> str:
    """Return a JSON text in which each lone surrogate is an escape, as ECMAScript writes it."""
    if text.isascii():
        return text
    return "".join(f"\\u{ord(mark):04x}" if "\ud800" <= mark <= "\udfff" else mark for mark in text)


def _decode(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise PassportTextError(f"the document has {len(data)} bytes, more than {MAX_BYTES}")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise PassportTextError(f"the document is not UTF-8 at byte {error.start}") from error
    if text.startswith("\ufeff"):
        raise PassportTextError("the document begins with a byte order mark")
    return text


def _read_at(text: str, start: int) -> tuple[JsonPiece, int]:
    doubled: list[str] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        # Every reader that we know takes the last one.
        found = dict(pairs)
        if len(found) != len(pairs):
            doubled.extend(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        return found

    decoder = json.JSONDecoder(object_pairs_hook=members, parse_int=_integer, parse_constant=_refuse)
    try:
        value, end = decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise PassportTextError(f"the document is not JSON: {error.msg} at character {error.pos}") from error
    except RecursionError as error:
        raise PassportTextError(f"the document is nested more than {MAX_DEPTH} levels deep") from error
    if is_deeper(value, MAX_DEPTH, _inside):
        raise PassportTextError(f"the document is nested more than {MAX_DEPTH} levels deep")
    return JsonPiece(value, text[start:end].encode("utf-8"), tuple(doubled)), end


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise PassportTextError(f"an integer has {len(digits)} digits, more than {MAX_DIGITS}")
    return int(digits)


def _refuse(name: str) -> Any:
    raise PassportTextError(f"the document is not JSON: {name}")
