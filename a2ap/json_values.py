"""What readers of others' JSON have in common: the space between values, and how deep these stand in one another."""

import re
from collections.abc import Callable, Iterable
from typing import Any

_SPACE = re.compile(r"[ \t\n\r]*+")


def skip_space(text: str, at: int) -> int:
    """Return where the next word begins."""
    match = _SPACE.match(text, at)
    return match.end() if match else at


def is_deeper(value: Any, levels: int, inside: Callable[[Any], Iterable[Any]]) -> bool:
    """Say whether values stand inside of one another more than so many levels deep."""
    level = [value]
    for _ in range(levels):
        level = [inner for item in level for inner in inside(item)]
        if not level:
            return False
    return True
