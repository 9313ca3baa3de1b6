"""Times on the wire: instants with a zone (A2AP §2) and cue times of a recording (`HH:MM:SS`).

Nothing here reads a clock. An instant that is kept or compared as a number is whole microseconds. A cue's start is
floored and its end ceiled to whole seconds, so that the written range always contains the real one; the milliseconds
travel beside it.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from a2ap.errors import FieldError

# RFC 3339 §5.6, upper case as in xsd:dateTime; digits after the sixth are read and dropped.
_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})?")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CUE_TIME = re.compile(r"([0-9]{2,3}):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{3}))?")


def parse_instant(value: Any, path: str = "time") -> datetime:
    """Read an RFC 3339 time as an aware datetime in UTC, to the microsecond.

    Raises `FieldError` at `path` for anything else, a time without a zone among them (A2AP §2.1 writes `Z`).
    """
    if not isinstance(value, str):
        raise FieldError(path, "is not a text with a time")
    match = _INSTANT.fullmatch(value)
    if match is None:
        raise FieldError(path, f"is {value[:64]!r}, not a time like 2025-10-14T10:30:00Z")
    if match[2] is None:
        raise FieldError(path, f"is {value!r}, a time without a zone")
    try:
        return datetime.fromisoformat(value).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise FieldError(path, f"is {value!r}, which is no time: {error}") from error


def format_instant(instant: datetime) -> str:
    """Write an aware datetime as RFC 3339 in UTC with `Z`, with a fraction only if there is one."""
    if instant.tzinfo is None:
        raise ValueError("an instant needs a time zone")
    utc = instant.astimezone(UTC)
    fraction = f".{utc.microsecond:06}".rstrip("0") if utc.microsecond else ""
    return utc.isoformat(timespec="seconds").removesuffix("+00:00") + fraction + "Z"


def micros_of(instant: datetime) -> int:
    """Return an aware instant as whole microseconds since 1970."""
    return (instant - _EPOCH) // timedelta(microseconds=1)


def instant_of(micros: int) -> datetime:
    """Return the instant of `micros_of`, in UTC."""
    return _EPOCH + timedelta(microseconds=micros)


def parse_cue_time(value: Any, path: str = "timestamp") -> int:
    """Read `HH:MM:SS` or `HH:MM:SS.mmm` as milliseconds; raises `FieldError` at `path` for anything else."""
    match = _CUE_TIME.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        shown = repr(value[:64]) if isinstance(value, str) else "not a text"
        raise FieldError(path, f"is {shown}; a cue time is written HH:MM:SS or HH:MM:SS.mmm")
    hours, minutes, seconds, fraction = match.groups()
    return ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(fraction or 0)


def format_cue_start(milliseconds: int) -> str:
    """Write the start of a cue as `HH:MM:SS`, floored to the second."""
    return _format_seconds(milliseconds // 1000)


def format_cue_end(milliseconds: int) -> str:
    """Write the end of a cue as `HH:MM:SS`, ceiled to the second."""
    return _format_seconds(-(-milliseconds // 1000))


def format_cue_time(milliseconds: int) -> str:
    """Write a cue time exactly, as `HH:MM:SS.mmm` (the form of WebVTT)."""
    return f"{_format_seconds(milliseconds // 1000)}.{milliseconds % 1000:03}"


def _format_seconds(seconds: int) -> str:
    if seconds < 0:
        raise ValueError(f"a cue time of {seconds} seconds")
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
