"""Rows of a checked query as plain JSON values: nodes as their label and the properties that this reader may see.

Anything outside the graph (docs/reference/graph.md) is left out: labels and types that no query may name are in no row.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime, time
from typing import Any

from neo4j.graph import Node, Path, Relationship
from neo4j.time import Date, DateTime, Duration, Time

from a2ap.times import format_instant
from graph.cypher_text.vocabulary import LABELS, RELATIONSHIPS, properties_of, withheld_of

WITHHELD = "words of sources are withheld from this reader"


def plain_value(value: Any, *, withheld: bool) -> Any:
    """Return a value of the driver as JSON; with `withheld`, without properties that may hold words of sources."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else str(value)
        case Path():
            return {
                "nodes": [plain_value(one, withheld=withheld) for one in value.nodes],
                "relationships": [plain_value(one, withheld=withheld) for one in value.relationships],
            }
        case Node():
            return _entity("label", value.labels, LABELS, value, withheld=withheld)
        case Relationship():
            return _entity("type", [value.type], RELATIONSHIPS, value, withheld=withheld)
        case Mapping():
            return {str(name): plain_value(item, withheld=withheld) for name, item in value.items()}
        case list() | tuple() if not isinstance(value, Duration):
            return [plain_value(item, withheld=withheld) for item in value]
        case _:
            return _written(value)


def _entity(
    what: str, names: Iterable[str], known: Collection[str], value: Node | Relationship, *, withheld: bool
) -> dict[str, Any] | None:
    name = next((name for name in names if name in known), None)
    if name is None:
        return None
    hidden = withheld_of(name) if withheld else frozenset[str]()
    shown: dict[str, Any] = {what: name}
    for one in properties_of(name):
        found = value.get(one)
        if found is None:
            continue
        if one in hidden:
            shown["withheld"] = WITHHELD
        else:
            shown[one] = plain_value(found, withheld=withheld)
    return shown


def _written(value: Any) -> str:
    if isinstance(value, DateTime):
        value = value.to_native()
    if isinstance(value, datetime) and value.tzinfo is not None:
        return format_instant(value)
    if isinstance(value, (Date, Time, Duration)):
        return value.iso_format()
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    return str(value)
