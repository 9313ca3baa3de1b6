"""Patterns of a query: every node has a known label, every relationship a type, and every path a maximum length.

A pattern without connection to earlier ones multiplies the rows; so it must name a node by a property that an index
finds, unless at most one row was found before.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from cypher import schema_statements
from graph.cypher_text.cursor import Cursor, Scope
from graph.cypher_text.estimate import Link, Node, Rows, follow_pattern
from graph.cypher_text.expressions import property_shape, read_expression
from graph.cypher_text.names import new_name
from graph.cypher_text.pattern_parts import LinkPart, NodePart, Properties, read_link, read_node
from graph.cypher_text.shapes import Kind, Shape, node, path, relationship
from graph.cypher_text.tokens import Sort, Token
from graph.cypher_text.vocabulary import ends_of

_INDEXED = re.compile(r"FOR \(n:(?P<label>\w+)\) (?:REQUIRE |ON \()n\.(?P<property>\w+)(?P<unique> IS UNIQUE)?")


@cache
def looked_up_by() -> frozenset[tuple[str, str]]:
    """Return the label and property of each constraint and index."""
    return frozenset((match["label"], match["property"]) for match in _matches())


@cache
def identified_by() -> frozenset[tuple[str, str]]:
    """Return the label and property of each uniqueness constraint."""
    return frozenset((match["label"], match["property"]) for match in _matches() if match["unique"])


def _matches() -> list[re.Match[str]]:
    found = (_INDEXED.search(statement.text) for statement in schema_statements("neo4j"))
    return [match for match in found if match is not None]


@dataclass(slots=True)
class Patterns:
    """The patterns of a MATCH: their text and their variables.

    `loose` are the places of patterns without connection that no index finds; `spread` says that they follow one that
    may be found many times, and `single` that each pattern is found at most once.
    """

    text: str
    scope: Scope
    loose: tuple[Token, ...] = ()
    spread: bool = False
    single: bool = True


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One pattern: its variables, whether an index finds it, and whether it is found at most once."""

    start: Token
    text: str
    names: frozenset[str]
    anchored: bool
    single: bool
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]


def read_patterns(cursor: Cursor, scope: Scope) -> Patterns:
    """Read the patterns of a MATCH; `scope` has the variables found before."""
    inner = dict(scope)
    parts = [_pattern(cursor, inner)]
    while cursor.take_sign(","):
        parts.append(_pattern(cursor, inner))
    loose, spread = _loose(cursor, parts, set(scope))
    return Patterns(", ".join(part.text for part in parts), inner, loose, spread, all(part.single for part in parts))


def read_inner_match(cursor: Cursor, scope: Scope) -> str:
    """Read the patterns and the condition in the braces of EXISTS and COUNT."""
    cursor.take_word("MATCH")
    start, outside = cursor.token, cursor.rows
    cursor.rows = Rows(outside.number, set(outside.distinct))
    found = read_patterns(cursor, scope)
    if found.loose:
        cursor.refuse("a pattern in braces hangs together with nothing outside of them", start)
    condition = f" WHERE {read_expression(cursor, found.scope).text}" if cursor.take_word("WHERE") else ""
    cursor.rows = outside
    return f"MATCH {found.text}{condition}"


def _loose(cursor: Cursor, parts: list[_Pattern], bound: set[str]) -> tuple[tuple[Token, ...], bool]:
    left, bound, loose = list(parts), set(bound), []
    many = spread = False
    while left:
        ready = next((part for part in left if part.names & bound or part.anchored), None)
        if ready is None:
            # It multiplies the rows found before it; the others may hang together with it.
            ready = left[0]
            loose.append(ready.start)
            spread = spread or many
        many = many or not ready.single
        left.remove(ready)
        if cursor.bound is not None:
            follow_pattern(cursor.bound, cursor.rows, ready.nodes, ready.links, bound)
            cursor.check_rows(ready.start, cursor.unwound)
        bound |= ready.names
    return tuple(loose), spread


def _pattern(cursor: Cursor, scope: Scope) -> _Pattern:
    """Read a pattern into `scope`."""
    first, name = cursor.token, None
    if cursor.token.sort is Sort.NAME and cursor.is_sign("=", ahead=1):
        name = new_name(cursor, scope, "a path")
        cursor.expect_sign("=")
    start = cursor.token
    nodes, links = [read_node(cursor, scope)], []
    while cursor.is_sign("-") or cursor.is_sign("<"):
        links.append(read_link(cursor, scope))
        nodes.append(read_node(cursor, scope))
    _label(cursor, nodes, links)
    if cursor.withheld and not links and "Document" in nodes[0].labels:
        # Only a relationship says that a document is known from elsewhere than the items of a packet. One that has a
        # name already may be null, which an engine may bind anew.
        cursor.refuse(
            "a document alone may be one that this reader is not cleared for: match a relationship of it", start
        )
    names: set[str] = set()
    for one in nodes:
        _note_node(cursor, scope, names, one)
        _check_properties(cursor, one.properties, node(one.labels))
        for label in one.written:
            _check_properties(cursor, one.properties, node([label]))
    for link in links:
        if link.name is not None:
            if link.name in scope:
                cursor.refuse(f"{link.name} is already something else", link.token)
            scope[link.name] = link.shape
            names.add(link.name)
        _check_properties(cursor, link.properties, relationship(link.types))
    text = nodes[0].text + "".join(link.text + one.text for link, one in zip(links, nodes[1:], strict=True))
    if name is not None:
        hops = sum(link.hops[1] if link.hops else 1 for link in links)
        labels = {label for one in nodes for label in one.labels} | {
            label for link in links for side in ends_of(link.types) for label in side
        }
        shape = path(labels, {type for link in links for type in link.types}, hops)
        scope[name] = cursor.bounded(shape, start)
        text = f"{name} = {text}"
    single = not links and len(nodes[0].written) == 1 and _is_found(nodes[0], identified_by())
    anchored = any(_is_found(one, looked_up_by()) for one in nodes)
    return _Pattern(
        first,
        text,
        frozenset(names | ({name} if name else set())),
        anchored,
        single,
        tuple(Node(one.name, one.labels, _is_found(one, identified_by())) for one in nodes),
        tuple(Link(link.types, link.hops[1] if link.hops else 1, link.directions) for link in links),
    )


def _is_found(one: NodePart, by: Collection[tuple[str, str]]) -> bool:
    # An engine asks its indexes of a label only where the query names it.
    return bool(one.written) and any(
        all((label, token.text) in by for label in one.written) for token, _ in one.properties
    )


def _note_node(cursor: Cursor, scope: Scope, names: set[str], one: NodePart) -> None:
    if one.name is None:
        return
    known = scope.setdefault(one.name, node(one.labels))
    names.add(one.name)
    if known.kind is not Kind.NODE:
        cursor.refuse(f"{one.name} is no node", one.token)
    if not known.labels & one.labels:
        cursor.refuse(f"{one.name} is a {' or '.join(sorted(known.labels))} and nothing else", one.token)
    one.labels = known.labels


def _check_properties(cursor: Cursor, properties: Properties, shape: Shape) -> None:
    for token, _ in properties:
        property_shape(cursor, shape, token)


def _label(cursor: Cursor, nodes: list[NodePart], links: list[LinkPart]) -> None:
    """Give each node without a label the labels that the adjacent relationships allow."""
    for place, one in enumerate(nodes):
        if one.labels:
            continue
        sides = []
        if place > 0:
            sides.append(links[place - 1].ends[1])
        if place < len(links):
            sides.append(links[place].ends[0])
        if not sides:
            cursor.refuse("a node has no label", one.token)
        one.labels = frozenset.intersection(*sides)
        if not one.labels:
            cursor.refuse("no node of this graph is there", one.token)
