"""Joins several queries that only read into one, for a database where a question costs more than its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from cypher.gathering import split_return
from cypher.tokens import Sort, tokens_of


@dataclass(frozen=True, slots=True)
class Joined:
    """A query that answers as several do: each row has the `place` of its query, and values in order of its columns.

    Its parameters are those of its queries, each with the place behind its name, as `parameter_at` gives it. With
    `gathered`, all rows of a query come as one, a list of lists of values.
    """

    text: str
    columns: tuple[tuple[str, ...], ...]
    gathered: bool


@lru_cache(maxsize=256)
def join(texts: Sequence[str], *, gathered: bool) -> Joined:
    """Return these queries as one, with the rows of each in its own order.

    Raises ValueError for one that has no final RETURN of its own with named columns.
    """
    parts, columns = [], []
    for place, text in enumerate(texts):
        split = split_return(text)
        if split is None:
            raise ValueError(f"{text!r} has no final RETURN of its own with named columns")
        before, clause, names = split
        values = f"collect([{', '.join(names)}])" if gathered else f"[{', '.join(names)}]"
        part = f"{before}WITH{clause.rstrip()}\nRETURN {place} AS place, {values} AS values"
        parts.append("".join(_at(place, token.sort, token.text) for token in tokens_of(part)).strip())
        columns.append(names)
    return Joined("\nUNION ALL\n".join(parts), tuple(columns), gathered)


def parameter_at(place: int, name: str) -> str:
    """Return the name in a joined query of a parameter of the query at this place."""
    return f"{name}_{place}"


def _at(place: int, sort: Sort, text: str) -> str:
    if sort is Sort.COMMENT:
        return ""
    return parameter_at(place, text) if sort is Sort.PARAMETER else text
