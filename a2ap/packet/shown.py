"""Texts of a packet in a report: quoted, bounded and escaped, so that a report can be shown to a model.

A text in a packet may be written to be taken for instructions, for the end of a quotation or for a new speaker. So no
content of an item is ever repeated, and of names and other words up to 64 characters, in which only letters, digits,
single spaces and the punctuation of identifiers stand as they are. Everything else is `\\u{…}`.
"""

import re
from typing import Any

MOST = 64

_PLAIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._:@/+#-]*[A-Za-z0-9])?")
_PATH = re.compile(r"[A-Za-z0-9_.\[\]-]+")
_KEPT = frozenset(" ._:@/+-,;=%&'()?!")


def shown(value: Any) -> str:
    """Return a value of a packet for a sentence: a plain identifier as it is, another text in double quotes."""
    if isinstance(value, str):
        if len(value) <= MOST and _PLAIN.fullmatch(value):
            return value
        cut = value[:MOST]
        return f'"{"".join(_escaped(cut))}"' + (f" and {len(value) - MOST} more" if len(value) > MOST else "")
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return str(value)[:24]
    return "an object" if isinstance(value, dict) else "a list"


def path_shown(path: str) -> str:
    """Return a path of members, as `items[0].kind`, for a sentence."""
    return path if len(path) <= 4 * MOST and _PATH.fullmatch(path) else shown(path)


def name_shown(name: str) -> str:
    """Return the name of a member for a path."""
    return name if len(name) <= MOST and _PLAIN.fullmatch(name) else f"[{shown(name)}]"


def _escaped(text: str) -> list[str]:
    marks = []
    for before, mark in zip("x" + text, text, strict=False):
        plain = mark in _KEPT or (mark.isascii() and mark.isalnum()) or (not mark.isascii() and mark.isalpha())
        # Runs of one mark make fences and rules.
        plain = plain and (mark.isalnum() or mark != before or mark == ".")
        marks.append(mark if plain else f"\\u{{{ord(mark):x}}}")
    return marks
