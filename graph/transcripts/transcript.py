"""A source as a verifier re-reads it: its bytes, its hash, and the cues and sentences at each place."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from a2ap.canonical import sha256_digest
from graph.transcripts.agenda import AgendaItem, find_agenda
from graph.transcripts.captions import Cue, read_captions
from graph.transcripts.sentences import Sentence, read_sentences
from graph.transcripts.speakers import Introduction, attribution, find_introductions


@dataclass(frozen=True, slots=True)
class Transcript:
    """A caption file, read once and looked up by byte."""

    data: bytes
    document_hash: str
    cues: tuple[Cue, ...]
    sentences: tuple[Sentence, ...]
    introductions: Mapping[int, Introduction]
    agenda: tuple[AgendaItem, ...] = ()

    @classmethod
    def read(cls, data: bytes) -> "Transcript":
        """Read a caption file; raises CaptionError."""
        cues = read_captions(data)
        sentences = read_sentences(cues)
        return cls(data, sha256_digest(data), cues, sentences, find_introductions(sentences), find_agenda(sentences))

    def cues_in(self, start: int, end: int) -> tuple[Cue, ...]:
        """Return the cues whose text shares a byte with the half-open range."""
        first = bisect_right(self.cues, start, key=lambda cue: cue.end)
        last = bisect_left(self.cues, end, key=lambda cue: cue.start)
        return self.cues[first:last]

    def sentences_in(self, start: int, end: int) -> tuple[Sentence, ...]:
        """Return the sentences that share a byte with the half-open range."""
        first = bisect_right(self.sentences, start, key=lambda sentence: sentence.parts[-1].end)
        last = bisect_left(self.sentences, end, key=lambda sentence: sentence.parts[0].start)
        return self.sentences[first:last]

    def speaker_at(self, start: int, end: int) -> str | None:
        """Return the speaker of the first sentence that shares a byte with the half-open range, None if unknown."""
        said = self.sentences_in(start, end)
        if not said or said[0].speaker is None:
            return None
        introduction = self.introductions.get(said[0].position)
        if introduction is None:
            return said[0].speaker
        return f"{attribution(said[0].speaker, introduction)} ({said[0].speaker})"

    def names_of(self, sentence: Sentence) -> frozenset[str]:
        """Return the possible names of the speaker of a sentence, in lower case."""
        names = {attribution(sentence.speaker), sentence.speaker or "a speaker"}
        introduction = self.introductions.get(sentence.position)
        if introduction is not None:
            names.add(introduction.name)
        return frozenset(name.lower().removeprefix("the ") for name in names)
