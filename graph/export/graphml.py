"""The graph as GraphML: one directed graph that networkx, Gephi, yEd and igraph load, its keys typed.

Rules:

- A node's id is its label, `/` and its key; a relationship's has no id. The label and the type are `labels` and `type`.
- Integers are `long`, times RFC 3339 text, and lists JSON text: GraphML has neither times nor lists.
- XML 1.0 has no control characters and no lone surrogates: each is U+FFFD. A carriage return is written as `&#13;`.
"""

import json
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from a2ap.times import format_instant
from graph.dictionary.labels import NODE_KEYS
from graph.dictionary.term import Column, Kind
from graph.export.columns import columns_of_edge, columns_of_node
from graph.export.graph_reader import Edges, Nodes
from graph.export.reader import ExportReader
from graph.export.steps import EDGE_STEPS, NODE_STEPS

_NOT_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
_ESCAPES = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;", ord("\r"): "&#13;"}
_TYPES = {Kind.INTEGER: "long", Kind.FLOAT: "double", Kind.BOOLEAN: "boolean"}

_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
<key id="labels" for="node" attr.name="labels" attr.type="string"/>
<key id="type" for="edge" attr.name="type" attr.type="string"/>
"""


async def graphml(reader: ExportReader) -> AsyncIterator[bytes]:
    """Yield the document."""
    if reader.is_fresh:
        yield f'{_HEAD}{"".join(_keys())}<graph edgedefault="directed">\n'.encode()
    async for nodes in reader.nodes():
        yield "".join(_node_elements(nodes)).encode()
    async for edges in reader.edges():
        yield "".join(_edge_elements(edges)).encode()
    yield b"</graph>\n</graphml>\n"


def _keys() -> Iterator[str]:
    """Yield the declarations; properties with one name and one type share a key, for all labels or types."""
    of_nodes = {column for step in NODE_STEPS for column in columns_of_node(step.label)}
    of_edges = {column for step in EDGE_STEPS for column in columns_of_edge(step.type, step.start)}
    for kind, columns in (("node", of_nodes), ("edge", of_edges)):
        # Columns of one name and type may differ in their meaning, and in a kind that GraphML has no type for.
        by_key = {_key(kind, column): column for column in columns}
        for key, column in sorted(by_key.items(), key=lambda one: (one[1].name, one[0])):
            yield f'<key id="{key}" for="{kind}" attr.name="{column.name}" attr.type="{_type(column)}"/>\n'


def _key(kind: str, column: Column) -> str:
    return f"{kind}.{column.name}.{_type(column)}"


def _type(column: Column) -> str:
    return _TYPES.get(column.kind, "string")


def _node_elements(page: Nodes) -> Iterator[str]:
    name, columns = NODE_KEYS[page.label], columns_of_node(page.label)
    for properties in page.properties:
        data = "".join(_data("node", columns, properties))
        yield f'<node id="{_id(page.label, properties[name])}"><data key="labels">{page.label}</data>{data}</node>\n'


def _edge_elements(page: Edges) -> Iterator[str]:
    columns = columns_of_edge(page.type, page.start_label)
    for edge in page.edges:
        ends = f'source="{_id(page.start_label, edge.start)}" target="{_id(page.end_label, edge.end)}"'
        data = "".join(_data("edge", columns, edge.properties))
        yield f'<edge {ends}><data key="type">{page.type}</data>{data}</edge>\n'


def _id(label: str, key: Any) -> str:
    # In an attribute, line breaks and tabs would become spaces.
    return xml_text(f"{label}/{key}").replace("\n", "&#10;").replace("\t", "&#9;")


def _data(kind: str, columns: Sequence[Column], properties: dict[str, Any]) -> Iterator[str]:
    for column in columns:
        value = properties.get(column.name)
        if value is not None:
            yield f'<data key="{_key(kind, column)}">{_value(value, column.kind)}</data>'


def _value(value: Any, kind: Kind) -> str:
    if kind.is_list:
        return xml_text(json.dumps(list(value), ensure_ascii=False, separators=(",", ":")))
    if kind is Kind.TIME:
        return format_instant(value)
    if kind is Kind.BOOLEAN:
        return "true" if value else "false"
    if kind is Kind.FLOAT:
        return repr(float(value))
    return xml_text(str(value))


def xml_text(text: str) -> str:
    """Return a text as it stands between tags or in an attribute; characters that XML does not have become U+FFFD."""
    return _NOT_XML.sub("\ufffd", text).translate(_ESCAPES)
