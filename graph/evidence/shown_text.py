"""Shown text: the text that a document shows its readers, and the bytes in which each of its characters stands.

Quotes are compared without the differences that a reader does not see: white space of any length is one space, and soft
hyphens and characters without width are nothing. Letters, case and punctuation are compared as they are.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from a2ap.messages.evidence import ByteRange

# Fixed here, so that no version of Unicode or of Python changes the matches of a rule.
SPACES = "\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
UNSEEN = "\xad\u200b\u2060\ufeff"

_SPACES = re.compile(f"[{SPACES}]+")
_UNSEEN = re.compile(f"[{UNSEEN}]+")


class Unreadable(Exception):
    """A document of a known kind cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a PDF, counted from 1: its text, and the bytes that it stands in, None if these are not known.

    `letters` are the letters and figures of its text. `hides` says why not all of it may be shown, `besides` which
    other content of the page may show words; "" for nothing.
    """

    number: int
    text: str
    letters: str
    span: ByteRange | None
    hides: str
    besides: str


@dataclass(frozen=True, slots=True)
class Shown:
    """The text that cited bytes show by the named rule; None if it is unknown, and then why.

    `pages` are those of a PDF that the text comes from, none for other kinds. If `is_passing`, the text may become
    known when the reading is tried again.
    """

    rule: str
    text: str | None
    why: str = ""
    pages: tuple[Page, ...] = ()
    is_passing: bool = False


@dataclass(frozen=True, slots=True)
class ShownText:
    """The text that a document shows, by the rule of that name and version.

    The text consists of consecutive pieces: piece `i` begins at character `at[i]`, and stands in the bytes `start[i]`
    to before `end[i]`, in all of them together unless it is `literal[i]`, the very text. The pieces are in this order.
    """

    rule: str
    text: str
    at: array[int]
    start: array[int]
    end: array[int]
    literal: array[int]

    @property
    def weight(self) -> int:
        """Return the approximate memory that this object takes, in bytes."""
        return 4 * len(self.text) + 13 * len(self.at)

    def within(self, byte_range: ByteRange) -> str:
        """Return the text that these bytes show; a character that stands in more bytes than these shows nothing."""
        first = bisect_right(self.end, byte_range.start)
        last = bisect_left(self.start, byte_range.end)
        return "".join(self._part(piece, byte_range) for piece in range(first, last))

    def find(self, quote: str) -> Iterator[ByteRange]:
        """Yield the bytes in which these words stand, once for each place at which they are shown."""
        words = as_shown(quote)
        position = self.text.find(words) if words else -1
        while position >= 0:
            yield ByteRange(self._byte(position), self._byte_after(position + len(words) - 1))
            position = self.text.find(words, position + 1)

    def _part(self, piece: int, byte_range: ByteRange) -> str:
        text = self._piece(piece)
        start, end = self.start[piece], self.end[piece]
        if byte_range.start <= start and end <= byte_range.end:
            return text
        if not self.literal[piece]:
            return ""
        inside = text.encode()[max(byte_range.start - start, 0) : byte_range.end - start]
        return inside.decode("utf-8", "ignore")

    def _piece(self, piece: int) -> str:
        after = self.at[piece + 1] if piece + 1 < len(self.at) else len(self.text)
        return self.text[self.at[piece] : after]

    def _byte(self, position: int) -> int:
        piece = bisect_right(self.at, position) - 1
        before = len(self.text[self.at[piece] : position].encode()) if self.literal[piece] else 0
        return self.start[piece] + before

    def _byte_after(self, position: int) -> int:
        piece = bisect_right(self.at, position) - 1
        if not self.literal[piece]:
            return self.end[piece]
        return self._byte(position) + len(self.text[position].encode())


def as_shown(quote: str) -> str:
    """Return a quote in the form of `ShownText`."""
    return _SPACES.sub(" ", _UNSEEN.sub("", quote)).strip(" ")
