"""The choices of a form in an address: a value of a list, or none; another value is an error that names the field."""

import re
from collections.abc import Iterable

from fastapi import Request

from graph.errors import InputError

_MOST_DIGITS = 15
_SHARE = re.compile(r"[01](\.[0-9]{1,15})?|\.[0-9]{1,15}")


def chosen_text(request: Request, name: str, most: int = 1000) -> str | None:
    """Return the text of a field, None if it is empty; raise `InputError` if it is longer than `most` characters."""
    text = request.query_params.get(name, "").strip()
    if len(text) > most:
        raise InputError(f"{name} has {len(text)} characters, more than {most}", name)
    return text or None


def chosen_value(request: Request, name: str, known: Iterable[str]) -> str | None:
    """Return the value of a field, None if it is empty; raise `InputError` unless it is one of `known`."""
    value = chosen_text(request, name)
    allowed = list(known)
    if value is not None and value not in allowed:
        raise InputError(f"{name} is {value[:40]!r}, not one of {', '.join(allowed)}", name)
    return value


def chosen_flag(request: Request, name: str) -> bool | None:
    """Return whether a field is "yes" or "no", None if it is empty."""
    value = chosen_value(request, name, ("yes", "no"))
    return None if value is None else value == "yes"


def chosen_number(request: Request, name: str) -> int | None:
    """Return the whole number of a field, None if it is empty; raise `InputError` for another text."""
    text = chosen_text(request, name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > _MOST_DIGITS:
        raise InputError(f"{name} is {text[:40]!r}, not a whole number", name)
    return int(text)


def chosen_share(request: Request, name: str) -> float | None:
    """Return the number from 0 to 1 of a field, None if it is empty; raise `InputError` for another text."""
    text = chosen_text(request, name)
    if text is None:
        return None
    if not _SHARE.fullmatch(text) or float(text) > 1:
        raise InputError(f"{name} is {text[:40]!r}, not a number from 0 to 1", name)
    return float(text)
