"""Puts together the text that a document shows, in its order."""

import re
from array import array
from html import unescape

from graph.evidence.shown_text import SPACES, UNSEEN, ShownText, as_shown

_TOKEN = re.compile(
    r"(?P<reference>&(?:#[0-9]++;?|#[xX][0-9a-fA-F]++;?|[A-Za-z][A-Za-z0-9]{0,31};?))"
    rf"|(?P<space>[{SPACES}]+)"
    rf"|(?P<unseen>[{UNSEEN}]+)"
    rf"|(?P<words>[^&{SPACES}{UNSEEN}]+(?: [^&{SPACES}{UNSEEN}]+)*|&)"
)
_NUMERIC = re.compile(r"&#([xX]?)([0-9a-fA-F]+);?")
_MOST_DIGITS = 8


class ShownTextBuilder:
    """Takes stretches of a text, half open, in characters and in order; `finish` gives their places in bytes."""

    def __init__(self, rule: str, text: str) -> None:
        self._rule = rule
        self._source = text
        self._texts: list[str] = []
        self._length = 0
        self._at, self._start, self._end = array("I"), array("I"), array("I")
        self._literal = array("B")
        self._gap: tuple[int, int] | None = None

    def add(self, start: int, end: int) -> None:
        """Add text in which character references stand for their characters."""
        for found in _TOKEN.finditer(self._source, start, end):
            if found.lastgroup == "space":
                self.part(*found.span())
            elif found.lastgroup == "words":
                self._put(found[0], *found.span(), literal=True)
            elif found.lastgroup == "reference":
                self._refer(found[0], *found.span())

    def part(self, start: int, end: int) -> None:
        """Separate the words before from the words after: this stretch shows a space, if both exist."""
        self._gap = (self._gap[0] if self._gap else start, end)

    def finish(self) -> ShownText:
        """Return the text with the bytes, in UTF-8, that each piece of it stands in."""
        text = "".join(self._texts)
        if not self._source.isascii():
            self._count_bytes()
        return ShownText(self._rule, text, self._at, self._start, self._end, self._literal)

    def _refer(self, reference: str, start: int, end: int) -> None:
        shown = _character(reference)
        words = as_shown(shown)
        if words:
            self._put(words, start, end, literal=False)
        elif any(character not in UNSEEN for character in shown):
            self.part(start, end)

    def _put(self, words: str, start: int, end: int, *, literal: bool) -> None:
        gap, self._gap = self._gap, None
        if gap is not None and self._length:
            self._piece(" ", *gap, literal=False)
        self._piece(words, start, end, literal=literal)

    def _piece(self, text: str, start: int, end: int, *, literal: bool) -> None:
        self._at.append(self._length)
        self._start.append(start)
        self._end.append(end)
        self._literal.append(literal)
        self._texts.append(text)
        self._length += len(text)

    def _count_bytes(self) -> None:
        """Turn positions in characters, which are in order, into positions in bytes."""
        character = byte = 0
        for piece, (start, end) in enumerate(zip(self._start, self._end, strict=True)):
            byte += len(self._source[character:start].encode())
            length = len(self._source[start:end].encode())
            self._start[piece], self._end[piece] = byte, byte + length
            character, byte = end, byte + length


def _character(reference: str) -> str:
    """Return the characters that a reference shows; a number may have any number of digits (HTML §13.2.5.80)."""
    numeric = _NUMERIC.fullmatch(reference)
    if numeric is None:
        return unescape(reference)
    digits = numeric[2].lstrip("0") or "0"
    return unescape(f"&#{numeric[1]}{digits};") if len(digits) <= _MOST_DIGITS else "\N{REPLACEMENT CHARACTER}"
