"""JSON as Go's `encoding/json` reads it, on whose readings the hash of a Context Pack depends.

- Each byte that is not UTF-8, and each half of a surrogate pair alone, is U+FFFD, so that different inputs collide.
- A number keeps its text until its kind is known: an integer, or a double.
- An object keeps its members in their order, doubled ones as well: the reader of the object decides which counts.

Not Go's: at most `MAX_DEPTH` levels instead of 10,000, and a time with escapes in it is read.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from a2ap.json_values import is_deeper, skip_space
from a2ap.pack.errors import PackTextError

MAX_DEPTH = 128

_HALF = re.compile("[\ud800-\udfff]")


class Number(str):
    """The text of a number."""

    __slots__ = ()


class Members(tuple[tuple[str, Any], ...]):
    """The members of an object, in their order."""

    __slots__ = ()


def read_first(data: bytes) -> Any:
    """Read the first JSON value of some bytes, as Go's Decoder does; bytes that follow it are ignored.

    Texts are `str` with U+FFFD where Go has it, objects `Members`, numbers `Number`. Raises PackTextError.
    """
    return _read(data)[0]


def read_whole(data: bytes) -> Any:
    """Read bytes that are one JSON value, with nothing but space around it. Raises PackTextError."""
    value, text, end = _read(data)
    if skip_space(text, end) != len(text):
        raise PackTextError(f"there is more after the JSON value, at character {end}")
    return value


def clean_text(text: str) -> str:
    """Return a text with U+FFFD in the place of every half of a surrogate pair."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def _read(data: bytes) -> tuple[Any, str, int]:
    # Each bad byte becomes a surrogate of its own, and that U+FFFD: as many of them as Go writes.
    text = data.decode("utf-8", "surrogateescape")
    start = skip_space(text, 0)
    if start == len(text):
        raise PackTextError("there is no JSON value")
    decoder = json.JSONDecoder(
        object_pairs_hook=Members, parse_int=Number, parse_float=Number, parse_constant=_refuse, strict=True
    )
    try:
        value, end = decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise PackTextError(f"it is not JSON: {error.msg} at character {error.pos}") from error
    except RecursionError as error:
        raise PackTextError(f"it is nested more than {MAX_DEPTH} levels deep") from error
    if is_deeper(value, MAX_DEPTH, _inside):
        raise PackTextError(f"it is nested more than {MAX_DEPTH} levels deep")
    return value, text, end


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, Members):
        return (inner for _, inner in value)
    return value if isinstance(value, list) else ()


def _refuse(name: str) -> Any:
    raise PackTextError(f"it is not JSON: {name}")
