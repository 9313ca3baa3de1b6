"""The graph as a Cypher script: run into an empty Neo4j, it gives back every node, relationship and property.

The schema comes first, then nodes, then relationships, in statements that each hold a list of rows. Every statement
ends with a semicolon at the end of a line, and no semicolon stands at the end of a line elsewhere, so that
`cypher-shell -f` and a program that splits at `;\\n` see the same statements. Run into a graph that has the same nodes
it stops at the first of them and changes nothing. Of changes, nodes take the place of those with the same key.
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from a2ap.times import format_instant
from cypher import SchemaStatement, schema_statements
from graph.dictionary.labels import NODE_KEYS
from graph.export.cypher_literals import cypher_literal, cypher_name
from graph.export.graph_reader import Edges, Nodes
from graph.export.reader import ExportReader

_ROWS = 100
"""Rows of a statement: parsing costs more than writing, and grows faster than the statement beyond this."""

_LENGTH = 64 * 1024
"""Characters of rows after which a statement ends early."""


async def cypher_script(reader: ExportReader) -> AsyncIterator[bytes]:
    """Yield the script; text above the clearance is left empty."""
    if reader.is_fresh:
        yield _head(reader).encode()
    async for node_page in reader.nodes():
        reader.count("nodes", len(node_page.properties))
        yield "".join(_node_statements(node_page, merge=bool(reader.since))).encode()
    async for edge_page in reader.edges():
        reader.count("relationships", len(edge_page.edges))
        yield "".join(_edge_statements(edge_page)).encode()
    yield _end(reader.tally.get("nodes", 0), reader.tally.get("relationships", 0)).encode()


_HEADER = """\
// An A2AP provenance graph as a Cypher script: {what}.
// It is for {where}: cypher-shell -f this-file. Every statement ends with a semicolon at the end of a line.
// Its reader is cleared for {clearance}. A text of a higher class is '', and a property `withheld` beside it says why.
"""

FOR_NEO4J_ALONE = "// For Neo4j alone; the embedded engine has full-text indexes of its own.\n"
"""The line at which a program that fills the embedded engine stops."""


def _head(reader: ExportReader) -> str:
    where = f"the graph of {reader.since} entries in a Neo4j 5" if reader.since else "an empty Neo4j 5"
    schema = "".join(f"{statement.text};\n" for statement in _schema() if " FULLTEXT " not in statement.text)
    return _HEADER.format(what=reader.subject, where=where, clearance=reader.clearance.value) + schema


def _end(nodes: int, relationships: int) -> str:
    indexes = "".join(f"{statement.text};\n" for statement in _schema() if " FULLTEXT " in statement.text)
    return f"{FOR_NEO4J_ALONE}{indexes}// The end: {nodes} nodes and {relationships} relationships.\n"


def _schema() -> list[SchemaStatement]:
    return [statement for statement in schema_statements("neo4j") if statement.text.startswith("CREATE ")]


def _node_statements(page: Nodes, *, merge: bool) -> Iterator[str]:
    columns = _columns(page.properties)
    label, key = cypher_name(page.label), NODE_KEYS[page.label]
    if not merge:
        create = f"CREATE (:{label} {_map(columns, page.properties, first=0)})"
        return _statements([([], properties) for properties in page.properties], columns, create)
    # The properties that were there are replaced, those that are gone included.
    create = f"MERGE (n:{label} {{{key}: row[0]}})\nSET n = {_map(columns, page.properties, first=1)}"
    return _statements([([properties[key]], properties) for properties in page.properties], columns, create)


def _edge_statements(page: Edges) -> Iterator[str]:
    start, end, type = cypher_name(page.start_label), cypher_name(page.end_label), cypher_name(page.type)
    if page.is_instead and not page.edges:
        yield f"MATCH (:{start})-[r:{type}]->(:{end})\nDELETE r;\n"
    properties = [edge.properties for edge in page.edges]
    columns = _columns(properties)
    written = f" {_map(columns, properties, first=2)}" if columns else ""
    write = "MERGE" if page.is_again else "CREATE"
    create = (
        f"MATCH (a:{start} {{{NODE_KEYS[page.start_label]}: row[0]}})\n"
        f"MATCH (b:{end} {{{NODE_KEYS[page.end_label]}: row[1]}})\n"
        f"{write} (a)-[:{type}{written}]->(b)"
    )
    yield from _statements([([edge.start, edge.end], edge.properties) for edge in page.edges], columns, create)


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
