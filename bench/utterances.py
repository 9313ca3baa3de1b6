"""True extractive claims of caption files, split into parts so that mutations can change one part of each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from a2ap.canonical import sha256_digest
from a2ap.json_text import write_json
from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.content_hash import ContentHashRule
from a2ap.messages.evidence import EvidenceSegment, build_segment, read_segment
from a2ap.messages.message import read_message
from a2ap.messages.statement import Claim, ProvenanceStatement, build_statement
from a2ap.signing.keys import SigningKey
from a2ap.signing.signature import sign_message
from graph.demo.claims import DraftClaim
from graph.demo.generator import generate_claims
from graph.demo.source import open_source
from graph.evidence.cited_bytes import CueTiming
from graph.evidence.cue_timings import cue_timings
from graph.transcripts.captions import Cue
from graph.transcripts.sentences import Sentence
from graph.transcripts.transcript import Transcript

_AUTHOR = AgentDescription("urn:agent:bench:author", "Bench Author", "1", "A2AP benchmarks", ())
_TIME = datetime(2025, 10, 14, 10, 30, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Utterance:
    """A claim in parts: its opening ("On item 3, …, "), the speaker, the verb, the words; and its evidence.

    The first `words_cited` segments are those of the words, the others support the speaker and the item.
    """

    opening: str
    speaker: str
    verb: str
    words: str
    evidence: tuple[EvidenceSegment, ...]
    words_cited: int

    def text(self, form: str) -> str:
        """Return the claim in one of the forms."""
        if form == "bare":
            return self.words
        frame = f"{self.opening}{self.speaker} {self.verb}"
        frame = frame[:1].upper() + frame[1:]
        return f"{frame}: “{self.words}”" if form == "quoted" else f"{frame} that {self.words}"


@dataclass(frozen=True, slots=True)
class Meeting:
    """A caption file, and true claims about it."""

    name: str
    transcript: Transcript
    timings: tuple[CueTiming, ...] | None
    utterances: tuple[Utterance, ...]


def read_meeting(path: Path | None) -> Meeting:
    """Read a caption file, the shipped one if `path` is None, with the claims that the demo's author would make."""
    source = open_source(path)
    transcript = Transcript.read(source.data)
    claims = [claim for topic in generate_claims(transcript.sentences) for claim in topic.claims]
    utterances = tuple(_utterance(claim, source.source_id, transcript) for claim in claims if claim.speaker)
    return Meeting(source.file_name, transcript, cue_timings(source.data), utterances)


def _utterance(claim: DraftClaim, source_id: str, transcript: Transcript) -> Utterance:
    assert claim.speaker is not None
    frame, _, words = claim.text.partition(" said: “")
    opening = frame[: len(frame) - len(claim.speaker)]
    evidence = tuple(_segment(citation.cue, source_id, transcript) for citation in claim.citations)
    cited = sum(citation.relevance == 1.0 for citation in claim.citations)
    return Utterance(opening, claim.speaker, "said", words.removesuffix("”"), evidence, cited)


def cite_sentences(sentences: Sequence[Sentence], transcript: Transcript) -> tuple[EvidenceSegment, ...]:
    """Return evidence that cites sentences as an author would."""
    return tuple(_segment(part, "urn:doc:bench", transcript) for sentence in sentences for part in sentence.parts)


def _segment(cue: Cue, source_id: str, transcript: Transcript) -> EvidenceSegment:
    content = transcript.data[cue.start : cue.end]
    built = build_segment(
        source_id,
        cue.start,
        cue.end,
        document_hash=transcript.document_hash,
        content_hash=sha256_digest(content),
        quote=content.decode(),
        start_ms=cue.start_ms,
        end_ms=cue.end_ms,
    )
    return read_segment(built, "evidence[0]", {})


def stated(blank: ProvenanceStatement, text: str, evidence: tuple[EvidenceSegment, ...]) -> ProvenanceStatement:
    """Return a statement with another claim and evidence: a judge sees neither signature nor content hash."""
    return replace(blank, claim=Claim(text, 0.9, None, "", ContentHashRule.JCS), evidence=evidence)


def blank_statement(transcript: Transcript) -> ProvenanceStatement:
    """Return a placeholder statement on a source, whose claim and evidence `stated` replaces."""
    key = SigningKey.generate(bytes(32))
    segment = build_segment("urn:doc:bench", 0, 1, document_hash=transcript.document_hash)
    message = build_statement(generated_at=_TIME, agent=_AUTHOR, claim="-", confidence=0.9, evidence=[segment])
    read = read_message(write_json(sign_message(message, key, "urn:agent:bench:author#1")))
    assert isinstance(read, ProvenanceStatement)
    return read
