"""A table before any library of data frames sees it: columns with their kinds, and rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from a2ap.errors import FrameError
from a2ap.frames.cypher_answer import parts_of_answer
from a2ap.frames.pages import PAGE, check_pageable, text_of_page
from a2ap.frames.parts import Column, Row, at, check_exploded, columns_of, cut_off, rows_of
from a2ap.frames.schema import Schema
from a2ap.frames.selection import Selection, read_selection

MAX_ROWS = 100_000
"""The maximum number of rows of a table, unless a limit is given."""

Ask = Callable[[str], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under their columns; `more` says that there are more rows, and `cut` names the lists in them that go on."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    more: bool
    cut: tuple[str, ...] = ()


def table_of_query(ask: Ask, text: str, schema: Schema, exploded: Sequence[str], limit: int) -> Table:
    """Return the table of a GraphQL query, page after page until there are `limit` rows; `ask` answers one text."""
    selection = read_selection(text, schema)
    check_exploded(selection.parts, exploded)
    columns = columns_of(selection.parts, exploded)
    name = next((one for one in exploded if one in selection.pageable), "")
    paged = selection.paged or selection.pageable.get(name)
    if paged is not None:
        check_pageable(paged)
    rows: list[Row] = []
    cut: set[str] = set()
    cursor, more = None, True
    while more and len(rows) < limit:
        data = ask(text_of_page(text, selection.connections, paged, cursor, min(PAGE, limit)))
        for one in _entries(selection, data):
            rows += rows_of(one, selection.parts, exploded)
            cut.update(cut_off(one, selection.parts))
        page = (at(data, (*paged.path, "pageInfo")) if paged is not None else None) or {}
        more = page.get("hasNextPage") is True
        if more and page["endCursor"] in (None, cursor):
            raise FrameError(f"the platform gives no cursor for the page after {len(rows)} rows")
        cursor = page.get("endCursor")
    return Table(columns, tuple(rows[:limit]), more or len(rows) > limit, tuple(sorted(cut - {name})))


def table_of_answer(answer: Mapping[str, Any], exploded: Sequence[str], limit: int) -> Table:
    """Return the table of an answer to a query in Cypher."""
    parts = parts_of_answer(answer["columns"], answer["kinds"], answer["rows"])
    check_exploded(parts, exploded)
    rows: list[Row] = []
    for values in answer["rows"]:
        rows += rows_of(dict(zip(answer["columns"], values, strict=True)), parts, exploded)
    return Table(columns_of(parts, exploded), tuple(rows[:limit]), answer["truncated"] or len(rows) > limit)


def _entries(selection: Selection, data: Mapping[str, Any]) -> Sequence[Any]:
    found = at(data, selection.rows)
    if selection.many:
        return found or ()
    return () if found is None else (found,)
