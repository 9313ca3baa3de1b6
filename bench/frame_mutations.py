"""Mutations that make a true extractive claim false in speaker, place or time; its words stay those of the source."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from bench.mutated_words import FIGURE
from bench.utterances import Meeting, Utterance
from bench.word_mutations import Mutation
from graph.transcripts.speakers import attribution


def other_speaker(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
    """Attribute the words to another speaker of the meeting."""
    speakers = sorted({attribution(sentence.speaker) for sentence in meeting.transcript.sentences})
    others = [name for name in speakers if name != utterance.speaker]
    if others:
        yield replace(utterance, speaker=chance.choice(others))


def unknown_speaker(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
    """Attribute the words to a person unknown to the source, or to a longer name than the speaker's."""
    yield replace(
        utterance, speaker=chance.choice(["the Mayor", "Senator Alice Kray", f"the former {utterance.speaker}"])
    )


def other_verb(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
    """Replace the verb by its denial."""
    for verb in ("denied", "never said", "did not say", "refused to say"):
        yield replace(utterance, verb=verb)


def other_item(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
    """Move the words to another item of the agenda, whose call is cited correctly."""
    others = [other for other in meeting.utterances if other.opening and other.opening != utterance.opening]
    if utterance.opening and others:
        other = chance.choice(others)
        evidence = utterance.evidence[: utterance.words_cited] + other.evidence[other.words_cited :]
        yield replace(utterance, opening=other.opening, evidence=evidence)


def other_item_number(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
    """Change only the number or the title of the item."""
    if utterance.opening:
        number = FIGURE.search(utterance.opening)
        assert number is not None
        yield replace(utterance, opening=utterance.opening.replace(number[0], str(int(number[0]) + 1), 1))
        yield replace(utterance, opening=utterance.opening.rstrip(", ") + " of Quarry Lane, ")


def other_time(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
    """State another time than that of the words."""
    start = next((s.timestamp.start_ms for s in utterance.evidence if s.timestamp is not None), None)
    if start is not None:
        hours, rest = divmod(start // 1000 + chance.choice([-300, 75, 3600]), 3600)
        if hours >= 0:
            yield replace(utterance, opening=f"At {hours:02}:{rest // 60:02}:{rest % 60:02}, ")


FRAME_MUTATIONS: dict[str, Mutation] = {
    "another speaker of the meeting": other_speaker,
    "a speaker nobody knows": unknown_speaker,
    "deny the saying": other_verb,
    "another item, its call cited": other_item,
    "another item number or title": other_item_number,
    "another time": other_time,
}
