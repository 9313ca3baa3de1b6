"""Reads the `Range` header (RFC 9110 §14): one range of bytes; any other value is ignored."""

import re

_RANGE = re.compile(r"bytes\s*=\s*([0-9]{0,18})\s*-\s*([0-9]{0,18})", re.IGNORECASE)


def read_range(header: str | None, length: int) -> tuple[int, int] | None:
    """Return the half-open range requested of a content of `length` bytes, None if all of it is.

    Raises `LookupError` if the content has none of these bytes: 416.
    """
    match = _RANGE.fullmatch(header.strip()) if header else None
    if match is None or match[1] == match[2] == "":
        return None
    if match[1] == "":
        start, end = max(length - int(match[2]), 0), length
    else:
        start, end = int(match[1]), int(match[2]) + 1 if match[2] else length
        if match[2] and end <= start:
            return None
    if start >= length or int(match[2] or 1) == 0 == len(match[1]):
        raise LookupError(f"{header} is beyond the {length} bytes of the content")
    return start, min(end, length)
