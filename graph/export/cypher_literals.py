"""Values and names as they stand in Cypher text: for scripts that others run, never for queries of ours.

Rules:

- No literal holds a line break, so that in a script a semicolon at a line's end is the end of a statement and
  nothing else.
- Of `\\uXXXX` only control characters and separators of lines are written: Cypher reads it before it looks for the
  end of a string, so that an escaped quote would end one.
"""

import math
import re
from datetime import datetime
from typing import Any

from a2ap.times import format_instant

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ESCAPED = re.compile(r"['\\\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ESCAPES = {
    **{code: f"\\u{code:04x}" for code in (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)},
    **{ord(character): "\\" + letter for character, letter in zip("'\\\t\n\r\b\f", "'\\tnrbf", strict=True)},
}


def cypher_literal(value: Any) -> str:
    """Return a property's value as Cypher; a datetime as a call of `datetime`.

    Takes the types of this graph: texts, numbers, booleans, aware datetimes, lists of them, and None.
    """
    if value is None:
        return "null"
    if isinstance(value, str):
        return cypher_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, datetime):
        return f"datetime({cypher_text(format_instant(value))})"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(cypher_literal, value))}]"
    raise TypeError(f"a property of type {type(value).__name__} has no Cypher literal")


def cypher_text(text: str) -> str:
    """Return a text as a string of Cypher, in single quotes."""
    return f"'{text.translate(_ESCAPES)}'" if _ESCAPED.search(text) else f"'{text}'"


def cypher_name(name: str) -> str:
    """Return a label, a type or the name of a property, in backticks if it needs them."""
    return name if _PLAIN_NAME.fullmatch(name) else "`" + name.replace("`", "``") + "`"


def _float(number: float) -> str:
    if not math.isfinite(number):
        raise ValueError(f"{number} has no Cypher literal")
    # An exponent has no plus sign in Cypher.
    return repr(number).replace("+", "")
