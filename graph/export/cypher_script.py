"""The graph as a Cypher script: run into an empty Neo4j, it gives back every node, relationship and property.

The schema comes first, then nodes, then relationships, in statements that each hold a list of rows. Every statement
ends with a semicolon at the end of a line, and no semicolon stands at the end of a line elsewhere, so that
`cypher-shell -f` and a program that splits at `;\\n` see the same statements. Run into a graph that has the same nodes
it stops at the first of them and changes nothing.
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from a2ap.boundary import Boundary
from a2ap.times import format_instant
from cypher import schema_statements
from graph.export.cypher_literals import cypher_literal, cypher_name
from graph.export.graph_reader import NODE_KEYS, Edges, GraphReader, Nodes
from graph.store import Store

_ROWS = 100
"""Rows of a statement: parsing costs more than writing, and grows faster than the statement beyond this."""

_LENGTH = 64 * 1024
"""Characters of rows after which a statement ends early."""


async def cypher_script(store: Store, size: int, clearance: Boundary) -> AsyncIterator[str]:
    """Yield the script of the graph at `size` log entries; text above the clearance is left empty."""
    yield _HEADER.format(size=size, clearance=clearance.value)
    for statement in schema_statements("neo4j"):
        if statement.text.startswith("CREATE "):
            yield f"{statement.text};\n"
    reader = GraphReader(store, size, clearance)
    nodes = edges = 0
    async for node_page in reader.nodes():
        nodes += len(node_page.properties)
        for text in _node_statements(node_page):
            yield text
    async for edge_page in reader.edges():
        edges += len(edge_page.edges)
        for text in _edge_statements(edge_page):
            yield text
    yield f"// The end: {nodes} nodes and {edges} relationships.\n"


_HEADER = """\
// An A2AP provenance graph as a Cypher script: the graph when its log had {size} entries.
// It is for an empty Neo4j 5: cypher-shell -f this-file. Every statement ends with a semicolon at the end of a line.
// Its reader is cleared for {clearance}. A text of a higher class is '', and a property `withheld` beside it says why.
"""


def _node_statements(page: Nodes) -> Iterator[str]:
    columns = _columns(page.properties)
    label = cypher_name(page.label)
    create = f"CREATE (:{label} {_map(columns, page.properties, first=0)})"
    return _statements([([], properties) for properties in page.properties], columns, create)


def _edge_statements(page: Edges) -> Iterator[str]:
    properties = [edge.properties for edge in page.edges]
    columns = _columns(properties)
    start = f"(a:{cypher_name(page.start_label)} {{{NODE_KEYS[page.start_label]}: row[0]}})"
    end = f"(b:{cypher_name(page.end_label)} {{{NODE_KEYS[page.end_label]}: row[1]}})"
    written = f" {_map(columns, properties, first=2)}" if columns else ""
    create = f"MATCH {start}\nMATCH {end}\nCREATE (a)-[:{cypher_name(page.type)}{written}]->(b)"
    return _statements([([edge.start, edge.end], edge.properties) for edge in page.edges], columns, create)


def _columns(rows: Iterable[dict[str, Any]]) -> list[str]:
    """Return the names of the properties that any of the rows has, sorted."""
    return sorted({name for row in rows for name, value in row.items() if value is not None})


def _map(columns: Sequence[str], rows: Sequence[dict[str, Any]], *, first: int) -> str:
    """Return the map of the properties of a row, whose columns begin at `first`; times are made from text."""
    entries = []
    for place, name in enumerate(columns, start=first):
        value = f"datetime(row[{place}])" if _is_time(rows, name) else f"row[{place}]"
        entries.append(f"{cypher_name(name)}: {value}")
    return f"{{{', '.join(entries)}}}"


def _is_time(rows: Sequence[dict[str, Any]], name: str) -> bool:
    return all(isinstance(row.get(name), (datetime, type(None))) for row in rows)


def _statements(rows: Sequence[tuple[list[Any], dict[str, Any]]], columns: Sequence[str], create: str) -> Iterator[str]:
    times = {name for name in columns if _is_time([properties for _, properties in rows], name)}
    lines: list[str] = []
    for keys, properties in rows:
        values = [cypher_literal(key) for key in keys]
        values += [_value(properties.get(name), name in times) for name in columns]
        lines.append(f"  [{', '.join(values)}]")
        if len(lines) == _ROWS or sum(map(len, lines)) > _LENGTH:
            yield _statement(lines, create)
            lines = []
    if lines:
        yield _statement(lines, create)


def _value(value: Any, is_time: bool) -> str:
    return cypher_literal(format_instant(value) if is_time and value is not None else value)


def _statement(lines: Sequence[str], create: str) -> str:
    rows = ",\n".join(lines)
    return f"UNWIND [\n{rows}\n] AS row\n{create};\n"
