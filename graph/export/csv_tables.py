"""The graph as CSV for `neo4j-admin database import`: a file a label, and one a type between two labels.

Rules:

- A text is always in quotes and an absent value never, so that "" is an empty text and an empty field is no value.
- Items of lists are separated by U+001F; in an item it is written as U+FFFD. Texts may have line breaks.
- `import.args` comes last and has the arguments for the files that exist: `neo4j-admin database import full neo4j
  @import.args`, run in the folder.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from a2ap.times import format_instant
from graph.dictionary.labels import NODE_KEYS
from graph.dictionary.term import Column, Kind
from graph.export.columns import columns_of_edge, columns_of_node
from graph.export.graph_reader import Edges, Nodes
from graph.export.reader import ExportReader, FilePart

ARGUMENTS = "import.args"

_SEPARATOR = "\x1f"
CSV_TYPES = {
    Kind.TEXT: "string",
    Kind.INTEGER: "long",
    Kind.FLOAT: "double",
    Kind.BOOLEAN: "boolean",
    Kind.TIME: "datetime",
    Kind.TEXTS: "string[]",
    Kind.INTEGERS: "long[]",
    Kind.FLOATS: "double[]",
}
_OPTIONS = ("--id-type=string", "--multiline-fields=true", "--array-delimiter=U+001F")


async def csv_tables(reader: ExportReader) -> AsyncIterator[FilePart]:
    """Yield the files, nodes first."""
    async for nodes in reader.nodes():
        yield _part(reader, f"nodes-{nodes.label}.csv", _node_header(nodes.label), _node_lines(nodes))
    async for edges in reader.edges():
        name = f"relationships-{edges.type}-{edges.start_label}-{edges.end_label}.csv"
        yield _part(reader, name, _edge_header(edges), _edge_lines(edges))
    arguments = [f"--{name.partition('-')[0]}={name}" for name in reader.tally if name.endswith(".csv")]
    yield FilePart(ARGUMENTS, "".join(f"{argument}\n" for argument in (*_OPTIONS, *arguments)).encode())


def _part(reader: ExportReader, name: str, header: str, lines: Iterator[str]) -> FilePart:
    start = header if name not in reader.tally else ""
    rows = list(lines)
    reader.count(name, len(rows))
    return FilePart(name, (start + "".join(rows)).encode())


def _node_header(label: str) -> str:
    columns = [_title(column) for column in columns_of_node(label)]
    if _has_ends(label):
        columns[0] = f"{NODE_KEYS[label]}:ID({label})"
    return ",".join([*columns, ":LABEL"]) + "\n"


def _edge_header(page: Edges) -> str:
    columns = [_title(column) for column in columns_of_edge(page.type, page.start_label)]
    return ",".join([f":START_ID({page.start_label})", f":END_ID({page.end_label})", *columns, ":TYPE"]) + "\n"


def _title(column: Column) -> str:
    return f"{column.name}:{CSV_TYPES[column.kind]}"


def _has_ends(label: str) -> bool:
    """Return whether relationships may begin or end at nodes of a label; an entry of the log has none."""
    return label != "LogEntry"


def _node_lines(page: Nodes) -> Iterator[str]:
    columns = columns_of_node(page.label)
    for properties in page.properties:
        yield ",".join([*_fields(columns, properties), page.label]) + "\n"


def _edge_lines(page: Edges) -> Iterator[str]:
    columns = columns_of_edge(page.type, page.start_label)
    for edge in page.edges:
        yield ",".join([csv_text(edge.start), csv_text(edge.end), *_fields(columns, edge.properties), page.type]) + "\n"


def _fields(columns: Sequence[Column], properties: dict[str, Any]) -> Iterator[str]:
    for column in columns:
        value = properties.get(column.name)
        yield "" if value is None else _field(value, column.kind)


def _field(value: Any, kind: Kind) -> str:
    if kind.is_list:
        return csv_text(_SEPARATOR.join(str(item).replace(_SEPARATOR, "\ufffd") for item in value))
    if kind is Kind.TIME:
        return format_instant(value)
    if kind is Kind.BOOLEAN:
        return "true" if value else "false"
    return csv_text(value) if kind is Kind.TEXT else repr(float(value) if kind is Kind.FLOAT else int(value))


def csv_text(text: str) -> str:
    """Return a text as a field: in quotes, those in it doubled (RFC 4180)."""
    return '"' + text.replace('"', '""') + '"'
