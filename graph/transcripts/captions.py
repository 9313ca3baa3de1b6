"""Caption files (WebVTT, SubRip, plain text) read into cues that know their exact bytes.

The rules:

- `data[cue.start:cue.end].decode()` is `cue.text`, for every cue of every file. Markup, speaker labels and white space
  at either end are outside; a line break in a caption and a reference such as `&amp;` are inside, as they stand.
- A caption that markup cuts in two gives one cue for each uninterrupted run of text, with the same time.
- The speaker is the WebVTT voice (`<v Name>`), or a label in front of the words (`NAME:`, `>> Name:`), which then holds
  until the next label. A label in mixed case counts only after `>>` or when the file uses it twice.
- Rolling captions (the ones with a time stamp inside each line) repeat every line; each line is read once.
"""

import html
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from graph.transcripts.errors import CaptionError


class CaptionKind(StrEnum):
    """The media type of a caption file, as its bytes show it."""

    WEBVTT = "text/vtt"
    SUBRIP = "application/x-subrip"
    TEXT = "text/plain"


@dataclass(frozen=True, slots=True)
class Cue:
    """One uninterrupted run of caption text: half-open byte range, milliseconds, and who speaks.

    `glued` says that no white space stands between this run and the one before it in the same caption.
    """

    start_ms: int | None
    end_ms: int | None
    speaker: str | None
    start: int
    end: int
    text: str
    glued: bool = False

    @property
    def spoken(self) -> str:
        """The words as a person would read them: character references resolved, white space collapsed."""
        return spoken_text(self.text)


def spoken_text(text: str) -> str:
    """Resolve character references and collapse white space."""
    return " ".join(html.unescape(text).split())


_TIME = r"(?:\d{1,}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_TIMING = re.compile(rf"\s*({_TIME})\s*-->\s*({_TIME})(?:\s.*)?$")
_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|</>|<[\d:.]+>|\{\\[^{}]*\}")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^<>]+)>")
_STAMP = re.compile(r"<\d[\d:.]*>")
_TURN = re.compile(r"(?:^|(?<=[\r\n]))[ \t]*(>>+|[-–—](?=\s|[A-Z]))\s*")
_LABEL = re.compile(r"([^\W\d_][\w .,'’&/#()-]{0,48}?):\s+(?=\S)")
_STOP = re.compile(r"[.?!…。！？](?=\s|$)")
# Text with fewer full stops than one in five lines is a list of utterances, one a line, and not prose that was wrapped.
_LINES_A_STOP = 5
_ONE_BREAK = re.compile(r"(?:\r\n|\r|\n)[^\S\r\n]*")
_SMALL_WORDS = frozenset({"a", "an", "and", "at", "for", "from", "in", "of", "on", "the", "to"})


def caption_kind(data: bytes) -> CaptionKind:
    """Tell the kind of a caption file from its first bytes; anything without cue times is plain text."""
    head = data[:65536].removeprefix(b"\xef\xbb\xbf")
    if re.match(rb"WEBVTT(?:[ \t\r\n]|$)", head):
        return CaptionKind.WEBVTT
    timings = re.search(rb"^[ \t]*(?:\d+:)?\d+:\d\d[.,]\d+[ \t]*-->", head.replace(b"\r", b"\n"), re.MULTILINE)
    return CaptionKind.SUBRIP if timings else CaptionKind.TEXT


def read_captions(data: bytes) -> tuple[Cue, ...]:
    """Read the cues of a caption file in the order of the file; raises CaptionError when it is not UTF-8."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CaptionError(f"the caption file is not UTF-8 at byte {error.start}") from error
    kind = caption_kind(data)
    captions = _paragraphs(text) if kind is CaptionKind.TEXT else _timed_captions(text, kind)
    if _STAMP.search(text):
        captions = _unrolled(captions, text)
    runs = [run for caption in captions for run in _runs(text, caption)]
    return tuple(_in_bytes(text, _with_labels(runs)))


@dataclass(frozen=True, slots=True)
class _Caption:
    """The payload of one caption, `text[start:end]` in characters."""

    start_ms: int | None
    end_ms: int | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Run:
    """A cue whose positions are still characters; `turn` when a mark in the file says that somebody else speaks."""

    cue: Cue
    turn: bool
    voiced: bool


def _lines(text: str) -> Iterator[tuple[int, str]]:
    # Not str.splitlines: it also splits at characters that are not line terminators in a caption file.
    for match in _LINE.finditer(text, 1 if text.startswith("\ufeff") else 0):
        if match.end() > match.start():
            yield match.start(), match.group(1)


def _paragraphs(text: str) -> list[_Caption]:
    """Join the lines of plain text up to an empty one or to one that begins with a label or a mark of its own."""
    lines = [(start, line) for start, line in _lines(text) if line.strip()]
    if len(_STOP.findall(text)) * _LINES_A_STOP < len(lines):
        return [_Caption(None, None, start, start + len(line)) for start, line in lines]
    paragraphs: list[_Caption] = []
    for start, line in lines:
        last = paragraphs[-1] if paragraphs else None
        if (
            last is not None
            and _ONE_BREAK.fullmatch(text, last.end, start)
            and not _LABEL.match(line)
            and not _TURN.match(line)
        ):
            paragraphs[-1] = replace(last, end=start + len(line))
        else:
            paragraphs.append(_Caption(None, None, start, start + len(line)))
    return paragraphs


def _timed_captions(text: str, kind: CaptionKind) -> list[_Caption]:
    lines = list(_lines(text))
    captions: list[_Caption] = []
    timing: tuple[int, int] | None = None
    payload: tuple[int, int] | None = None

    def close() -> None:
        nonlocal timing, payload
        if timing is not None and payload is not None:
            captions.append(_Caption(*timing, *payload))
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


def _unrolled(captions: list[_Caption], text: str) -> list[_Caption]:
    unrolled: list[_Caption] = []
    before = ""
    for caption in captions:
        for start, line in _lines(text[caption.start : caption.end]):
            words = line.strip()
            if words and not _STAMP.search(line) and words != before:
                begin = caption.start + start
                unrolled.append(replace(caption, start=begin, end=begin + len(line)))
                before = words
    return unrolled


def _runs(text: str, caption: _Caption) -> Iterator[_Run]:
    payload = text[caption.start : caption.end]
    marks = [(match.start(), match.end(), match.group()) for match in _MARKUP.finditer(payload)]
    voiced = any(_VOICE.match(mark) for _, _, mark in marks)
    if not voiced:
        marks = sorted(marks + [(m.start(), m.end(), ">>") for m in _TURN.finditer(payload)])
    voice: str | None = None
    turn = glued = False
    position = 0
    for begin, end, mark in [*marks, (len(payload), len(payload), "")]:
        piece = payload[position:begin]
        words = piece.strip()
        if words:
            at = caption.start + position + len(piece) - len(piece.lstrip())
            close = glued and not piece[0].isspace()
            cue = Cue(caption.start_ms, caption.end_ms, voice, at, at + len(words), words, close)
            yield _Run(cue, turn, voiced)
            turn = False
        if piece:
            glued = bool(words) and not piece[-1].isspace()
        if match := _VOICE.match(mark):
            voice = spoken_text(match.group(1)) or None
        elif mark == "</v>":
            voice = None
        elif mark == ">>":
            turn, glued = True, False
        position = max(position, end)


def _with_labels(runs: list[_Run]) -> Iterator[Cue]:
    labels = Counter(
        match.group(1) for run in runs if not run.voiced and (match := _LABEL.match(run.cue.text)) is not None
    )
    speaker: str | None = None
    for run in runs:
        cue = run.cue
        if run.voiced:
            yield cue
            continue
        match = _LABEL.match(cue.text)
        if match is not None and _is_label(match.group(1), run.turn, labels):
            speaker = spoken_text(match.group(1))
            cue = replace(cue, start=cue.start + match.end(), text=cue.text[match.end() :])
        elif run.turn:
            speaker = None
        yield replace(cue, speaker=speaker)


def _is_label(label: str, turn: bool, labels: Counter[str]) -> bool:
    letters = [character for character in label if character.isalpha()]
    if turn or (len(letters) > 1 and not any(letter.islower() for letter in letters)):
        return True
    words = [word for word in re.findall(r"[^\W_]+", label) if word not in _SMALL_WORDS]
    return labels[label] > 1 and all(word[0].isupper() or word[0].isdigit() for word in words)


def _in_bytes(text: str, cues: Iterator[Cue]) -> Iterator[Cue]:
    at_character = at_byte = 0
    for cue in cues:
        at_byte += len(text[at_character : cue.start].encode())
        at_character = cue.start + len(cue.text)
        end = at_byte + len(cue.text.encode())
        yield replace(cue, start=at_byte, end=end)
        at_byte = end
