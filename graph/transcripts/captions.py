"""Caption files (WebVTT, SubRip, plain text) read into cues with their exact bytes.

The rules:

- `data[cue.start:cue.end].decode()` is `cue.text`, for every cue of every file. Markup, speaker labels and white space
  at either end are outside; a line break in a caption and a reference such as `&amp;` are inside, unchanged.
- A caption that markup cuts in two gives one cue for each uninterrupted run of text, with the same time.
- The speaker is the WebVTT voice (`<v Name>`), or a label in front of the words (`NAME:`, `>> Name:`), which then holds
  until the next label. A label in mixed case counts only after `>>` or if the file uses it twice.
- Rolling captions (with a time stamp inside each line) repeat every line; each line is read once.
"""

import html
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from graph.transcripts.errors import CaptionError
from graph.transcripts.payloads import LABEL, TURN, Caption, caption_kind, captions_in


@dataclass(frozen=True, slots=True)
class Cue:
    """One uninterrupted run of caption text: half-open byte range, milliseconds, and the speaker.

    `glued` says that there is no white space between this run and the one before it in the same caption. `turn` counts
    the changes of speaker in the file so far, also those that a mark shows and that give no name.
    """

    start_ms: int | None
    end_ms: int | None
    speaker: str | None
    start: int
    end: int
    text: str
    glued: bool = False
    turn: int = 0

    @property
    def spoken(self) -> str:
        """The words as a person would read them: character references resolved, white space collapsed."""
        return spoken_text(self.text)


def spoken_text(text: str) -> str:
    """Resolve character references and collapse white space."""
    return " ".join(html.unescape(text).split())


_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|</>|<[\d:.]+>|\{\\[^{}]*\}")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^<>]+)>")
_SMALL_WORDS = frozenset({"a", "an", "and", "at", "for", "from", "in", "of", "on", "the", "to"})


def read_captions(data: bytes) -> tuple[Cue, ...]:
    """Read the cues of a caption file in the order of the file; raises CaptionError if it is not UTF-8."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CaptionError(f"the caption file is not UTF-8 at byte {error.start}") from error
    runs = [run for caption in captions_in(text, caption_kind(data)) for run in _runs(text, caption)]
    return tuple(_in_bytes(text, _in_turns(_with_labels(runs))))


@dataclass(frozen=True, slots=True)
class _Run:
    """A cue whose positions are still characters; `turn` if a mark in the file says that the speaker changes."""

    cue: Cue
    turn: bool
    voiced: bool


def _runs(text: str, caption: Caption) -> Iterator[_Run]:
    payload = text[caption.start : caption.end]
    marks = [(match.start(), match.end(), match.group()) for match in _MARKUP.finditer(payload)]
    voiced = any(_VOICE.match(mark) for _, _, mark in marks)
    if not voiced:
        marks = sorted(marks + [(m.start(), m.end(), ">>") for m in TURN.finditer(payload)])
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


def _in_turns(cues: Iterator[tuple[Cue, bool]]) -> Iterator[Cue]:
    turn = 0
    speaker: str | None = None
    for cue, marked in cues:
        turn += marked or cue.speaker != speaker
        speaker = cue.speaker
        yield replace(cue, turn=turn)


def _with_labels(runs: list[_Run]) -> Iterator[tuple[Cue, bool]]:
    """Yield each cue with its speaker, and whether a mark begins a turn of a speaker without a name there."""
    labels = Counter(
        match.group(1) for run in runs if not run.voiced and (match := LABEL.match(run.cue.text)) is not None
    )
    speaker: str | None = None
    for run in runs:
        cue = run.cue
        if run.voiced:
            yield cue, False
            continue
        match = LABEL.match(cue.text)
        if match is not None and _is_label(match.group(1), run.turn, labels):
            speaker = spoken_text(match.group(1))
            cue = replace(cue, start=cue.start + match.end(), text=cue.text[match.end() :])
        elif run.turn:
            speaker = None
        yield replace(cue, speaker=speaker), run.turn and speaker is None


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
