"""Finds claimed words in a source, character by character, and the parts of their sentences that are left out.

Two texts are the same words if they differ in nothing but white space, the shape of quotation marks, apostrophes and
dashes, the case of the first letter, and a full stop, comma or semicolon at the end. Only cited bytes can hold them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from a2ap.messages.evidence import EvidenceSegment
from a2ap.normal_form import normal_form
from graph.transcripts.captions import spoken_text
from graph.transcripts.sentences import Sentence
from graph.transcripts.transcript import Transcript

_LONGEST_ROW = 6
_SHAPES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u2011": "-"})
_GAP = "\x00"
_ENDS_IN_FIGURE = re.compile(r"\d$")
_GOES_ON_AS_FIGURE = re.compile(r"[.,:]\d|\s*%")
_SUBSTANCE = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Place:
    """Consecutive sentences of one speaker that hold some words, and the text before and behind the words there."""

    sentences: tuple[Sentence, ...]
    before: str
    behind: str
    cited: bool

    @property
    def whole(self) -> bool:
        """Whether the words are whole sentences."""
        return not self.before and not self.behind


def exact_text(text: str) -> str:
    """Return a text in the form used for comparison."""
    return normal_form("NFC", spoken_text(text)).translate(_SHAPES)


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
        place for first in range(len(sentences)) for place in _places_from(first, sought, sentences, sorted(ranges))
    )


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
    return _position(exact_text(words).rstrip(" .,;"), exact_text(text))[0] >= 0


def is_cited(sentence: Sentence, evidence: Sequence[EvidenceSegment], transcript: Transcript) -> bool:
    """Return whether the evidence covers all words of a sentence."""
    ranges = [
        (segment.byte_range.start, segment.byte_range.end)
        for segment in evidence
        if segment.document_hash == transcript.document_hash
    ]
    return _GAP not in _text([sentence], sorted(ranges))


def _places_from(
    first: int, sought: str, sentences: Sequence[Sentence], ranges: Sequence[tuple[int, int]]
) -> Iterator[Place]:
    for last in range(first + 1, min(len(sentences), first + _LONGEST_ROW) + 1):
        row = sentences[first:last]
        if row[-1].position - row[0].position != last - first - 1 or row[-1].speaker != row[0].speaker:
            return
        text = exact_text(" ".join(sentence.text for sentence in row))
        begin, end = _position(sought, text)
        # A match that begins behind the first sentence is found again, in fewer sentences, from the next one.
        if begin >= 0 and begin < len(exact_text(row[0].text)):
            cited = _position(sought, _text(row, ranges))[0] >= 0
            yield Place(tuple(row), text[:begin].strip(), text[end:].strip(" .,;"), cited)
            return


def _position(sought: str, text: str) -> tuple[int, int]:
    """Find whole words and whole figures; return (-1, -1) if they are not there."""
    begin = -1
    # The first letter of a quotation may be raised or lowered.
    for variant in dict.fromkeys((sought, sought[:1].upper() + sought[1:], sought[:1].lower() + sought[1:])):
        at = text.find(variant)
        while at >= 0:
            if _is_bounded(text, at, at + len(variant)):
                begin = at if begin < 0 else min(begin, at)
                break
            at = text.find(variant, at + 1)
    return (begin, begin + len(sought)) if begin >= 0 else (-1, -1)


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
