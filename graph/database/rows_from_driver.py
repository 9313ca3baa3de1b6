"""Plain Python values for what the driver returns: rows as dicts, times as aware datetimes in UTC."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from neo4j import Record
from neo4j.graph import Node, Relationship
from neo4j.time import Date, DateTime, Time

_PLAIN = frozenset({str, int, float, bool, type(None), bytes})


def native_row(record: Record) -> dict[str, Any]:
    """Return a record as a dict, column by column."""
    return {name: native_value(record[name]) for name in record.keys()}  # noqa: SIM118 - a record iterates its values


def native_value(value: Any) -> Any:
    """Return a driver value with times as Python's, nodes and relationships as dicts of their properties.

    Nanoseconds are rounded to microseconds, and a time with a zone comes back in UTC.
    """
    if type(value) in _PLAIN:
        return value
    if isinstance(value, list):
        return [native_value(item) for item in value]
    if isinstance(value, (dict, Node, Relationship)):
        return {name: native_value(item) for name, item in value.items()}
    if isinstance(value, DateTime):
        native = value.to_native()
        return native if native.tzinfo is None else native.astimezone(UTC)
    if isinstance(value, (Date, Time)):
        return value.to_native()
    return value
