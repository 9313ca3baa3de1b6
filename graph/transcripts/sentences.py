"""Sentences put together from cues, each with the exact pieces of the file that it is made of."""

import re
from collections.abc import Iterator, Sequence
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
        """Whether the words end in the stop of a sentence, and not in an abbreviation, in dots or in a bracket."""
        return _ends(self.parts) and _TRAILS_OFF.search(self.text.rstrip(_CLOSING)) is None

    def ends_before(self, other: "Sentence") -> bool:
        """Return whether the words end, and another sentence does not go on with them as in "no." and "3"."""
        return self.ended and not _goes_on(self.text, other.text)

    def is_voice_of(self, other: "Sentence") -> bool:
        """Return whether two sentences are of one speaker; without names, whether they are of one turn."""
        if self.speaker is None:
            return other.speaker is None and self.parts[0].turn == other.parts[0].turn
        return self.speaker == other.speaker

    def may_be_voice_of(self, other: "Sentence") -> bool:
        """Return whether two sentences may be of one speaker: a speaker without a name may be any."""
        return self.speaker is None or other.speaker is None or self.speaker == other.speaker


_STOPS = (".", "?", "!", "…", "。", "！", "？")
_TRAILS_OFF = re.compile(r"(?:\.\s*\.|…)$")
_CLOSING = "\"'”’“»«)]"
_BREAK = re.compile(r"(?<=[.?!…])[\"'”’“»«)\]]*(\s+)(?=[\"'“‘„«»(\[]?[^\W_a-z]|[$£€¿¡])|(?<=[。！？])()")
# No list of abbreviations is complete. A short capitalized word without a vowel is one, also if it is not listed.
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[\"'“‘«„/–—-])(?:[A-Z]|(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}"
    r"|(?!(?:[HM]h?m+|Shh+|Pff+t?|Psst|Brr+|Ng)\.)[B-DF-HJ-NP-TV-XZ][b-df-hj-np-tv-xz]{1,4}|(?i:mrs?|ms|mx|messrs|mmes|drs?|st|ste|profs?|revs?|hon|sens|reps|gov|lt|capt|cmdr|sgt|supt|insp"
    r"|cllrs?|atty|asst|assoc|dept|univ|bldg|twp|blvd|hwy|pkwy|sr|jr|inc|ltd|corp|bros)|Sen|Rep|Gen|Col|Maj|Pres|Det|Comm|Del"
    r"|Amb|Dir|Secy|Treas|Co|Ave|Rd|Ft|Mt|Ct|Ln|Pl|Calif|Mass|Penn|Conn|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mon"
    r"|Tues?|Weds?|Thu(?:rs?)?|Fri|Sat|Sun|Nos?|Art|Sec|Fig|Vol|Ch|Ord|Res|[Vv]s|pp?|cf|etc|approx|ext)\.$"
)
# Words that may end a sentence ("They said no."), and that are abbreviations before a number.
_BEFORE_NUMBER = re.compile(
    r"(?i:\b(?:nos?|secs?|arts?|figs?|vols?|chs?|chap|par|paras?|cl|pts?|rms?|apts?|ste|rtes?|div|dist|ord|res|app|ex|max|min"
    r"|avg|est|ca|tel|lot|ver|ed))\.$"
)
_NUMBER = re.compile(r"[(#$£€]?(?:\d|[B-HJ-Z]\b|[IVXLC]{2,}\b)")
_ASIDE = re.compile(r"[\[(♪][^\])]*[\])♪]$")
# Sounds that are no words of a speaker. Of any other aside it is not known whether it stands for words.
_SOUND = re.compile(
    r"♪|\b(?:applau\w*|clap\w*|laugh\w*|chuckl\w*|cheer\w*|music\w*|gavel|bell|cough\w*|sigh\w*|sneez\w*|whistl\w*)\b",
    re.IGNORECASE,
)
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


def _grouped(cues: Sequence[Cue], limit: int) -> Iterator[list[Cue]]:
    parts: list[Cue] = []
    for cue, following in zip(cues, [*cues[1:], None], strict=False):
        if parts and _ends_turn(parts[-1], cue):
            yield parts
            parts = []
        pieces = list(_pieces(cue))
        for part, behind in zip(pieces, [*pieces[1:], following], strict=True):
            # Within a sentence an aside may stand for words.
            if not parts and _ASIDE.match(part.text) and _SOUND.search(part.text):
                continue
            parts.append(part)
            if _ends(parts) and not (behind and _goes_on(_joined(parts), behind.text)):
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


def _ends(parts: Sequence[Cue]) -> bool:
    text = _joined(parts)
    return _stops(text) and _ABBREVIATION.search(text) is None and _ASIDE.match(parts[-1].text) is None


def _goes_on(text: str, behind: str) -> bool:
    return _BEFORE_NUMBER.search(text) is not None and _NUMBER.match(behind) is not None


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
        if stop < len(cue.text) and (
            _ABBREVIATION.search(cue.text[begin:stop]) or _goes_on(cue.text[begin:stop], cue.text[resume:])
        ):
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
