"""Chooses the media type of a response by the `Accept` header (RFC 9110 §12.5.1)."""

from collections.abc import Sequence


def choose_type(accept: str | None, offered: Sequence[str]) -> str | None:
    """Return the offered media type that the header prefers, the first of equals; None if it accepts none."""
    if not accept or not accept.strip():
        return offered[0]
    ranges = [read_range(part) for part in accept.lower().split(",") if part.strip()]
    weights = [(_weight(media_type, ranges), -place) for place, media_type in enumerate(offered)]
    weight, place = max(weights)
    return offered[-place] if weight > 0 else None


def read_range(part: str) -> tuple[str, float]:
    """Return the name and the weight of a member of `Accept` or `Accept-Encoding`; 0 for a weight that is none."""
    media_range, *parameters = (piece.strip() for piece in part.split(";"))
    weight = 1.0
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            weight = _read_weight(value.strip())
    return media_range, weight


def _read_weight(text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        return 0.0
    return weight if 0 <= weight <= 1 else 0.0


def _weight(media_type: str, ranges: Sequence[tuple[str, float]]) -> float:
    """Return the weight of the most specific range that covers the type."""
    for pattern in (media_type, media_type.partition("/")[0] + "/*", "*/*"):
        found = [weight for media_range, weight in ranges if media_range == pattern]
        if found:
            return max(found)
    return 0.0
