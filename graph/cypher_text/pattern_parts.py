"""The nodes and relationships of a pattern: as read, and as written anew."""

from dataclasses import dataclass

from graph.cypher_text.cursor import Cursor, Scope
from graph.cypher_text.expressions import read_expression
from graph.cypher_text.limits import MAX_HOPS, MAX_HOPS_TOGETHER, MAX_RELATIONSHIPS
from graph.cypher_text.names import new_name, read_labels, read_types
from graph.cypher_text.shapes import Kind, Shape, list_of, relationship
from graph.cypher_text.tokens import Sort, Token
from graph.cypher_text.vocabulary import ends_of, withheld_types

Properties = list[tuple[Token, str]]


@dataclass(slots=True)
class NodePart:
    """A node; `labels` are those that it may have, `written` those in the text written anew."""

    token: Token
    name: str | None
    labels: frozenset[str]
    written: frozenset[str]
    properties: Properties

    @property
    def text(self) -> str:
        """Return the node as it is written anew."""
        label = f":{'|'.join(sorted(self.written))}" if self.written else ""
        return f"({self.name or ''}{label}{_written(self.properties)})"


@dataclass(slots=True)
class LinkPart:
    """A relationship, or a path with a length within `hops`."""

    token: Token
    name: str | None
    types: tuple[str, ...]
    hops: tuple[int, int] | None
    properties: Properties
    arrows: tuple[str, str]

    @property
    def text(self) -> str:
        """Return the relationship as it is written anew."""
        hops = f"*{self.hops[0]}..{self.hops[1]}" if self.hops else ""
        inside = f"{self.name or ''}:{'|'.join(self.types)}{hops}{_written(self.properties)}"
        return f"{self.arrows[0]}[{inside}]{self.arrows[1]}"

    @property
    def ends(self) -> tuple[frozenset[str], frozenset[str]]:
        """Return the possible labels to the left and to the right."""
        starts, ends = ends_of(self.types)
        if self.arrows == ("-", "-"):
            return starts | ends, starts | ends
        left, right = (starts, ends) if self.arrows[1] == "->" else (ends, starts)
        # The nodes between the ends of a long path are not known here, nor named.
        return left, right

    @property
    def directions(self) -> tuple[int, ...]:
        """Return +1 if it leads from left to right, -1 if it leads back, both if it may do either."""
        return {("<-", "-"): (-1,), ("-", "->"): (1,)}.get(self.arrows, (1, -1))

    @property
    def shape(self) -> Shape:
        """Return the shape of a variable for it."""
        one = relationship(self.types)
        return list_of(one, self.hops[1]) if self.hops else one


def read_node(cursor: Cursor, scope: Scope) -> NodePart:
    """Read a node in its brackets.

    A known node keeps the labels that it was found with: a label here is only a condition, since after OPTIONAL MATCH
    the node may or may not have it.
    """
    start = cursor.token
    cursor.expect_sign("(")
    name = cursor.name("a variable") if cursor.token.sort is Sort.NAME else None
    known = scope.get(name) if name is not None else None
    if known is not None and known.kind is not Kind.NODE:
        cursor.refuse(f"{name} is no node", start)
    labels_at = cursor.token
    stated = frozenset(read_labels(cursor) if cursor.is_sign(":") else ())
    labels = known.labels if known is not None else stated
    if not stated <= labels:
        cursor.refuse(f"{name} is a {' or '.join(sorted(labels))} and nothing else", labels_at)
    # A variable that is null is bound anew by some engines; then only the written pattern says what it is bound to.
    written = stated or (labels if cursor.withheld else frozenset())
    properties = _properties(cursor, scope)
    cursor.expect_sign(")")
    return NodePart(start, name, labels, written, properties)


def read_link(cursor: Cursor, scope: Scope) -> LinkPart:
    """Read a relationship with its arrows."""
    start = cursor.token
    cursor.relationships += 1
    if cursor.relationships > MAX_RELATIONSHIPS:
        cursor.refuse(f"there are more than {MAX_RELATIONSHIPS} relationships in the query", start)
    left = "<-" if cursor.take_sign("<") else "-"
    cursor.expect_sign("-")
    if not cursor.take_sign("["):
        cursor.refuse("a relationship has no type: write -[:TYPE]-", start)
    name = new_name(cursor, scope, "a relationship") if cursor.token.sort is Sort.NAME else None
    types = read_types(cursor)
    if cursor.withheld and withheld_types() & set(types):
        cursor.refuse(f"{'|'.join(types)} may disclose facts that this reader is not cleared for", start)
    hops = _hops(cursor) if cursor.take_sign("*") else None
    properties = _properties(cursor, scope)
    cursor.expect_sign("]")
    cursor.expect_sign("-")
    right = "->" if cursor.take_sign(">") else "-"
    if left == "<-" and right == "->":
        cursor.refuse("a relationship points both ways", start)
    if hops and properties:
        cursor.refuse("a relationship of several steps has properties", start)
    return LinkPart(start, name, types, hops, properties, (left, right))


def _hops(cursor: Cursor) -> tuple[int, int]:
    token = cursor.token
    least = int(cursor.next().text) if token.sort is Sort.INTEGER else None
    if cursor.take_sign(".."):
        end = cursor.token
        if end.sort is not Sort.INTEGER:
            cursor.refuse(f"a path has no bound: write *1..{MAX_HOPS} at most", end)
        most = int(cursor.next().text)
    elif least is not None:
        most = least
    else:
        cursor.refuse(f"a path has no bound: write *1..{MAX_HOPS} at most", token)
    least = 1 if least is None else least
    cursor.hops += most
    if not 0 < least <= most <= MAX_HOPS or cursor.hops > MAX_HOPS_TOGETHER:
        cursor.refuse(
            f"a path has from 1 to {MAX_HOPS} relationships, and all of a query at most {MAX_HOPS_TOGETHER}", token
        )
    return least, most


def _properties(cursor: Cursor, scope: Scope) -> Properties:
    found: Properties = []
    if not cursor.take_sign("{"):
        return found
    while not cursor.take_sign("}"):
        if found:
            cursor.expect_sign(",")
        token = cursor.next()
        if token.sort is not Sort.NAME:
            cursor.refuse(f"{token.shown} is no name of a property", token)
        cursor.expect_sign(":")
        term = read_expression(cursor, scope)
        if term.aggregates:
            cursor.refuse("a pattern counts rows together", token)
        found.append((token, term.text))
    return found


def _written(properties: Properties) -> str:
    return f" {{{', '.join(f'{token.text}: {text}' for token, text in properties)}}}" if properties else ""
