"""Passages worth quoting: a sentence that can stand alone, or one together with the sentence that it depends on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from graph.transcripts.captions import Cue
from graph.transcripts.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Passage:
    """One or two consecutive sentences of one speaker."""

    sentences: tuple[Sentence, ...]

    @property
    def position(self) -> int:
        """The place of the last sentence among all sentences of the file."""
        return self.sentences[-1].position

    @property
    def speaker(self) -> str | None:
        """The speaker."""
        return self.sentences[0].speaker

    @property
    def text(self) -> str:
        """The words."""
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def parts(self) -> tuple[Cue, ...]:
        """The exact pieces of the file."""
        return tuple(part for sentence in self.sentences for part in sentence.parts)


MIN_WORDS = 7
MAX_WORDS = 60
_MIN_WORDS_BEFORE = 4
_MAX_CHARACTERS = 700
# A sentence that opens like this says too little without the one before it.
_LEANS = re.compile(
    r"(?:And|But|So|Or|Because|Also|Then|Which|Such|That|This(?= (?:is|was|will|would|means|includes|allows))"
    r"|These(?= (?:are|were|will|would))|Those|It|They|He|She|His|Her|Their|Its|Them|Him|Either|Neither|Both"
    r"|The (?:first|second|third|largest|other|others|former|latter)|First|Second|Third|Finally|Lastly"
    r"|Otherwise|However|Therefore|Instead|Here|There|Specifically|Meanwhile|Furthermore|Moreover|Additionally|Again"
    r"|Likewise|Similarly|Yet|For (?:example|instance)|In (?:addition|fact|conclusion)|As (?:I|we) said|\d,?)\b"
)
_CEREMONY = re.compile(
    r"\b(?:thank(?:s| you)|good (?:morning|afternoon|evening|night)|my name is|call the roll|for the record"
    r"|you may (?:begin|go|proceed)|go ahead|can you hear|unmute|mute|raise your hand|excuse me|welcome"
    r"|sign(?:ed)? (?:up|in)"
    r"|(?:register|registered|registering|called|available|opportunity|here(?: today)?|time) to (?:testify|speak)"
    r"|time (?:is up|has expired)|council ?members? (?:and|of the)|livestream|zoom|witness|next speaker"
    r"|(?:next|first|last) (?:up )?(?:we['’]?(?:ll| will|re| are)|is|panel)|(?:is|are) (?:here|with us)"
    r"|has the floor|presentation|question for you)\b",
    re.IGNORECASE,
)
_WITHOUT_SPACES = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
_STUMBLE = re.compile(r"\b(\w+(?: \w+)?),? \1\b|\b(?:uh|um|er|you know|i mean|kind of|sort of)\b", re.IGNORECASE)


def find_passages(sentences: Sequence[Sentence]) -> tuple[Passage, ...]:
    """Find the passages that can stand alone, in the order of the file; `sentences` are consecutive."""
    found: list[Passage] = []
    # Captions without punctuation have no full stops to ask for.
    punctuated = sum(_is_whole(sentence.text) for sentence in sentences) * 2 > len(sentences)
    for before, sentence in pairwise([None, *sentences]):
        assert sentence is not None
        if not _says_something(sentence.text) or (punctuated and not _is_whole(sentence.text)):
            continue
        if not _LEANS.match(sentence.text):
            found.append(Passage((sentence,)))
        elif before is not None and _carries(before, sentence):
            found.append(Passage((before, sentence)))
    return tuple(found)


def stumbles(text: str) -> int:
    """Count repeated words and filler such as "you know"."""
    return sum(1 for _ in _STUMBLE.finditer(text))


def _words(text: str) -> int:
    """Count words; in scripts without spaces two characters count as one."""
    return len(text.split()) + len(_WITHOUT_SPACES.findall(text)) // 2


def _is_whole(text: str) -> bool:
    return text.rstrip("\"'”’)]").endswith((".", "!", "。"))


def _says_something(text: str) -> bool:
    return (
        MIN_WORDS <= _words(text) <= MAX_WORDS
        and len(text) <= _MAX_CHARACTERS
        and not text[0].islower()
        and not text.endswith(("?", ",", "？"))
        and not _CEREMONY.search(text)
    )


def _carries(before: Sentence, sentence: Sentence) -> bool:
    together = _words(before.text) + _words(sentence.text)
    return (
        before.is_voice_of(sentence)
        and together <= MAX_WORDS
        and _words(before.text) >= _MIN_WORDS_BEFORE
        and not before.text.endswith("?")
        and not _LEANS.match(before.text)
        and not _CEREMONY.search(before.text)
    )
