"""JSON as pages show it: in lines, with each number as it stands in the text."""

import json
import re
from collections.abc import Iterable
from typing import Any

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Number(str):
    """The text of a number."""

    __slots__ = ()


def read_json(text: str) -> Any:
    """Return the value of a JSON text, with each number as a `Number`. Raises ValueError if it is no JSON."""
    return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=Number)


def in_lines(value: Any, indent: int = 2) -> str:
    """Return a value of `read_json` as JSON in lines, with `indent` spaces more at each level."""
    return _written(value, "\n", " " * indent)


def _written(value: Any, line: str, step: str) -> str:
    match value:
        case Number():
            return str(value)
        case dict():
            members = (f"{_text(name)}: {_written(item, line + step, step)}" for name, item in value.items())
            return _block("{", members, "}", line, step)
        case list():
            return _block("[", (_written(item, line + step, step) for item in value), "]", line, step)
    return _text(value)


def _block(start: str, parts: Iterable[str], end: str, line: str, step: str) -> str:
    written = f",{line}{step}".join(parts)
    return f"{start}{line}{step}{written}{line}{end}" if written else f"{start}{end}"


def _text(value: Any) -> str:
    written = json.dumps(value, ensure_ascii=False)
    # UTF-8 has no half of a pair, so it stays an escape.
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", written)
