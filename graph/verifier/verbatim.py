"""Finds claimed words in a source, character by character, and whether they are whole sentences there.

Two texts are the same words if they differ in nothing but white space, the shape of quotation marks, apostrophes and
dashes, the case of the first letter, and a full stop, comma or semicolon at the end; for whole sentences see
`whole_sentences`. Only cited bytes can hold them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from a2ap.messages.evidence import EvidenceSegment
from graph.transcripts.sentences import Sentence
from graph.transcripts.transcript import Transcript
from graph.verifier.whole_sentences import says_whole
from graph.verifier.words import exact_text

LONGEST_ROW = 6
TOO_LONG = "the claim has more sentences in a row, or words of more speakers, than are compared"
CUT = "the claim has a part of the sentences there, and a part can turn their meaning"
_GAP = "\x00"
_ENDS_IN_FIGURE = re.compile(r"\d$")
_GOES_ON_AS_FIGURE = re.compile(r"[.,:]\d|\s*%")
_STOP = re.compile(r"[.?!](?=\s)")
_SUBSTANCE = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Place:
    """Consecutive sentences of one voice that hold some words; the words are all of them (`whole`) or a cut."""

    sentences: tuple[Sentence, ...]
    whole: bool
    cited: bool


def find_places(
    words: str, sentences: Sequence[Sentence], evidence: Sequence[EvidenceSegment], transcript: Transcript
) -> tuple[Place, ...]:
    """Find some words among sentences in the order of the source; each place has the fewest sentences that hold it."""
    sought = exact_text(words).rstrip(" .,;")
    if not any(character.isalnum() for character in sought):
        return ()
    ranges = [
        (segment.byte_range.start, segment.byte_range.end)
        for segment in evidence
        if segment.document_hash == transcript.document_hash
    ]
    return tuple(
        place
        for first in range(len(sentences))
        if (place := _place_from(first, words, sentences, sorted(ranges), transcript)) is not None
    )


def is_longer(words: str, most: int) -> bool:
    """Return whether some words may be more than so many sentences."""
    return len(_STOP.findall(exact_text(words))) >= most


def cited_sentences(evidence: Sequence[EvidenceSegment], transcript: Transcript) -> tuple[Sentence, ...]:
    """Return the sentences of a source that the evidence touches, in the order of the source."""
    touched = {
        sentence.position: sentence
        for segment in evidence
        if segment.document_hash == transcript.document_hash
        for sentence in transcript.sentences_in(segment.byte_range.start, segment.byte_range.end)
    }
    return tuple(touched[position] for position in sorted(touched))


def holds_words(text: str, words: str) -> bool:
    """Return whether some words stand in a text, one after the other."""
    return _position(exact_text(words).rstrip(" .,;"), exact_text(text)) >= 0


def is_cited(sentence: Sentence, evidence: Sequence[EvidenceSegment], transcript: Transcript) -> bool:
    """Return whether the evidence covers all words of a sentence."""
    ranges = [
        (segment.byte_range.start, segment.byte_range.end)
        for segment in evidence
        if segment.document_hash == transcript.document_hash
    ]
    return _GAP not in _text([sentence], sorted(ranges))


def _place_from(
    first: int,
    words: str,
    sentences: Sequence[Sentence],
    ranges: Sequence[tuple[int, int]],
    transcript: Transcript,
) -> Place | None:
    sought = exact_text(words).rstrip(" .,;")
    for last in range(first + 1, min(len(sentences), first + LONGEST_ROW) + 1):
        row = tuple(sentences[first:last])
        if row[-1].position - row[0].position != last - first - 1 or not row[-1].is_voice_of(row[0]):
            return None
        held = _text(row, ranges)
        if says_whole(words, row, transcript.sentences):
            return Place(row, whole=True, cited=_GAP not in held or _position(sought, held) >= 0)
        # A match that begins behind the first sentence is found again, in fewer sentences, from the next one.
        if 0 <= _position(sought, exact_text(" ".join(one.text for one in row))) < len(exact_text(row[0].text)):
            return Place(row, whole=False, cited=_position(sought, held) >= 0)
    return None


def _position(sought: str, text: str) -> int:
    """Find whole words and whole figures; return -1 if they are not there."""
    begin = -1
    # The first letter of a quotation may be raised or lowered.
    for variant in dict.fromkeys((sought, sought[:1].upper() + sought[1:], sought[:1].lower() + sought[1:])):
        at = text.find(variant)
        while at >= 0:
            if _is_bounded(text, at, at + len(variant)):
                begin = at if begin < 0 else min(begin, at)
                break
            at = text.find(variant, at + 1)
    return begin


def _is_bounded(text: str, begin: int, end: int) -> bool:
    before, behind = text[:begin], text[end:]
    if before and (before[-1].isalnum() or before[-1] in "$€£¥+-#@" or re.search(r"\d[.,:]$", before)):
        return False
    if behind[:1].isalnum() or re.match(r"'\w|-\w", behind):
        return False
    return not (_ENDS_IN_FIGURE.search(text[:end]) and _GOES_ON_AS_FIGURE.match(behind))


def _text(row: Sequence[Sentence], ranges: Sequence[tuple[int, int]]) -> str:
    """Return the cited words of some sentences, with a mark for each part that is not cited."""
    text = ""
    for part in (part for sentence in row for part in sentence.parts):
        # A full stop behind markup is a piece of its own, and not worth a citation.
        kept = _kept(part.text.encode(), part.start, ranges) if _SUBSTANCE.search(part.text) else part.text
        text += kept if part.glued or not text else " " + kept
    return exact_text(text)


def _kept(data: bytes, start: int, ranges: Sequence[tuple[int, int]]) -> str:
    kept, at = "", start
    for begin, end in ranges:
        begin, end = max(begin, at), min(end, start + len(data))
        if begin >= end:
            continue
        kept += (_GAP if begin > at else "") + data[begin - start : end - start].decode(errors="ignore")
        at = end
    return kept + (_GAP if at < start + len(data) else "")
