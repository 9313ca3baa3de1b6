"""The texts of agents as pages show them: nothing in them may mislead a reader about their order or their letters.

Hidden characters (`a2ap/hidden_characters.py`) are shown by their codes, in attributes too. Only the text of a form's
field stays as it is.
"""

import json
import unicodedata
from collections.abc import Mapping, Sequence

from markupsafe import Markup, escape

from a2ap.hidden_characters import code_of, replaced, with_names

BRIEF = 300
"""Characters of a name, or of a claim in a list, that a page shows."""

_MOST_NAMED = 500  # runs of hidden characters in one text


def shown_text(text: str | None) -> Markup:
    """Return a text as HTML, with a visible name for each hidden character."""
    return Markup(with_names(str(escape(text or "")), _named, _MOST_NAMED))


def brief_text(text: str | None, most: int = BRIEF) -> Markup:
    """Return the beginning of a text as HTML, with a visible name for each hidden character."""
    stated = text or ""
    return shown_text(stated if len(stated) <= most else f"{stated[:most]}…")


def plain_text(text: str | None) -> str:
    """Return a text on one line for a form that is no HTML, with the code in brackets for each hidden character."""
    return named_text(" ".join((text or "").split()))


def named_text(text: str) -> str:
    """Return a text with the code in brackets for each hidden character."""
    return with_names(text, code_of, _MOST_NAMED)


def escaped_json(text: str) -> str:
    """Return JSON with an escape for each hidden character."""
    return replaced(text, lambda character: json.dumps(character)[1:-1])


def marked_text(text: str | None, highlights: Sequence[Mapping[str, int]]) -> Markup:
    """Return a text as HTML with `mark` around the ranges in it, which are half-open, in characters."""
    text, parts, place = text or "", [], 0
    for highlight in sorted(highlights, key=lambda one: one["start"]):
        start, end = max(highlight["start"], place), min(highlight["end"], len(text))
        if start < end:
            parts += [shown_text(text[place:start]), Markup("<mark>"), shown_text(text[start:end]), Markup("</mark>")]
            place = end
    return Markup("").join([*parts, shown_text(text[place:])])


def shown_code(text: str | None) -> Markup:
    """Return a text as HTML with `code` around the parts between backquotes."""
    parts = (text or "").split("`")
    if len(parts) % 2 == 0:
        return shown_text(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(shown_text(part)) if place % 2 else shown_text(part)
        for place, part in enumerate(parts)
    )


def _named(character: str) -> str:
    name = unicodedata.name(character, f"U+{ord(character):04X}").title()
    return f'<span class="hidden-character" title="{escape(name)}">U+{ord(character):04X}</span>'
