"""Cited bytes: the content of a byte range of a source, its time, and whether the range cuts a character in two."""

from bisect import bisect_left, bisect_right
from codecs import utf_8_decode
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from a2ap.messages.evidence import ByteRange
from graph.evidence.shown_text import Shown

_LENGTH_BY_LEAD = {0xC: 2, 0xD: 2, 0xE: 3, 0xF: 4}


class CueTiming(NamedTuple):
    """The text of one caption as a half-open byte range of its file, and its time in milliseconds."""

    text_start: int
    text_end: int
    start_ms: int
    end_ms: int


_text_start = attrgetter("text_start")
_text_end = attrgetter("text_end")


@dataclass(frozen=True, slots=True)
class CitedBytes:
    """The content of a byte range of a source.

    `length` is that of the source in bytes. `cue` is the time, in milliseconds, of the captions that the bytes belong
    to, None if there are none. `cuts_character` is None if only the cited bytes are known, not their neighbours.
    `unread` means that the bytes are held and were not read, because the statement cites too many. `shown` is the text
    that the bytes show, None if the bytes themselves are the text.
    """

    length: int
    content: bytes
    cue: tuple[int, int] | None = None
    cuts_character: bool | None = None
    unread: bool = False
    shown: Shown | None = None


def cite(
    document: bytes, byte_range: ByteRange, cues: Sequence[CueTiming] | None = None, shown: Shown | None = None
) -> CitedBytes:
    """Cut the cited bytes out of a whole document.

    `cues` are the document's captions in the order of their bytes, None for a document that has none.
    """
    start, end = byte_range.start, byte_range.end
    return CitedBytes(
        length=len(document),
        content=document[start:end],
        cue=_time_of(cues, start, end) if cues else None,
        cuts_character=_cuts(document, start) or _cuts(document, end),
        shown=shown,
    )


def edges_cut(content: bytes) -> bool:
    """Return whether bytes are UTF-8 text, apart from an incomplete first or last character."""
    if _is_text(content):
        return False
    begun = 0
    while begun < min(3, len(content)) and _continues(content[begun]):
        begun += 1
    try:
        utf_8_decode(content[begun:], "strict", False)  # False: the last character may be incomplete.
    except UnicodeDecodeError:
        return False
    return True


def _time_of(cues: Sequence[CueTiming], start: int, end: int) -> tuple[int, int] | None:
    """Return the start and end time of the captions whose text the bytes `start..end` touch, None if there are none."""
    first = bisect_right(cues, start, key=_text_end)
    last = bisect_left(cues, end, key=_text_start)
    touched = cues[first:last]
    if not touched:
        return None
    return min(cue.start_ms for cue in touched), max(cue.end_ms for cue in touched)


def _cuts(document: bytes, position: int) -> bool:
    """Return whether `position` lies within a UTF-8 character of the document."""
    if position >= len(document) or not _continues(document[position]):
        return False
    for lead in range(max(position - 3, 0), position):
        length = _LENGTH_BY_LEAD.get(document[lead] >> 4, 1)
        if position < lead + length and _is_text(document[lead : lead + length]):
            return True
    return False


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _continues(byte: int) -> bool:
    return byte & 0xC0 == 0x80
