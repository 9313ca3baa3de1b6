"""Sentences put together from cues, each with the exact pieces of the file that it is made of."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from graph.transcripts.captions import Cue, spoken_text


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of one speaker; `parts` are cues cut down to the words of this sentence, in order."""

    position: int
    speaker: str | None
    text: str
    parts: tuple[Cue, ...]

    @property
    def start_ms(self) -> int | None:
        """The start of the caption with the first word, in milliseconds."""
        return self.parts[0].start_ms

    @property
    def end_ms(self) -> int | None:
        """The end of the caption with the last word, in milliseconds."""
        return self.parts[-1].end_ms

    @property
    def ended(self) -> bool:
        """Whether the words end in the stop of a sentence, and not in an abbreviation or in dots."""
        return _ends(self.text) and not self.text.rstrip(_CLOSING).endswith(_TRAILS_OFF)

    def is_voice_of(self, other: "Sentence") -> bool:
        """Return whether two sentences are of one speaker; without names, whether they are of one turn."""
        if self.speaker is None:
            return other.speaker is None and self.parts[0].turn == other.parts[0].turn
        return self.speaker == other.speaker


_STOPS = (".", "?", "!", "…", "。", "！", "？")
_TRAILS_OFF = ("..", "…")
_CLOSING = "\"'”’)]"
_BREAK = re.compile(r"(?<=[.?!…])[\"'”’)\]]*(\s+)(?=[\"'“‘(\[]?[^\W_a-z]|[$£€¿¡])|(?<=[。！？])()")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"'“‘])(?:[A-Z]|(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}|Mr|Mrs|Ms|Mx|Dr|St|Ste|Ave|Blvd|Rd|Ft|Mt|Rev|Hon|Prof|Sen"
    r"|Rep|Gov|Lt|Gen|Col|Maj|Capt|Cmdr|Sgt|Supt|Atty|Asst|Assoc|Dept|Pres|Sr|Jr|Inc|Ltd|Co|Corp|Bros|Jan|Feb|Mar|Apr|Aug"
    r"|Sept?|Oct|Nov|Dec|Nos?|[Vv]s|Art|Sec|Fig|Vol|Ch|pp|cf|etc|approx|ext)\.$"
)
_ASIDE = re.compile(r"[\[(♪][^\])]*[\])♪]$")
_LONG_PAUSE_MS = 6_000
_WORDS_PUNCTUATED = 70
_WORDS_UNPUNCTUATED = 24


def read_sentences(cues: Sequence[Cue]) -> tuple[Sentence, ...]:
    """Join cues into sentences, in the order of the file.

    A sentence ends at its full stop, at the end of a turn, at a silence of six seconds, or at the end of a cue if it
    has grown too long (captions by a machine without punctuation).
    """
    stops = sum(_stops(cue.text) for cue in cues)
    limit = _WORDS_PUNCTUATED if stops * 5 >= len(cues) else _WORDS_UNPUNCTUATED
    return tuple(
        Sentence(position, parts[0].speaker, _joined(parts), tuple(parts))
        for position, parts in enumerate(_grouped(cues, limit))
    )


def _grouped(cues: Iterable[Cue], limit: int) -> Iterator[list[Cue]]:
    parts: list[Cue] = []
    for cue in cues:
        if parts and _ends_turn(parts[-1], cue):
            yield parts
            parts = []
        for part in _pieces(cue):
            if _ASIDE.match(part.text):
                continue
            parts.append(part)
            if _ends(part.text):
                yield parts
                parts = []
        if sum(len(part.text.split()) for part in parts) >= limit:
            yield parts
            parts = []
    if parts:
        yield parts


def _ends_turn(before: Cue, after: Cue) -> bool:
    if before.turn != after.turn:
        return True
    if before.end_ms is None or after.start_ms is None:
        return before.start_ms is None and after.start_ms is None  # A line of plain text stands for itself.
    return after.start_ms - before.end_ms > _LONG_PAUSE_MS


def _ends(text: str) -> bool:
    return _stops(text) and _ABBREVIATION.search(text) is None


def _stops(text: str) -> bool:
    return text.rstrip(_CLOSING).endswith(_STOPS)


def _pieces(cue: Cue) -> Iterator[Cue]:
    """Cut a cue at the ends of sentences inside it; each piece keeps its exact bytes."""
    begin = at_character = 0
    at_byte = cue.start
    cuts = [
        (match.start(1), match.end(1)) if match.group(1) else (match.end(), match.end())
        for match in _BREAK.finditer(cue.text)
    ]
    for stop, resume in [*cuts, (len(cue.text), len(cue.text))]:
        if stop < len(cue.text) and _ABBREVIATION.search(cue.text[begin:stop]):
            continue
        if stop > begin:
            start = at_byte + len(cue.text[at_character:begin].encode())
            at_character, at_byte = stop, start + len(cue.text[begin:stop].encode())
            yield replace(cue, start=start, end=at_byte, text=cue.text[begin:stop], glued=cue.glued and begin == 0)
        begin = resume


def _joined(parts: Sequence[Cue]) -> str:
    text = ""
    for part in parts:
        text += part.text if part.glued or not text else " " + part.text
    return spoken_text(text)
