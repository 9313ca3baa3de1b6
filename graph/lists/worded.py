"""Orderings in which a text or a number may come first: the bounds of their queries, and long texts in cursors.

The queries have `low_word`, `low_rank` and `low`, and the same for `high`: the word, the rank and the entry's own key
lie between these, all exclusive. A cursor has only the beginning of a long text; the rest is read from its entry.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from graph.lists.cursor import Key
from graph.lists.ordered import END

IN_CURSORS = 200
"""The characters of a text that a cursor has: more might make the cursor too long."""


def bounds_of(low: Key | None, high: Key | None) -> dict[str, object]:
    """Return the parameters for the entries between two keys; a key of None is no bound."""
    return {**_bound("low", low, -1), **_bound("high", high, END)}


def cut(text: str) -> str:
    """Return the part of a text that a cursor has."""
    return text[:IN_CURSORS]


async def made_whole(key: Key | None, text_of: Callable[[Any], Awaitable[str | None]]) -> Key | None:
    """Return a key with the whole text if it may have only the beginning; `text_of` returns the text of an entry."""
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
