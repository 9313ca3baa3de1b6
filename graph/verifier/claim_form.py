"""Parses a claim: its time, its agenda item, the speaker it names, and the claimed words.

Only forms whose meaning is fixed are understood: a quotation or a `that` clause behind a plain verb of saying, or words
with nothing around them. Any other words around a quotation ("denied:", "never said:") make its frame strange.
"""

import re
from dataclasses import dataclass

SAYING = "said|says|stated|states|explained|explains|reported|reports|noted|notes|added|adds|remarked|testified|told"
"""The plain verbs of saying, as alternatives of a pattern."""
_OPEN, _CLOSE = '“"', '”"'
_AROUND = re.compile(
    rf"^(?P<before>[^{_OPEN}{_CLOSE}]*)[{_OPEN}](?P<quote>.*)[{_CLOSE}](?P<after>[^{_OPEN}{_CLOSE}]*)$", re.DOTALL
)
_BEFORE = re.compile(rf"^(?P<frame>.*?)\s+(?:{SAYING})(?:\s+(?:that|the council|members))?\s*[:,]?\s*$", re.DOTALL)
_AFTER = re.compile(rf"^,?\s*(?:(?:{SAYING})\s+(?P<inverted>.+?)|(?P<frame>.+?)\s+(?:{SAYING}))\s*\.?\s*$", re.DOTALL)
_ACCORDING = re.compile(r"^According to (?P<frame>.+?)[,:]\s*$", re.DOTALL)
_INDIRECT = re.compile(
    rf"^(?:(?P<frame>[^“”\"]*?)\s+(?:{SAYING})\s+that|According to (?P<source>[^“”\",]+),)\s+(?P<words>[^“”\"]+)$",
    re.DOTALL,
)
_TIME = re.compile(r"^At (?:(\d+):)?(\d{1,2}):(\d{2}),?\s+")
_ITEM = re.compile(r"^(?:On|Under|Regarding|About) (?:agenda )?item (\d{1,3})\s*(?:,\s*|$)", re.IGNORECASE)
_NO_ONE = frozenset(
    ["a speaker", "someone", "somebody", "the source", "the document", "the text", "the transcript", "the recording"]
)


@dataclass(frozen=True, slots=True)
class ClaimForm:
    """The parts of a claim.

    `frame` is the named speaker, behind the title of the item if there is one; None if no speaker is named. `time_ms`
    and `item` are None if the claim states none. `quoted` words must stand in the source unchanged, but for the cuts of
    `whole_sentences`. `strange` means that the words around the quoted ones have no known meaning.
    """

    words: str
    quoted: bool
    frame: str | None = None
    time_ms: int | None = None
    item: int | None = None
    strange: bool = False


def read_forms(claim: str) -> tuple[ClaimForm, ...]:
    """Return the forms that a claim may have: "A said that B" may be a report, or the source's own words."""
    form = read_form(claim)
    return (form,) if form.quoted or form.frame is None else (form, ClaimForm(claim, quoted=False))


def read_form(claim: str) -> ClaimForm:
    """Parse a claim; a claim in no known form consists of its own words."""
    claim = claim.strip()
    around = _AROUND.match(claim)
    if around is not None:
        return _quotation(around["before"], around["quote"], around["after"])
    indirect = _INDIRECT.match(claim)
    if indirect is not None:
        return _framed(indirect["frame"] or indirect["source"], indirect["words"].strip(), quoted=False)
    return ClaimForm(claim, quoted=False)


def _quotation(before: str, quote: str, after: str) -> ClaimForm:
    before, after = before.strip(), after.strip()
    if not after.strip(". "):
        if not before:
            return ClaimForm(quote, quoted=True)
        match = _BEFORE.match(before) or _ACCORDING.match(before)
        if match is not None:
            return _framed(match["frame"], quote, quoted=True)
    elif not before:
        match = _AFTER.match(after)
        if match is not None:
            return _framed(match["frame"] or match["inverted"], quote.removesuffix(","), quoted=True)
    return ClaimForm(quote, quoted=True, frame=" ".join([before, after]).strip(), strange=True)


def _framed(frame: str, words: str, *, quoted: bool) -> ClaimForm:
    time_ms: int | None = None
    item: int | None = None
    frame = frame.strip()
    if (time := _TIME.match(frame)) is not None:
        hours, minutes, seconds = (int(part or 0) for part in time.groups())
        time_ms, frame = ((hours * 60 + minutes) * 60 + seconds) * 1000, frame[time.end() :]
    if (called := _ITEM.match(frame)) is not None:
        item, frame = int(called[1]), frame[called.end() :]
    frame = frame.strip()
    return ClaimForm(words, quoted, None if frame.lower() in _NO_ONE else frame, time_ms, item)
