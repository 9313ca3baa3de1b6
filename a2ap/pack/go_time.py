"""Times as Go reads and writes them: RFC 3339 with up to nine digits of a second, in the zone that they came in."""

import re
from calendar import monthrange
from datetime import datetime

from a2ap.pack.errors import PackTimeError
from a2ap.times import format_instant

# The first of January of the year 1: the value of a time that nobody gave.
NO_TIME = "0001-01-01T00:00:00Z"

# Go takes an hour of one digit and a comma as well, and drops the digits after the ninth.
_TIME = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?"
    r"(?:(Z)|([+-])([0-9]{2}):([0-9]{2}))"
)


def rewrite_time(text: str) -> str:
    """Return a time as Go writes it again: without trailing zeros, and `Z` for no offset. Raises PackTimeError."""
    match = _TIME.fullmatch(text)
    if match is None:
        raise PackTimeError(f"{text[:64]!r} is not a time like 2026-01-15T10:30:00Z")
    year, month, day, hour, minute, second = (int(match[group]) for group in range(1, 7))
    if not (1 <= month <= 12 and 1 <= day <= _days(year, month) and hour < 24 and minute < 60 and second < 60):
        raise PackTimeError(f"{text[:64]!r} is no time that there is")
    fraction = (match[7] or "")[:9].rstrip("0")
    clock = f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"
    return f"{clock}{f'.{fraction}' if fraction else ''}{_zone(match, text)}"


def time_at(instant: datetime) -> str:
    """Return the text of a moment, in UTC."""
    return rewrite_time(format_instant(instant))


def time_order(text: str) -> tuple[str, str]:
    """Return the key by which times that Go wrote sort, the moment they name first and their text second."""
    return ((in_utc(text) or text).removesuffix("Z"), text)


def in_utc(text: str) -> str | None:
    """Return a time that Go wrote in UTC, to its last digit; `None` outside the years 1 to 9999."""
    match = _TIME.fullmatch(text)
    if match is None or match[1] == "0000":
        return None
    if match[8] is not None:
        return text
    whole = datetime.fromisoformat(f"{text[:19]}{match[9]}{match[10]}:{match[11]}")
    try:
        moved = format_instant(whole).removesuffix("Z")
    except OverflowError:
        return None
    return f"{moved}.{match[7]}Z" if match[7] else f"{moved}Z"


def _days(year: int, month: int) -> int:
    # The year 0 is a leap year to Go; `calendar` begins with the year 1.
    return monthrange(year or 4, month)[1]


def _zone(match: re.Match[str], text: str) -> str:
    if match[8]:
        return "Z"
    hours, minutes = int(match[10]), int(match[11])
    offset = hours * 60 + minutes
    if hours > 24 or minutes > 60 or offset >= 24 * 60:
        raise PackTimeError(f"{text[:64]!r} has an offset of a day or more")
    return f"{match[9]}{offset // 60:02}:{offset % 60:02}" if offset else "Z"
