"""The times of the bytes of a caption file, with which the machine's check compares cue times.

Sources come from strangers, so only the times are read, in time linear in the source's length. The rules:

- A cue begins with a line that has two times around `-->`, and its text goes on to an empty line, the next line with
  `-->`, or the end of the file. Markup and labels in front of the words count as text.
- In SubRip a line with only a number above the times belongs to no text.
- A document that begins neither as WebVTT nor with times in its first 64 KiB is no caption file.
"""

import re
from collections.abc import Iterator

from graph.evidence.cited_bytes import CueTiming

# The longest recording tried has 10,486. A document with more lines like these is not compared by time.
MAX_CUES = 100_000

_HEAD = 65_536
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TIME = rb"(?:([0-9]{1,6}):)?([0-9]{1,2}):([0-9]{2})[.,]([0-9]{1,3})"
_TIMING = re.compile(rb"[ \t]*" + _TIME + rb"[ \t]*-->[ \t]*" + _TIME + rb"(?![^ \t\r\n])")
_WEBVTT = re.compile(rb"WEBVTT(?:[ \t\r\n]|\Z)")
_LINE_END = re.compile(rb"[\r\n]|\Z")
_EMPTY_LINE = re.compile(rb"(?:\r\n|\r(?!\n)|\n)[ \t]*[\r\n]")

# Where a line with an arrow starts and ends, and the two times in it, in milliseconds, where it has them.
_Line = tuple[int, int, tuple[int, int] | None]


def cue_timings(document: bytes) -> tuple[CueTiming, ...] | None:
    """Return the timed cues of a WebVTT or SubRip file in the order of their bytes; None for any other document."""
    begin = len(_BYTE_ORDER_MARK) if document.startswith(_BYTE_ORDER_MARK) else 0
    webvtt = known = _WEBVTT.match(document, begin) is not None
    lines: list[_Line] = []
    for start, end in _arrow_lines(document, begin):
        if len(lines) == MAX_CUES or (start > _HEAD and not known):
            return None
        times = _times(document, start)
        known = known or times is not None
        lines.append((start, end, times))
    return tuple(_cues(document, lines, numbered=not webvtt)) if known else None


def _arrow_lines(document: bytes, begin: int) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each line that has an arrow."""
    position = begin
    while (arrow := document.find(b"-->", position)) >= 0:
        start = max(document.rfind(b"\n", position, arrow), document.rfind(b"\r", position, arrow)) + 1
        position = _end_of_line(document, arrow)
        yield max(start, begin), position


def _cues(document: bytes, lines: list[_Line], *, numbered: bool) -> Iterator[CueTiming]:
    limits = [start for start, *_ in lines] + [len(document)]
    for (_, end, times), limit in zip(lines, limits[1:], strict=True):
        if times is None:
            continue
        empty = _EMPTY_LINE.search(document, end, limit)
        text = document[end : empty.start() if empty else limit]
        if numbered and empty is None:
            text = _without_number(text)
        words = text.strip()
        if words:
            start = end + len(text) - len(text.lstrip())
            yield CueTiming(start, start + len(words), *times)


def _without_number(text: bytes) -> bytes:
    lines = text.rstrip()
    last = max(lines.rfind(b"\n"), lines.rfind(b"\r")) + 1
    return lines[:last] if lines[last:].strip().isdigit() else lines


def _times(document: bytes, start: int) -> tuple[int, int] | None:
    match = _TIMING.match(document, start)
    if match is None:
        return None
    first, last = _milliseconds(*match.groups()[:4]), _milliseconds(*match.groups()[4:])
    return (first, last) if first <= last else None


def _milliseconds(hours: bytes | None, minutes: bytes, seconds: bytes, fraction: bytes) -> int:
    return ((int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(fraction.ljust(3, b"0"))


def _end_of_line(document: bytes, position: int) -> int:
    match = _LINE_END.search(document, position)
    return match.start() if match else len(document)
