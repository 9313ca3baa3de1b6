"""The places of the words of each caption in a caption file (WebVTT, SubRip, plain text), and their times.

Rolling captions (with a time stamp inside each line) repeat every line; each line is read once. Plain text is wrapped
prose, or a list of utterances, one a line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum


class CaptionKind(StrEnum):
    """The media type of a caption file, recognized from its bytes."""

    WEBVTT = "text/vtt"
    SUBRIP = "application/x-subrip"
    TEXT = "text/plain"


@dataclass(frozen=True, slots=True)
class Caption:
    """The payload of one caption, `text[start:end]` in characters, with its times in milliseconds if it has any."""

    start_ms: int | None
    end_ms: int | None
    start: int
    end: int


TURN = re.compile(r"(?:^|(?<=[\r\n]))[ \t]*(>>+|[-–—](?=\s|[A-Z]))\s*")
"""A mark in front of words for a change of the speaker."""
LABEL = re.compile(r"([^\W\d_][\w .,'’&/#()-]{0,48}?):\s+(?=\S)")
"""A possible name of a speaker, in front of words."""
_TIME = r"(?:\d{1,}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_TIMING = re.compile(rf"\s*({_TIME})\s*-->\s*({_TIME})(?:\s.*)?$")
_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")
_STAMP = re.compile(r"<\d[\d:.]*>")
_STOP = re.compile(r"[.?!…。！？](?=\s|$)")
# Text with fewer full stops than one in five lines is a list of utterances, one a line, and not prose that was wrapped.
_LINES_A_STOP = 5
_ONE_BREAK = re.compile(r"(?:\r\n|\r|\n)[^\S\r\n]*")


def caption_kind(data: bytes) -> CaptionKind:
    """Return the kind of a caption file from its first bytes; anything without cue times is plain text."""
    head = data[:65536].removeprefix(b"\xef\xbb\xbf")
    if re.match(rb"WEBVTT(?:[ \t\r\n]|$)", head):
        return CaptionKind.WEBVTT
    timings = re.search(rb"^[ \t]*(?:\d+:)?\d+:\d\d[.,]\d+[ \t]*-->", head.replace(b"\r", b"\n"), re.MULTILINE)
    return CaptionKind.SUBRIP if timings else CaptionKind.TEXT


def captions_in(text: str, kind: CaptionKind) -> list[Caption]:
    """Return the captions of a file of this kind, in the order of the file."""
    captions = _paragraphs(text) if kind is CaptionKind.TEXT else _timed_captions(text, kind)
    return _unrolled(captions, text) if _STAMP.search(text) else captions


def _lines(text: str) -> Iterator[tuple[int, str]]:
    # Not str.splitlines: it also splits at characters that are not line terminators in a caption file.
    for match in _LINE.finditer(text, 1 if text.startswith("\ufeff") else 0):
        if match.end() > match.start():
            yield match.start(), match.group(1)


def _paragraphs(text: str) -> list[Caption]:
    """Join the lines of plain text up to an empty one or to one that begins with a label or a mark of its own."""
    lines = [(start, line) for start, line in _lines(text) if line.strip()]
    if len(_STOP.findall(text)) * _LINES_A_STOP < len(lines):
        return [Caption(None, None, start, start + len(line)) for start, line in lines]
    paragraphs: list[Caption] = []
    for start, line in lines:
        last = paragraphs[-1] if paragraphs else None
        if (
            last is not None
            and _ONE_BREAK.fullmatch(text, last.end, start)
            and not LABEL.match(line)
            and not TURN.match(line)
        ):
            paragraphs[-1] = replace(last, end=start + len(line))
        else:
            paragraphs.append(Caption(None, None, start, start + len(line)))
    return paragraphs


def _timed_captions(text: str, kind: CaptionKind) -> list[Caption]:
    lines = list(_lines(text))
    captions: list[Caption] = []
    timing: tuple[int, int] | None = None
    payload: tuple[int, int] | None = None

    def close() -> None:
        nonlocal timing, payload
        if timing is not None and payload is not None:
            captions.append(Caption(*timing, *payload))
        timing = payload = None

    for number, (start, line) in enumerate(lines):
        if "-->" in line:
            close()
            match = _TIMING.match(line)
            timing = (_milliseconds(match.group(1)), _milliseconds(match.group(2))) if match else None
        elif not line or (kind is CaptionKind.SUBRIP and (not line.strip() or _is_index(lines, number))):
            close()
        elif timing is not None:
            payload = (payload[0] if payload else start, start + len(line))
    close()
    return captions


def _is_index(lines: list[tuple[int, str]], number: int) -> bool:
    return (
        lines[number][1].strip().isdecimal()
        and number + 1 < len(lines)
        and _TIMING.match(lines[number + 1][1]) is not None
    )


def _milliseconds(time: str) -> int:
    clock, _, fraction = time.replace(",", ".").partition(".")
    seconds = 0
    for field in clock.split(":"):
        seconds = seconds * 60 + int(field)
    return seconds * 1000 + int(fraction.ljust(3, "0"))


def _unrolled(captions: list[Caption], text: str) -> list[Caption]:
    unrolled: list[Caption] = []
    before = ""
    for caption in captions:
        for start, line in _lines(text[caption.start : caption.end]):
            words = line.strip()
            if words and not _STAMP.search(line) and words != before:
                begin = caption.start + start
                unrolled.append(replace(caption, start=begin, end=begin + len(line)))
                before = words
    return unrolled
