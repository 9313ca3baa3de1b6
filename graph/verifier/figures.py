"""Parses the figures of a text: sign, value, scale."""

import re
from dataclasses import dataclass

from graph.transcripts.captions import spoken_text

_FIGURE = re.compile(
    r"(?P<currency>[$€£¥])?(?P<value>\d+(?:[.,:]\d+)*)(?P<ordinal>st|nd|rd|th)?"
    r"(?:\s?(?P<percent>%|percent\b|per cent\b))?"
    r"(?:\s(?P<scale>hundred|thousand|million|billion|trillion)\b)?(?:\s(?P<money>dollars?|euros?|pounds?)\b)?",
    re.IGNORECASE,
)
_MONEY = {"dollar": "$", "euro": "€", "pound": "£"}


@dataclass(frozen=True, slots=True)
class Figure:
    """A value as written without thousands separators, with its scale ("million") and its sign ("$", "%", "")."""

    value: str
    scale: str
    sign: str


def figures_in(text: str) -> tuple[Figure, ...]:
    """Return the figures of a text in their order; numbers written in words are left out."""
    return tuple(_figure(match) for match in _FIGURE.finditer(spoken_text(text)))


def _figure(match: re.Match[str]) -> Figure:
    money = (match["money"] or "").lower().rstrip("s")
    sign = match["currency"] or ("%" if match["percent"] else _MONEY.get(money, ""))
    return Figure(re.sub(r",(?=\d{3})", "", match["value"]), (match["scale"] or "").lower(), sign)
