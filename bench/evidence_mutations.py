"""Mutations of the evidence of a true claim.

`MACHINE_CHECKABLE` makes evidence that contradicts its own bytes: every reader of the bytes must detect it, every time.
`MOVED` keeps every hash, quote and time right and cites other bytes than those of the words.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from a2ap.messages.evidence import ByteRange, CueRange, EvidenceSegment
from a2ap.signing.disclosure import Redactable
from a2ap.times import format_cue_end, format_cue_start
from bench.utterances import Meeting, Utterance
from bench.word_mutations import Mutation


def _with_first(utterance: Utterance, segment: EvidenceSegment) -> Utterance:
    return replace(utterance, evidence=(segment, *utterance.evidence[1:]))


def _quoting(segment: EvidenceSegment, text: str) -> EvidenceSegment:
    return replace(segment, quote=Redactable(text, None))


def other_quote(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
    """Change a word of the quote, so that it differs from the cited bytes."""
    first = utterance.evidence[0]
    words = (first.quote_text or "").split()
    place = chance.randrange(len(words))
    yield _with_first(utterance, _quoting(first, " ".join([*words[:place], "otherwise", *words[place + 1 :]])))


def other_figure_quoted(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
    """Change one figure of the quote."""
    for number, segment in enumerate(utterance.evidence):
        text = segment.quote_text or ""
        digits = [at for at, character in enumerate(text) if character.isdigit()]
        if digits:
            at = chance.choice(digits)
            quote = text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
            changed = _quoting(segment, quote)
            yield replace(
                utterance, evidence=(*utterance.evidence[:number], changed, *utterance.evidence[number + 1 :])
            )
            return


def other_hash(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
    """State the hash of other bytes."""
    other = chance.choice(meeting.utterances).evidence[0]
    if other.content_hash != utterance.evidence[0].content_hash:
        yield _with_first(utterance, replace(utterance.evidence[0], content_hash=other.content_hash))


def moved_range(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
    """Move the byte range by a few bytes and leave hash and quote as they are."""
    first = utterance.evidence[0]
    shift = chance.choice([1, 2, 7, 40])
    moved = ByteRange(first.byte_range.start + shift, first.byte_range.end + shift)
    yield _with_first(utterance, replace(first, byte_range=moved))


def past_the_end(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
    """Cite bytes past the end of the source."""
    end = len(meeting.transcript.data)
    yield _with_first(utterance, replace(utterance.evidence[0], byte_range=ByteRange(end - 5, end + 20)))


def other_cue(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
    """State the time of another caption."""
    first = utterance.evidence[0]
    if first.timestamp is None:
        return
    start = first.timestamp.start_ms + chance.choice([-1, 1]) * chance.randint(20_000, 300_000)
    if start >= 0:
        stated = CueRange(format_cue_start(start), format_cue_end(start + 4000), start, start + 4000)
        yield _with_first(utterance, replace(first, timestamp=stated))


def moved_quote(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
    """Keep quote and hash and point both at the bytes of another caption."""
    other = chance.choice([o for o in meeting.utterances if o.words != utterance.words]).evidence[0]
    yield _with_first(utterance, replace(utterance.evidence[0], byte_range=other.byte_range))


def evidence_of_another(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
    """Cite the evidence of another claim, of the same speaker if there is one."""
    others = [other for other in meeting.utterances if other.words != utterance.words]
    same = [other for other in others if other.speaker == utterance.speaker]
    for pool in (same, others):
        evidence = chance.choice(pool).evidence if pool else utterance.evidence
        # What one claim is about may open another one.
        if not set(_ranges(utterance)) <= {(s.byte_range.start, s.byte_range.end) for s in evidence}:
            yield replace(utterance, evidence=evidence)


def _ranges(utterance: Utterance) -> list[tuple[int, int]]:
    words = utterance.evidence[: utterance.words_cited]
    return [(segment.byte_range.start, segment.byte_range.end) for segment in words]


def caption_before(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
    """Cite the words of the claim before or after it in the source."""
    place = meeting.utterances.index(utterance)
    for near in (place - 1, place + 1):
        if 0 <= near < len(meeting.utterances) and meeting.utterances[near].words != utterance.words:
            other = meeting.utterances[near]
            context = utterance.evidence[utterance.words_cited :]
            yield replace(utterance, evidence=other.evidence[: other.words_cited] + context)


def part_of_it(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
    """Leave out one of the captions that contain the words."""
    if utterance.words_cited > 1:
        place = chance.randrange(utterance.words_cited)
        yield replace(utterance, evidence=utterance.evidence[:place] + utterance.evidence[place + 1 :])


MACHINE_CHECKABLE: dict[str, Mutation] = {
    "another word in the quote": other_quote,
    "another figure in the quote": other_figure_quoted,
    "the hash of other bytes": other_hash,
    "the byte range moved": moved_range,
    "a range past the end": past_the_end,
    "the time of another caption": other_cue,
    "the quote moved to other bytes": moved_quote,
}
MOVED: dict[str, Mutation] = {
    "the evidence of another claim": evidence_of_another,
    "the caption before or behind": caption_before,
    "a caption left out": part_of_it,
}
