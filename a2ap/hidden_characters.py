"""The characters of a text that a reader does not see, and their codes in their place.

Hidden are control characters, among them those that reorder text (Unicode Bidirectional Algorithm, UAX #9), characters
without a glyph, and the marks of a stack that would cover other lines. Line feeds and tabs stay, and so do the joiners
that Persian, Hindi and emoji need, and the choice of an emoji's form. The strict rules, for readers that are language
models, also hide a joiner behind another, since many of them can carry a message, and lone surrogates.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import groupby

BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0d\uffa0\ufff0-\ufff8"
    "\U00013441\U00013442\U00016fe4\U0001d159\U000e0000-\U000e0fff]"
)
"""Characters without a glyph that are no format characters: default-ignorable ones (UAX #44), and blanks of scripts."""

# Letters, digits and visible ASCII are never hidden but for four blank letters; nor are a line break and a tab.
_SUSPECT = re.compile("[^\\w !-~\n\t]+|[\u115f\u1160\u3164\uffa0]")
_HIDDEN_CATEGORIES = {"Cc", "Cf", "Zl", "Zp"}
_JOINERS = {"\u200c", "\u200d", "\ufe0e", "\ufe0f"}
_MOST_MARKS = 4  # on one letter (Unicode Technical Standard #39 §5.4)
_SHORT_RUN = 8  # hidden characters of one kind that are named one by one


def with_names(text: str, name: Callable[[str], str], most: int, *, strict: bool = False) -> str:
    """Return a text with the name of each hidden character in its place, for the first `most` runs of them.

    A run of one hidden character has one name, with the number of characters. The hidden characters after the first
    runs are counted at the end: a text of them alone would be a page of a hundred times its size.
    """
    named = left_out = 0

    def names_in(found: re.Match[str]) -> str:
        nonlocal named, left_out
        parts: list[str] = []
        for (character, is_hidden), run in groupby(_marked(found[0], strict=strict)):
            number = sum(1 for _ in run)
            if not is_hidden:
                parts.append(character * number)
            elif named < most:
                named += 1
                parts.append(name(character) * number if number <= _SHORT_RUN else f"{name(character)} × {number}")
            else:
                left_out += number
        return "".join(parts)

    shown = _SUSPECT.sub(names_in, text)
    return f"{shown} (and {left_out} more hidden characters)" if left_out else shown


def replaced(text: str, name: Callable[[str], str]) -> str:
    """Return a text with the name of each hidden character in its place, however many there are."""
    return _SUSPECT.sub(
        lambda found: "".join(
            name(character) if is_hidden else character for character, is_hidden in _marked(found[0])
        ),
        text,
    )


def code_of(character: str) -> str:
    """Return the code of a character in brackets: `[U+202E]`."""
    return f"[U+{ord(character):04X}]"


def _marked(characters: str, *, strict: bool = False) -> Iterator[tuple[str, bool]]:
    """Yield each character, and whether it is hidden."""
    marks = 0
    is_joined = False
    for character in characters:
        if character in _JOINERS:
            yield character, strict and is_joined
            is_joined = True
            continue
        is_joined = False
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        is_hidden = category in _HIDDEN_CATEGORIES or BLANK.match(character) is not None
        yield character, is_hidden or marks > _MOST_MARKS or (strict and category == "Cs")
