"""Values of the graph as PostgreSQL values.

PostgreSQL's text can hold neither U+0000 nor half of a surrogate pair; signed messages may have both. Each such
character becomes U+FFFD here, as in GraphML (docs/decisions/0213): the exact bytes are in the message.
"""

import re
from datetime import datetime
from typing import Any

from a2ap.times import parse_instant
from graph.dictionary.term import Kind

_NOT_TEXT = re.compile("[\x00\ud800-\udfff]")


def sql_value(value: Any, kind: Kind) -> Any:
    """Return a value of a `graph-ndjson` row for a column of a kind; None stays None."""
    if value is None:
        return None
    if kind.is_list:
        return [_item(item, kind) for item in value]
    if kind is Kind.TIME:
        return _time(value)
    return _item(value, kind)


def sql_text(text: str) -> str:
    """Return a text with U+FFFD for the characters that PostgreSQL cannot hold."""
    return text if text.isascii() and "\x00" not in text else _NOT_TEXT.sub("\ufffd", text)


def _item(value: Any, kind: Kind) -> Any:
    if kind in (Kind.TEXT, Kind.TEXTS):
        return sql_text(str(value))
    if kind in (Kind.FLOAT, Kind.FLOATS):
        return float(value)
    return value


def _time(value: Any) -> datetime:
    return parse_instant(value["datetime"], "a time") if isinstance(value, dict) else parse_instant(value, "a time")
