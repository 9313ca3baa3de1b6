"""The texts of agents as pages show them: nothing in them may mislead a reader about their order or their letters.

Control characters that reorder text (Unicode Bidirectional Algorithm, UAX #9), characters without a glyph, and the
marks of a stack that would cover other lines are shown by their codes, in attributes too. Only the joiners that
Persian, Hindi and emoji need, the choice of an emoji's form, and the text of a form's field stay as they are.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from markupsafe import Markup, escape

from graph.names.confusables import BLANK

_HIDDEN_CATEGORIES = {"Cc", "Cf", "Zl", "Zp"}
_KEPT = {"\u200c", "\u200d", "\ufe0e", "\ufe0f"}

_MOST_MARKS = 4
"""Marks on one letter (Unicode Technical Standard #39 §5.4)."""

BRIEF = 300
"""Characters of a name, or of a claim in a list, that a page shows."""

_SHORT_RUN = 8  # hidden characters of one kind that are named one by one
_MOST_NAMED = 500  # runs of hidden characters in one text

# Letters, digits and visible ASCII are never hidden but for four blank letters; nor are a line break and a tab.
_SUSPECT = re.compile("[^\\w !-~\n\t]+|[\u115f\u1160\u3164\uffa0]")


def shown_text(text: str | None) -> Markup:
    """Return a text as HTML, with a visible name for each hidden character."""
    return Markup(_with_names(str(escape(text or "")), _named))


def brief_text(text: str | None, most: int = BRIEF) -> Markup:
    """Return the beginning of a text as HTML, with a visible name for each hidden character."""
    stated = text or ""
    return shown_text(stated if len(stated) <= most else f"{stated[:most]}…")


def plain_text(text: str | None) -> str:
    """Return a text on one line for a form that is no HTML, with the code in brackets for each hidden character."""
    return named_text(" ".join((text or "").split()))


def named_text(text: str) -> str:
    """Return a text with the code in brackets for each hidden character."""
    return _with_names(text, lambda character: f"[U+{ord(character):04X}]")


def escaped_json(text: str) -> str:
    """Return JSON with an escape for each hidden character."""
    return _SUSPECT.sub(lambda found: "".join(map(_escaped, _marked(found[0]))), text)


def _escaped(marked: tuple[str, bool]) -> str:
    character, is_hidden = marked
    return json.dumps(character)[1:-1] if is_hidden else character


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
    """Return a text with the name of each hidden character in its place, for the first `_MOST_NAMED` of them.

    A run of one hidden character has one name, with the number of characters. The hidden characters after the first
    are counted at the end: a text of them alone would be a page of a hundred times its size.
    """
    named = left_out = 0

    def names_in(found: re.Match[str]) -> str:
        nonlocal named, left_out
        parts: list[str] = []
        for hidden, run in groupby(_marked(found[0])):
            character, is_hidden = hidden
            number = sum(1 for _ in run)
            if not is_hidden:
                parts.append(character * number)
            elif named < _MOST_NAMED:
                named += 1
                parts.append(name(character) * number if number <= _SHORT_RUN else f"{name(character)} × {number}")
            else:
                left_out += number
        return "".join(parts)

    shown = _SUSPECT.sub(names_in, text)
    return f"{shown} (and {left_out} more hidden characters)" if left_out else shown


def _marked(characters: str) -> Iterator[tuple[str, bool]]:
    """Yield each character, and whether it is hidden."""
    marks = 0
    for character in characters:
        category = unicodedata.category(character)
        if character in _KEPT:
            yield character, False
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        is_hidden = category in _HIDDEN_CATEGORIES or BLANK.match(character) is not None
        yield character, is_hidden or marks > _MOST_MARKS


def _named(character: str) -> str:
    name = unicodedata.name(character, f"U+{ord(character):04X}").title()
    return f'<span class="hidden-character" title="{escape(name)}">U+{ord(character):04X}</span>'
