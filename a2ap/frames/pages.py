"""The text of a query for one page of its rows: as it was written, but for page arguments and `pageInfo`."""

import json
from collections.abc import Iterable, Iterator

from graphql import FieldNode, Location, Node

from a2ap.errors import FrameError
from a2ap.frames.selection import Connection

PAGE = 100
"""The number of entries of a page, if the query gives none."""

Edit = tuple[int, int, str]
"""The replacement of a half-open range of a text."""


def text_of_page(
    text: str, connections: Iterable[Connection], paged: Connection | None, after: str | None, first: int
) -> str:
    """Return the query for the page behind a cursor; every connection then says whether it has more entries."""
    edits: set[Edit] = set()
    for connection in connections:
        for field in connection.fields:
            edits.update(_with_page_info(field))
    for field in paged.fields if paged is not None else ():
        edits.update(_with_page_info(field))
        edits.update(_with_place(field, after, first))
    for start, end, put in sorted(edits, reverse=True):
        text = f"{text[:start]}{put}{text[end:]}"
    return text


def check_pageable(connection: Connection) -> None:
    """Raise FrameError if a query reads a list from its end."""
    if connection.arguments & {"last", "before"}:
        raise FrameError(f"{'.'.join(connection.path)} is asked for from its end, and a frame goes forwards")


def _with_page_info(field: FieldNode) -> Iterator[Edit]:
    if field.selection_set is not None:
        end = _location(field.selection_set).end - 1
        yield end, end, " pageInfo { hasNextPage endCursor } "


def _with_place(field: FieldNode, after: str | None, first: int) -> Iterator[Edit]:
    given = {argument.name.value: _location(argument.value) for argument in field.arguments or ()}
    put = []
    if "first" not in given:
        put.append(f"first: {first}")
    if after is not None and "after" in given:
        yield given["after"].start, given["after"].end, json.dumps(after)
    elif after is not None:
        put.append(f"after: {json.dumps(after)}")
    if put and field.arguments:
        start = _location(field.arguments[0]).start
        yield start, start, f"{', '.join(put)}, "
    elif put:
        end = _location(field.name).end
        yield end, end, f"({', '.join(put)})"


def _location(node: Node) -> Location:
    assert node.loc is not None  # nothing is parsed without its places
    return node.loc
