"""The material that a criterion may read: the statement, its evidence, and the bytes of its cited sources."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from a2ap.messages.evidence import EvidenceSegment
from a2ap.messages.statement import ProvenanceStatement


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """The bytes of one whole source, whose hash the verifier has checked."""

    data: bytes = field(repr=False)

    @property
    def text(self) -> str:
        """The source as UTF-8; a byte that is none becomes U+FFFD."""
        return self.data.decode("utf-8", "replace")


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """One passage that a statement cites: bytes `start` to `end` of a source, half open.

    `quote` are the words that the statement says stand there; None if it quotes none, or they have been erased.
    `source` is None if it could not be read. `segment` has the further members, such as times, page and hashes.
    """

    segment: EvidenceSegment
    source: Source | None

    @property
    def quote(self) -> str | None:
        """The words that the statement quotes, as its author wrote them."""
        return self.segment.quote_text

    @property
    def source_id(self) -> str:
        """The id of the source, as the statement states it."""
        return self.segment.source_document

    @property
    def document_hash(self) -> str | None:
        """The hash of the whole source, `sha256:…`; None if the statement states none."""
        return self.segment.document_hash

    @property
    def start(self) -> int:
        """The first cited byte."""
        return self.segment.byte_range.start

    @property
    def end(self) -> int:
        """The byte behind the last cited one, which may be behind the end of the source."""
        return self.segment.byte_range.end

    @property
    def cited(self) -> bytes | None:
        """The cited bytes as they stand in the source; None if it could not be read."""
        return None if self.source is None else self.source.data[self.start : self.end]

    @property
    def text(self) -> str | None:
        """The cited bytes as UTF-8; None if the source could not be read."""
        return None if self.cited is None else self.cited.decode("utf-8", "replace")


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """A statement whose signature holds, and those of its sources that could be read, by hash."""

    statement: ProvenanceStatement
    sources: Mapping[str, Source]

    @property
    def claim(self) -> str:
        """The text of the claim."""
        return self.statement.claim.text

    @property
    def confidence(self) -> float:
        """The author's confidence in the claim, a share from 0 to 1."""
        return self.statement.claim.confidence

    @property
    def method(self) -> str | None:
        """The author's method of making the claim; None if the statement states none."""
        return self.statement.claim.generation_method

    @property
    def author(self) -> str:
        """The id of the agent that signed the statement."""
        return self.statement.agent.agent_id

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The cited passages, in the order of the statement."""
        segments = self.statement.evidence
        return tuple(Evidence(segment, self.sources.get(segment.document_hash or "")) for segment in segments)

    @property
    def missing(self) -> tuple[str, ...]:
        """The cited hashes whose sources could not be read: unknown, beyond the agent's clearance, or too long."""
        hashes = dict.fromkeys(segment.document_hash for segment in self.statement.evidence)
        return tuple(name for name in hashes if name is not None and name not in self.sources)
