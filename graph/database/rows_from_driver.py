"""Plain Python values from the driver's results: rows as dicts, times as aware datetimes in UTC."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC
from typing import Any

from neo4j import Record
from neo4j.graph import Node, Relationship
from neo4j.time import Date, DateTime, Time

_PLAIN = frozenset({str, int, float, bool, type(None), bytes})


def native_row(record: Record) -> dict[str, Any]:
    """Return a record as a dict, column by column."""
    # A record iterates its values, and looks each up again where it is asked by name.
    return native_dict(record.keys(), record)


def native_rows(record: Record, columns: Sequence[str]) -> list[dict[str, Any]]:
    """Return the rows of a gathered query, which are one record, as dicts."""
    (rows,) = record
    return [native_dict(columns, values) for values in rows]


def native_value(value: Any) -> Any:
    """Return a driver value with times as Python's, nodes and relationships as dicts of their properties.

    Nanoseconds are rounded to microseconds, and a time with a zone is converted to UTC.
    """
    if type(value) in _PLAIN:
        return value
    if isinstance(value, list):
        return value if _PLAIN.issuperset(map(type, value)) else [native_value(item) for item in value]
    if isinstance(value, (dict, Node, Relationship)):
        return {name: native_value(item) for name, item in value.items()}
    if isinstance(value, DateTime):
        native = value.to_native()
        return native if native.tzinfo is None else native.astimezone(UTC)
    if isinstance(value, (Date, Time)):
        return value.to_native()
    return value


def native_dict(columns: Iterable[str], values: Sequence[Any]) -> dict[str, Any]:
    """Return a row's values by the names of their columns, as plain Python values."""
    # Most rows have plain values alone, and there are thousands of these in a page.
    if _PLAIN.issuperset(map(type, values)):
        return dict(zip(columns, values, strict=True))
    return {
        name: value if type(value) in _PLAIN else native_value(value)
        for name, value in zip(columns, values, strict=True)
    }
