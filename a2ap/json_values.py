"""Helpers of the readers of others' JSON: the space between values, and the depth of nested values."""

import re
from collections.abc import Callable, Iterable
from typing import Any

_SPACE = re.compile(r"[ \t\n\r]*+")


def skip_space(text: str, at: int) -> int:
    """Return the position of the next word."""
    match = _SPACE.match(text, at)
    return match.end() if match else at


def is_deeper(value: Any, levels: int, inside: Callable[[Any], Iterable[Any]]) -> bool:
    """Say whether values are nested more than `levels` levels deep."""
    level = [value]
    for _ in range(levels):
        level = [inner for item in level for inner in inside(item)]
        if not level:
            return False
    return True
