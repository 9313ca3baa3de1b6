"""Unsigned claims about the words of a source, each with the exact pieces of the source that support it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from graph.demo.passages import Passage
from graph.demo.topics import Topic
from graph.transcripts.captions import Cue
from graph.transcripts.sentences import Sentence
from graph.transcripts.speakers import Introduction, attribution


@dataclass(frozen=True, slots=True)
class Citation:
    """A piece of one cue, and its relevance to the claim (0..1)."""

    cue: Cue
    relevance: float


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """A claim ready to be signed. The first citations are the words themselves, others give speaker and topic.

    `speaker` is the person quoted ("the Planning Director"), None for a claim in words of its own.
    """

    text: str
    speaker: str | None
    confidence: float
    method: str
    citations: tuple[Citation, ...]


EXTRACTIVE = "extractive-tfidf"
WORDS_RELEVANCE = 1.0
CONTEXT_RELEVANCE = 0.4
# Someone who is named by a label of the captions, by their own introduction, by a number, not at all.
_CONFIDENCE_LABELLED, _CONFIDENCE_INTRODUCED, _CONFIDENCE_UNNAMED = 0.97, 0.93, 0.95
_KIND_OF_ITEM = re.compile(
    r"^(?:the |a |an )?(?:(?:public )?hearing|(?:first|second) reading|discussion|consideration) (?:on|of|about) "
)
_SUBSTANCE = re.compile(r"\w")


def quote_claim(topic: Topic, passage: Passage, introductions: Mapping[int, Introduction]) -> DraftClaim:
    """Return the claim that a passage was said: "On item 3, the zoning map change, the Planning Director said: “…”"."""
    introduction = introductions.get(passage.sentences[0].position)
    if introduction is not None and introduction.sentence in passage.sentences:
        introduction = None
    context: list[Sentence] = []
    opening = ""
    if topic.call is not None and topic.call not in passage.sentences:
        opening = f"On item {topic.number}, {_KIND_OF_ITEM.sub('', topic.title)}, "
        context.append(topic.call)
    if introduction is not None:
        context.append(introduction.sentence)
    who = attribution(passage.speaker, introduction)
    text = f"{opening}{who} said: “{passage.text}”"
    return DraftClaim(
        text=text[:1].upper() + text[1:],
        speaker=who,
        confidence=_confidence(passage.speaker, introduction),
        method=EXTRACTIVE,
        citations=cite(passage.parts, WORDS_RELEVANCE) + cite_sentences(context, CONTEXT_RELEVANCE),
    )


def cite(cues: tuple[Cue, ...], relevance: float) -> tuple[Citation, ...]:
    """Cite each piece by itself; leave out pieces without a letter or figure (a full stop behind markup)."""
    return tuple(Citation(cue, relevance) for cue in cues if _SUBSTANCE.search(cue.spoken))


def cite_sentences(sentences: list[Sentence], relevance: float) -> tuple[Citation, ...]:
    """Cite all pieces of the sentences."""
    return tuple(citation for sentence in sentences for citation in cite(sentence.parts, relevance))


def _confidence(label: str | None, introduction: Introduction | None) -> float:
    if introduction is not None:
        return _CONFIDENCE_INTRODUCED
    return _CONFIDENCE_UNNAMED if label is None else _CONFIDENCE_LABELLED
