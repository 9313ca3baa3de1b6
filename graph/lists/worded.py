"""Orderings in which a text or a number may come first: the bounds of their queries, and long texts in cursors.

The queries have `low_word`, `low_rank` and `low`, and the same for `high`: word, rank and what is an entry's own lie
between these, all exclusive. A cursor has the beginning of a long text alone; the entry that it is of has the rest.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from graph.lists.cursor import Key
from graph.lists.ordered import END

IN_CURSORS = 200
"""Characters of a text: more might make a cursor longer than one may be."""


def bounds_of(low: Key | None, high: Key | None) -> dict[str, object]:
    """Return the parameters for what lies between two keys; there is no bound where one is None."""
    return {**_bound("low", low, -1), **_bound("high", high, END)}


def cut(text: str) -> str:
    """Return what a cursor has of a text."""
    return text[:IN_CURSORS]


async def made_whole(key: Key | None, text_of: Callable[[Any], Awaitable[str | None]]) -> Key | None:
    """Return a key with the whole text where it may have the beginning alone; `text_of` gives that of its entry."""
    if key is None or len(key) == 1 or not isinstance(key[0], str) or len(key[0]) < IN_CURSORS:
        return key
    text = await text_of(key[-1])
    return key if text is None else (text, key[-1])


def _bound(name: str, key: Key | None, otherwise: int) -> dict[str, object]:
    if key is None:
        return {f"{name}_word": None, f"{name}_rank": 0, name: otherwise}
    first = key[0] if len(key) > 1 else 0
    word, rank = (first, 0) if isinstance(first, str) else ("", first)
    return {f"{name}_word": word, f"{name}_rank": rank, name: key[-1]}
