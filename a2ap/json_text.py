"""Strict JSON: the text of a message has one reading, the same for everybody, and a bounded cost.

Refused beside bad syntax: anything but UTF-8 without BOM, duplicate names, NaN and Infinity, lone surrogates,
integers that a double cannot hold (RFC 7493 §2.2), more than `MAX_BYTES`, more than `MAX_DEPTH` levels. A
number without a fraction is read as an integer however it is written, since RFC 8785 writes 1.0 as 1.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from a2ap.errors import JsonTextError
from a2ap.places import find_value

MAX_BYTES = 1_048_576
MAX_DEPTH = 64
MAX_INTEGER = 2**53 - 1

# Possessive, and to the end of the text where the closing quote is missing: linear whatever the input.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def read_json(data: bytes, *, most: int = MAX_BYTES) -> dict[str, Any]:
    """Read a JSON object of at most `most` bytes; raises `JsonTextError`, never `RecursionError`."""
    if len(data) > most:
        raise JsonTextError("", f"has {len(data)} bytes, more than {most}")
    if data.startswith(b"\xef\xbb\xbf"):
        raise JsonTextError("", "begins with a byte order mark")
    _check_depth(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise JsonTextError("", f"is not UTF-8 at byte {error.start}") from error
    try:
        value = _decode(text)
    except json.JSONDecodeError as error:
        raise JsonTextError("", f"is not JSON: {error.msg} at character {error.pos}") from error
    if not isinstance(value, dict):
        raise JsonTextError("", "is not a JSON object")
    if _SURROGATE_ESCAPE.search(text):
        _check_surrogates(value)
    return value


def write_json(message: dict[str, Any]) -> bytes:
    """Write a message as compact JSON in UTF-8, members in their order."""
    return _ENCODER.encode(message).encode("utf-8")


def _decode(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except _FaultError as error:
        document = _LENIENT_DECODER.decode(text)
        path, fault = find_value(document, lambda value: isinstance(value, _Fault)) or (
            "",
            _Fault(str(error)),
        )
        raise JsonTextError(path, fault.problem) from None


def _check_depth(data: bytes) -> None:
    # Fewer brackets than levels allowed is the usual case, and counting bytes costs next to nothing.
    if data.count(b"{") + data.count(b"[") <= MAX_DEPTH:
        return
    brackets = _STRING.sub(b"", data).translate(None, _NOT_BRACKETS)
    for depth in accumulate(map(_STEP.__getitem__, brackets)):
        if depth > MAX_DEPTH:
            raise JsonTextError("", f"is nested more than {MAX_DEPTH} levels deep")


def _check_surrogates(document: dict[str, Any]) -> None:
    try:
        write_json(document)
    except UnicodeEncodeError as error:
        path, _ = find_value(document, _has_surrogate) or ("", None)
        raise JsonTextError(path, "has a lone surrogate, which is no character") from error


def _has_surrogate(value: Any) -> bool:
    texts = value.keys() if isinstance(value, dict) else [value]
    return any(isinstance(text, str) and not text.isascii() and _SURROGATE.search(text) for text in texts)


class _FaultError(Exception):
    """A value that strict JSON does not have, found by the decoder, which does not know its place."""


@dataclass(frozen=True, slots=True)
class _Fault:
    """A placeholder for such a value, when the document is read again to find the place."""

    problem: str


def _unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _FaultError("has a member twice")
    return members


def _read_integer(digits: str) -> int:
    # The length first: int() takes quadratic time and has a limit of its own.
    if len(digits) > 17 or not -MAX_INTEGER <= (number := int(digits)) <= MAX_INTEGER:
        raise _FaultError(f"is {digits[:24]}, an integer beyond 2^53 - 1")
    return number


def _read_float(digits: str) -> int | float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise _FaultError(f"is {digits[:24]}, a number beyond a double")
    if number.is_integer() and -MAX_INTEGER <= number <= MAX_INTEGER:
        return int(number)
    return number


def _refuse_constant(name: str) -> Any:
    raise _FaultError(f"is {name}, which is not JSON")


def _leniently(read: Callable[[str], Any]) -> Callable[[str], Any]:
    def read_or_mark(text: str) -> Any:
        try:
            return read(text)
        except _FaultError as error:
            return _Fault(str(error))

    return read_or_mark


def _marked_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        members[name] = _Fault("is there twice in one object") if name in members else value
    return members


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique_members,
    parse_int=_read_integer,
    parse_float=_read_float,
    parse_constant=_refuse_constant,
)
_LENIENT_DECODER = json.JSONDecoder(
    object_pairs_hook=_marked_members,
    parse_int=_leniently(_read_integer),
    parse_float=_leniently(_read_float),
    parse_constant=_leniently(_refuse_constant),
)
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
