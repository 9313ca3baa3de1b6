"""The texts of agents as pages show them: nothing in them may mislead a reader about their order or their letters.

Control characters that reorder text (Unicode Bidirectional Algorithm, UAX #9), characters without a glyph, and the
marks of a stack that would cover other lines are shown by their codes, in attributes too. Only the joiners that
Persian, Hindi and emoji need, the choice of an emoji's form, and the text of a form's field stay as they are.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence

from markupsafe import Markup, escape

from graph.names.confusables import BLANK

_HIDDEN_CATEGORIES = {"Cc", "Cf", "Zl", "Zp"}
_KEPT = {"\u200c", "\u200d", "\ufe0e", "\ufe0f"}

_MOST_MARKS = 4
"""Marks on one letter (Unicode Technical Standard #39 §5.4)."""

# Letters, digits and visible ASCII are never hidden but for four blank letters; nor are a line break and a tab.
_SUSPECT = re.compile("[^\\w !-~\n\t]+|[\u115f\u1160\u3164\uffa0]")


def shown_text(text: str | None) -> Markup:
    """Return a text as HTML, with a visible name for each hidden character."""
    return Markup(_with_names(str(escape(text or "")), _named))


def plain_text(text: str | None) -> str:
    """Return a text on one line for a form that is no HTML, with the code in brackets for each hidden character."""
    return named_text(" ".join((text or "").split()))


def named_text(text: str) -> str:
    """Return a text with the code in brackets for each hidden character."""
    return _with_names(text, lambda character: f"[U+{ord(character):04X}]")


def escaped_json(text: str) -> str:
    """Return JSON with an escape for each hidden character."""
    return _with_names(text, lambda character: json.dumps(character)[1:-1])


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


def _with_names(text: str, name: Callable[[str], str]) -> str:
    """Return a text with the name of each hidden character in its place."""
    return _SUSPECT.sub(lambda found: "".join(_names_in(found[0], name)), text)


def _names_in(characters: str, name: Callable[[str], str]) -> Iterator[str]:
    marks = 0
    for character in characters:
        category = unicodedata.category(character)
        if character in _KEPT:
            yield character
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        is_hidden = category in _HIDDEN_CATEGORIES or BLANK.match(character) is not None
        yield name(character) if is_hidden or marks > _MOST_MARKS else character


def _named(character: str) -> str:
    name = unicodedata.name(character, f"U+{ord(character):04X}").title()
    return f'<span class="hidden-character" title="{escape(name)}">U+{ord(character):04X}</span>'
