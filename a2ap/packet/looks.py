"""Checks of a member's value: each function returns the expected form in words, or `None` if the value has it."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any

Look = Callable[[Any], str | None]

_DAY = r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{8})"
_ZONE = r"(?P<zone>Z|[+-][0-9]{2}(?::?[0-9]{2})?)"
_TIME = re.compile(rf"{_DAY}T[0-9]{{2}}:?[0-9]{{2}}(?::?[0-9]{{2}}(?:[.,][0-9]{{1,9}})?)?{_ZONE}?")
_DAY_SECONDS = 86_400
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
_UTC = frozenset({"Z", "+00:00", "+0000", "+00", "-00:00"})


def a_text(value: Any) -> str | None:
    """Check for a text with a visible character."""
    return None if isinstance(value, str) and any(map(_is_seen, value)) else "a text"


def an_object(value: Any) -> str | None:
    """Check for an object."""
    return None if isinstance(value, dict) else "an object"


def a_list(value: Any) -> str | None:
    """Check for a list."""
    return None if isinstance(value, list) else "a list"


def texts(value: Any) -> str | None:
    """Check for a list of texts, which may be empty."""
    return None if isinstance(value, list) and not any(map(a_text, value)) else "a list of texts"


def some_texts(value: Any) -> str | None:
    """Check for a list of one text or more."""
    return None if isinstance(value, list) and value and not any(map(a_text, value)) else "a list of at least one text"


def a_boolean(value: Any) -> str | None:
    """Check for true or false."""
    return None if isinstance(value, bool) else "true or false"


def a_count(value: Any) -> str | None:
    """Check for a whole number from 0 on."""
    return None if type(value) is int and value >= 0 else "a whole number from 0 on"


def a_moment(value: Any) -> str | None:
    """Check for an ISO 8601 date, or a time with or without a zone."""
    return None if read_moment(value) is not None else "an ISO 8601 time or date"


def a_utc_time(value: Any) -> str | None:
    """Check for an ISO 8601 time that is explicitly in UTC (§4.1): `Z`, or an offset of zero."""
    match = _TIME.fullmatch(value) if isinstance(value, str) else None
    plain = match is not None and match["zone"] in _UTC and read_moment(value) is not None
    return None if plain else "an ISO 8601 time in UTC"


def one_of(words: type[StrEnum] | Iterable[str]) -> Look:
    """Return a check for one of these words."""
    known = tuple(str(word) for word in words)
    wanted = f"one of {', '.join(known)}"
    allowed = frozenset(known)
    return lambda value: None if isinstance(value, str) and value in allowed else wanted


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set, for the lists of names that modules look for."""
    return frozenset(text.split())


def read_moment(value: Any) -> datetime | None:
    """Return an ISO 8601 date or time, a date and a time without a zone in UTC; `None` for anything else."""
    if not isinstance(value, str) or len(value) > 40:
        return None
    text = value.replace(",", ".")
    try:
        if _TIME.fullmatch(value) is None:
            found = datetime.combine(date.fromisoformat(text), datetime.min.time()) if _is_day(text) else None
        else:
            found = datetime.fromisoformat(text)
        return None if found is None else _in_utc(found)
    except (ValueError, OverflowError):
        return None


def has_ended(value: Any, now: datetime) -> bool:
    """Say whether a period that ends with this ISO 8601 date or time is over; a date lasts until the day is over."""
    end = read_moment(value)
    if end is None:
        return False
    # Seconds since 1970 have no last day.
    return end.timestamp() + (_DAY_SECONDS if _is_day(value) else 0) <= now.timestamp()


def has_zone(value: Any) -> bool:
    """Say whether a text is a time with a zone."""
    match = _TIME.fullmatch(value) if isinstance(value, str) else None
    return match is not None and match["zone"] is not None


def _is_day(text: str) -> bool:
    return re.fullmatch(_DAY, text) is not None


def _in_utc(found: datetime) -> datetime:
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def _is_seen(character: str) -> bool:
    # Not seen: separators, controls and formats, the zero-width ones among them, and letters and signs that are blank.
    category = unicodedata.category(character)
    return category[0] != "Z" and category not in ("Cc", "Cf") and character not in _BLANK
