"""The templates of the pages, and the words and forms that all of them share."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from graph.names.confusables import mixed_scripts
from graph.web.address import address_of, address_with, parameters_of, sign_in_address
from graph.web.media_address import moment_of, web_address
from graph.web.stylesheet import STYLESHEET
from graph.web.text import brief_text, escaped_json, marked_text, named_text, shown_code, shown_text

_HASH_SHOWN = 12


@cache
def environment() -> Environment:
    """Return the environment of the templates; each value that they show is escaped, and has no hidden character."""
    templates = Environment(
        loader=PackageLoader("graph.web"),
        autoescape=True,
        finalize=written,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals |= {
        "address_of": address_of,
        "address_with": address_with,
        "mixed_scripts": mixed_scripts,
        "moment_of": moment_of,
        "parameters_of": parameters_of,
        "sign_in_address": sign_in_address,
        "stylesheet": STYLESHEET,
        "web_address": web_address,
    }
    templates.filters |= {
        "brief": brief_text,
        "code": shown_code,
        "data": embedded_data,
        "day": shown_day,
        "exact": exact_text,
        "instant": shown_instant,
        "integer": shown_integer,
        "main_citations": main_citations,
        "marked": marked_text,
        "score": shown_score,
        "short": shown_hash,
        "shown": shown_text,
        "words": shown_words,
    }
    return templates


def written(value: Any) -> Any:
    """Return a value as templates write it: a text that is not HTML has the code of each hidden character."""
    return named_text(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def exact_text(text: str | None) -> Markup:
    """Return a text as it is, for the field of a form: sent again, it asks for the same."""
    return escape(text or "")


def shown_score(value: float | None) -> str:
    """Return a probability or score with two digits; never 1.00 or 0.00 for a value that is not."""
    if value is None:
        return "–"
    text = f"{value:.2f}"
    if text == "1.00" and value < 1:
        return "> 0.99"
    return "< 0.01" if text == "0.00" and value > 0 else text


def shown_integer(value: int | None) -> str:
    """Return a count with a thin space between thousands."""
    return "–" if value is None else f"{value:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def shown_hash(value: str | None) -> str:
    """Return the beginning of a hash, without the name of its function."""
    return "–" if value is None else value.removeprefix("sha256:")[:_HASH_SHOWN] + "…"


def shown_instant(value: str | datetime | None) -> Markup | str:
    """Return an instant of GraphQL as a `time` element, in UTC to the second."""
    if value is None:
        return "–"
    instant = datetime.fromisoformat(value) if isinstance(value, str) else value
    return Markup('<time datetime="{}">{}</time>').format(instant.isoformat(), f"{instant:%Y-%m-%d %H:%M:%S} UTC")


def shown_day(value: str | datetime | None) -> Markup | str:
    """Return the day of an instant as a `time` element, in UTC."""
    if value is None:
        return "–"
    instant = datetime.fromisoformat(value) if isinstance(value, str) else value
    return Markup('<time datetime="{}">{}</time>').format(instant.isoformat(), f"{instant:%Y-%m-%d}")


def shown_words(name: str | None) -> str:
    """Return a name of an enumeration or criterion as words: `INSUFFICIENT_EVIDENCE` is "insufficient evidence"."""
    return (name or "–").replace("_", " ").replace("-", " ").lower()


def main_citations(citations: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the citations of most relevance to the claim; the others name its speaker and topic."""
    stated = [1.0 if one["relevanceScore"] is None else one["relevanceScore"] for one in citations]
    return [one for one, relevance in zip(citations, stated, strict=True) if relevance == max(stated)]


def embedded_data(value: Any) -> Markup:
    """Return JSON that may stand in a `script` element of data."""
    return Markup(escaped_json(json.dumps(value, ensure_ascii=False, default=str)).replace("<", "\\u003c"))
