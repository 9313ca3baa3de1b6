"""The one form in which words of pages and of quotes are compared, and the letters that they are reduced to."""

import re

from a2ap.normal_form import normal_form
from graph.evidence.shown_text import SPACES, UNSEEN, as_shown

MARK = "\xad"
"""Stands for a hyphen at the end of a line, between letters."""

_LIGATURES = {0xFB00 + number: letters for number, letters in enumerate(("ff", "fi", "fl", "ffi", "ffl", "st", "st"))}
_LETTER, _SIGN = "A-Za-z\xc0-\u1fff", "0-9A-Za-z\xc0-\u1fff"
_LINE_END = rf"[-\u2010\xad][ \t]*[\r\n][{SPACES}]*"
_BROKEN_WORD = re.compile(rf"(?<=[{_LETTER}]){_LINE_END}(?=[{_LETTER}])")
_BROKEN_NUMBER = re.compile(rf"(?<=[{_SIGN}]){_LINE_END}(?=[{_SIGN}])")
_SPACES = re.compile(f"[{SPACES}]+")
_UNSEEN = re.compile(f"[{UNSEEN.replace(MARK, '')}]+")
# A letter may be eighteen when it is taken apart: so many at a time.
_PIECE = 10_000


def page_text(extracted: str) -> str:
    """Return the text of a page in the form for comparison, from its extracted lines."""
    text = _UNSEEN.sub("", extracted.translate(_LIGATURES))
    broken = _BROKEN_WORD.sub("\0", text.replace("\0", ""))
    kept = _BROKEN_NUMBER.sub("-", broken).replace(MARK, "").replace("\0", MARK)
    return _SPACES.sub(" ", kept).strip(" ")


def as_quoted(quote: str) -> str:
    """Return a quote in the form of page text."""
    return as_shown(quote.translate(_LIGATURES))


def letters_of(text: str) -> str:
    """Return the letters and figures of a text: these stay the same however they are set, divided or spaced."""
    pieces = (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))
    return "".join("".join(filter(str.isalnum, normal_form("NFKD", piece).casefold())) for piece in pieces)
