"""The column types of an answer in Cypher: by the kinds that the platform states, and by the values in them.

A node, a relationship or a map becomes a column for each of its members that any row has. A text within them stays a
text: only a column is stated to be a time.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from a2ap.errors import FieldError
from a2ap.frames.parts import Kind, Part
from a2ap.times import parse_instant

_NO_NUMBERS = ("inf", "-inf", "nan")


def parts_of_answer(names: Sequence[str], kinds: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[Part, ...]:
    """Return the parts of rows that are objects of these columns."""
    return tuple(
        part
        for place, (name, kind) in enumerate(zip(names, kinds, strict=True))
        for part in _parts((name,), name, kind, [row[place] for row in rows])
    )


def _parts(path: tuple[str, ...], name: str, kind: str, values: Sequence[Any]) -> Iterator[Part]:
    known = [value for value in values if value is not None]
    if known and all(isinstance(value, Mapping) for value in known):
        for key in dict.fromkeys(key for value in known for key in value):
            yield from _parts((*path, key), f"{name}.{key}", "", [value.get(key) for value in known])
    elif known and all(isinstance(value, list) for value in known):
        yield _list(path, name, [one for value in known for one in value])
    else:
        yield Part(path, name, _kind(kind, known))


def _list(path: tuple[str, ...], name: str, elements: Sequence[Any]) -> Part:
    known = [one for one in elements if one is not None]
    if not known or not all(isinstance(one, Mapping) for one in known):
        return Part(path, name, _kind("", known), many=True)
    keys = dict.fromkeys(key for one in known for key in one)
    parts = (part for key in keys for part in _parts((key,), key, "", [one.get(key) for one in known]))
    return Part(path, name, many=True, parts=tuple(parts))


def _kind(stated: str, values: Sequence[Any]) -> Kind:
    if stated == "time" and all(_is_instant(value) for value in values):
        return Kind.TIME
    if values and all(isinstance(value, bool) for value in values):
        return Kind.TRUTH
    if values and all(type(value) is int for value in values):
        return Kind.INTEGER
    if not values:
        return Kind.NUMBER if stated == "number" else Kind.TEXT
    # A value for which JSON has no number comes as a text.
    if all(type(value) in (int, float) or (stated == "number" and value in _NO_NUMBERS) for value in values):
        return Kind.NUMBER
    return Kind.TEXT if all(isinstance(value, str) for value in values) else Kind.OTHER


def _is_instant(value: Any) -> bool:
    try:
        parse_instant(value)
    except FieldError:
        return False
    return True
