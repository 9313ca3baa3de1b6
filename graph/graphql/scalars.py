"""Scalars beyond GraphQL's own: times as RFC 3339 in UTC, and sizes beyond 2³¹.

Queries return times as microseconds (`a2ap.times.instant_of`), since the driver's own time values are slow to read.
"""

from datetime import datetime
from typing import Any, NewType

import strawberry
from strawberry.types.scalar import ScalarDefinition

from a2ap.errors import FieldError
from a2ap.times import format_instant, parse_instant

ByteCount = NewType("ByteCount", int)


def _parse_time(value: Any) -> datetime:
    try:
        return parse_instant(value)
    except FieldError as error:
        raise ValueError(str(error)) from error


SCALARS: dict[object, ScalarDefinition] = {
    datetime: strawberry.scalar(
        name="DateTime",
        description="A time in UTC, as in RFC 3339: 2025-10-14T10:30:00Z.",
        specified_by_url="https://www.rfc-editor.org/rfc/rfc3339",
        serialize=format_instant,
        parse_value=_parse_time,
    ),
    ByteCount: strawberry.scalar(
        name="ByteCount",
        description="A number of bytes, up to 2^53 - 1.",
        serialize=int,
        parse_value=int,
    ),
}
