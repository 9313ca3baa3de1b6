"""The graph as NDJSON rows, for comparison with another graph: one node or relationship a line, nothing left out.

Rules:

- The first line says for which size of the log and which clearance the rows are, and `unsettled` while scores are being
  worked out again. Nodes follow in the order of `graph.dictionary.labels`, then relationships, both as
  `graph.export.steps` reads them.
- A property is named once, sorted; a time is `{"datetime": text}`, so that it is told apart from text. A text that a
  reader may not see is `""`, and the property `withheld` gives the reason.
- The last line counts the nodes of each label and the relationships of each type in the database, without those that
  this reader may not know of, and has the head of the log as it is then. If a count is greater than the number of lines
  here, the surplus is in the database and belongs to no log entry. If the log grew meanwhile, the head says so, and the
  counts prove nothing. Of a part of the graph nothing is counted.
- If the database has more of a label or type than there are lines of it, all of these follow before the last line as
  `{"listed": label, "key": …}` or `{"listed": type, "start": …, "end": …}`, so that a node that belongs to no entry has
  a name: its key, or else another property that names it. If a reader may not know of some of them, there is no list.
- Rows of changes take the place of those with the same key, and `instead` says that all relationships of a type between
  two labels are those that follow.
"""

import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Any

from a2ap.boundary import Boundary
from a2ap.times import format_instant
from graph.dictionary.labels import NODE_KEYS
from graph.export.graph_reader import Edges, Nodes
from graph.export.reader import ExportReader

ROWS_VERSION = 1

_MOST_LISTED = 1_000_000
"""The most names that are listed of one label or type."""
# The properties that name a node that lacks the key of its label, those first that are its alone.
_NAMES = tuple(dict.fromkeys(("statement_id", "verification_id", "request_id", *NODE_KEYS.values())))

# Leases are for the moment: no entry makes them, and who has which is nobody else's. Vectors are an index, and so
# are the texts of each class.
_SEARCH_TEXTS = frozenset(
    f"Search{boundary.value.title().replace('-', '')}{kind}" for boundary in Boundary for kind in ("Passage", "Title")
)
_NOT_LOGGED = frozenset({"Lease", "LeaseCall", "LeaseHead", "SearchVector", "SearchIndex"}) | _SEARCH_TEXTS


async def graph_rows(reader: ExportReader) -> AsyncIterator[bytes]:
    """Yield the lines of the graph."""
    since = {"since": reader.since} if reader.since else {}
    unsettled = {"unsettled": True} if await _is_unsettled(reader) else {}
    about = {"v": ROWS_VERSION, "logSize": reader.size, "clearance": reader.clearance.value, **since, **unsettled}
    yield _line({"graph": about})
    given = Counter[str]()
    async for nodes in reader.nodes():
        given[nodes.label] += len(nodes.properties)
        yield b"".join(_node_lines(nodes))
    async for page in reader.edges():
        given[page.type] += len(page.edges)
        if page.is_instead and not page.edges:
            yield _line({"instead": page.type, "startLabel": page.start_label, "endLabel": page.end_label})
        yield b"".join(_edge_lines(page))
    if reader.is_whole:
        counts = await _counts(reader)
        if all(head.get("size") == reader.size for head in counts["heads"]):
            async for line in _listed(reader, counts["counted"], given):
                yield line
        yield _line(counts)


async def _is_unsettled(reader: ExportReader) -> bool:
    """Return whether scores are being worked out again: some of them are of another policy or epoch than the rest."""
    heads = await reader.store.read("log_head")
    return any(row["properties"].get("rescore_from") is not None for row in heads)


def _node_lines(page: Nodes) -> Iterator[bytes]:
    name = NODE_KEYS[page.label]
    for properties in page.properties:
        yield _line({"node": page.label, "key": properties.get(name), "properties": _plain(properties)})


def _edge_lines(page: Edges) -> Iterator[bytes]:
    for edge in page.edges:
        properties = _plain(edge.properties)
        yield _line({"relationship": page.type, "start": edge.start, "end": edge.end, "properties": properties})


async def _counts(reader: ExportReader) -> dict[str, Any]:
    """Return the database's counts of each label and type, without those that this reader may not know of."""
    store, left_out = reader.store, reader.left_out
    labels = [row for row in await store.read("count_labels") if row["label"] not in _NOT_LOGGED]
    types = await store.read("count_relationships")
    counted = {
        "nodes": {row["label"]: row["number"] - left_out.get(row["label"], 0) for row in labels},
        "relationships": {row["type"]: row["number"] - left_out.get(row["type"], 0) for row in types},
    }
    # Read last: where it still says `size`, nothing was added while the rest was read.
    heads = [_plain(row["properties"]) for row in await store.read("log_head")]
    return {"counted": counted, "heads": heads}


async def _listed(
    reader: ExportReader, counted: Mapping[str, Mapping[str, int]], given: Mapping[str, int]
) -> AsyncIterator[bytes]:
    """Yield the names of all nodes and relationships of each label and type of which there are more than were given."""
    for label, number in counted["nodes"].items():
        if number > given.get(label, 0) and not reader.left_out.get(label):
            async with aclosing(reader.store.stream("nodes_of_label", label=label, first=_MOST_LISTED)) as rows:
                async for row in rows:
                    yield _line({"listed": label, "key": _name_of([label], row["properties"])})
    for kind, number in counted["relationships"].items():
        if number > given.get(kind, 0) and not reader.left_out.get(kind):
            async with aclosing(reader.store.stream("relationships_of_type", type=kind, first=_MOST_LISTED)) as rows:
                async for row in rows:
                    start = _name_of(row["start_labels"], row["start"])
                    yield _line({"listed": kind, "start": start, "end": _name_of(row["end_labels"], row["end"])})


def _name_of(labels: Sequence[str], properties: Mapping[str, Any]) -> Any:
    """Return the name of a node: its key, or else the first other property that names it; None if none does."""
    keys = [NODE_KEYS[label] for label in labels if label in NODE_KEYS]
    return next((properties[name] for name in (*keys, *_NAMES) if properties.get(name) is not None), None)


def _plain(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _value(properties[name]) for name in sorted(properties) if properties[name] is not None}


def _value(value: Any) -> Any:
    if isinstance(value, datetime):
        # Nobody here writes one without a zone; a value that somebody else wrote must not end the export.
        return {"datetime": format_instant(value)} if value.tzinfo else {"localDatetime": value.isoformat()}
    if isinstance(value, (list, tuple)):
        return [_value(item) for item in value]
    return value


def _line(members: dict[str, Any]) -> bytes:
    # Escaped, so that no reader takes a separator of lines in a text for the end of one.
    return (json.dumps(members, separators=(",", ":"), default=repr) + "\n").encode()
