"""Gathers all rows of a query into one row, for drivers whose cost grows with the number of rows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from cypher.tokens import said_in

_OPENING, _CLOSING = "([{", ")]}"
_AFTER_COLUMNS = ("ORDER", "SKIP", "LIMIT")


@dataclass(frozen=True, slots=True)
class Gathered:
    """A query that answers with one row: `rows`, a list of the values of each row in the order of `columns`."""

    text: str
    columns: tuple[str, ...]


@cache
def gather(text: str) -> Gathered | None:
    """Return a query with its rows gathered into one; None for one that has no final RETURN of its own.

    The clause begins a line, as the style of our queries has it, and each of its columns ends with its name.
    """
    split = split_return(text)
    if split is None:
        return None
    before, clause, columns = split
    return Gathered(f"{before}WITH{clause.rstrip()}\nRETURN collect([{', '.join(columns)}]) AS rows", columns)


def split_return(text: str) -> tuple[str, str, tuple[str, ...]] | None:
    """Return a query's text before its final RETURN, the text behind this word, and the names of its columns.

    None for a query that has no final RETURN of its own, or a column without a name.
    """
    start = max((match.start() for match in re.finditer(r"^RETURN\b", text, re.MULTILINE)), default=-1)
    if start < 0 or re.search(r"^UNION\b", text, re.MULTILINE):
        return None
    clause = text[start + len("RETURN") :]
    columns = _columns(clause)
    if not all(re.fullmatch(r"[^\W\d]\w*", column) for column in columns):
        return None
    return text[:start], clause, columns


def _columns(clause: str) -> tuple[str, ...]:
    """Return the names of the columns of a RETURN, "" for one without."""
    columns: list[list[str]] = [[]]
    depth = 0
    for token in (token.text for token in said_in(clause)):
        depth += (token in _OPENING) - (token in _CLOSING)
        if depth == 0 and token.upper() in _AFTER_COLUMNS:
            break
        if depth == 0 and token == ",":
            columns.append([])
        elif token.upper() != "DISTINCT":
            columns[-1].append(token)
    return tuple(tokens[-1] if len(tokens) == 1 or tokens[-2:-1] == ["AS"] else "" for tokens in columns)
