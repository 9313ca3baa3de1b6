"""The names in a query: labels and relationship types of the graph, and new variables."""

from collections.abc import Collection

from graph.cypher_text.cursor import Cursor, Scope
from graph.cypher_text.tokens import Sort
from graph.cypher_text.vocabulary import LABELS, RELATIONSHIPS


def read_labels(cursor: Cursor) -> tuple[str, ...]:
    """Read labels after a colon; the node may have any of them."""
    return _names_of(cursor, LABELS, "label")


def read_types(cursor: Cursor) -> tuple[str, ...]:
    """Read relationship types after a colon; the relationship may have any of them."""
    return _names_of(cursor, RELATIONSHIPS, "relationship type")


def new_name(cursor: Cursor, scope: Scope, what: str) -> str:
    """Read a name that is not in use yet."""
    token = cursor.token
    name = cursor.name("a variable")
    if name in scope:
        cursor.refuse(f"{name} is already something else than {what}", token)
    return name


def _names_of(cursor: Cursor, known: Collection[str], what: str) -> tuple[str, ...]:
    cursor.expect_sign(":")
    names: list[str] = []
    while True:
        token = cursor.next()
        if token.sort is not Sort.NAME or token.text not in known:
            cursor.refuse(f"{token.shown} is no {what} of this graph", token)
        names.append(token.text)
        if not cursor.take_sign("|"):
            break
        cursor.take_sign(":")
    if cursor.is_sign(":"):
        cursor.refuse(f"a second {what} stands where one must")
    return tuple(dict.fromkeys(names))
