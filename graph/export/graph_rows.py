"""The graph as NDJSON rows, for whoever compares it with another: one node or relationship a line, nothing left out.

Rules:

- The first line says for which size of the log and which clearance the rows are. Nodes follow in the order of
  `graph_reader.NODE_KEYS`, then relationships, both as that module reads them.
- A property is named once, sorted; a time is `{"datetime": text}`, so that it is told apart from text. What a reader
  may not see is `""`, and the property `withheld` says why.
- The last line counts what the database has of each label and type, and has the head of the log as it is then. What
  has more there than lines here is in the database and belongs to no log entry. Where the log grew meanwhile, the head
  says so, and the counts say nothing.
"""

import json
from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from typing import Any

from a2ap.boundary import Boundary
from a2ap.times import format_instant
from graph.export.graph_reader import NODE_KEYS, GraphReader
from graph.store import Store

ROWS_VERSION = 1

# Leases are for the moment: no entry makes them, and who has which is nobody else's.
_NOT_LOGGED = frozenset({"Lease", "LeaseCall", "LeaseHead"})


async def graph_rows(store: Store, size: int, clearance: Boundary) -> AsyncIterator[str]:
    """Yield the lines of the graph at `size` log entries, for a reader with this clearance."""
    yield _line({"graph": {"v": ROWS_VERSION, "logSize": size, "clearance": clearance.value}})
    reader = GraphReader(store, size, clearance)
    async for nodes in reader.nodes():
        name = NODE_KEYS[nodes.label]
        yield "".join(
            _line({"node": nodes.label, "key": properties.get(name), "properties": _plain(properties)})
            for properties in nodes.properties
        )
    async for page in reader.edges():
        yield "".join(
            _line(
                {
                    "relationship": page.type,
                    "start": edge.start,
                    "end": edge.end,
                    "properties": _plain(edge.properties),
                }
            )
            for edge in page.edges
        )
    counted = {
        "nodes": {
            row["label"]: row["number"] for row in await store.read("count_labels") if row["label"] not in _NOT_LOGGED
        },
        "relationships": {row["type"]: row["number"] for row in await store.read("count_relationships")},
    }
    # Read last: where it still says `size`, nothing was added while the rest was read.
    heads = [_plain(row["properties"]) for row in await store.read("log_head")]
    yield _line({"counted": counted, "heads": heads})


def _plain(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _value(properties[name]) for name in sorted(properties) if properties[name] is not None}


def _value(value: Any) -> Any:
    if isinstance(value, datetime):
        # Nobody here writes one without a zone; what somebody else wrote must not end the export.
        return {"datetime": format_instant(value)} if value.tzinfo else {"localDatetime": value.isoformat()}
    if isinstance(value, (list, tuple)):
        return [_value(item) for item in value]
    return value


def _line(members: dict[str, Any]) -> str:
    # Escaped, so that no reader takes a separator of lines in a text for the end of one.
    return json.dumps(members, separators=(",", ":"), default=repr) + "\n"
