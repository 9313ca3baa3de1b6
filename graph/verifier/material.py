"""The material that a criterion may read: the statement, and the bytes of its cited sources, fetched by hash."""

from collections.abc import Mapping
from dataclasses import dataclass

from a2ap.messages.statement import ProvenanceStatement
from graph.transcripts.errors import CaptionError
from graph.transcripts.transcript import Transcript


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """The bytes of one source, and its transcript; None if it is not text."""

    data: bytes
    transcript: Transcript | None

    @classmethod
    def of(cls, data: bytes) -> "Source":
        """Return the source with these bytes."""
        try:
            return cls(data, Transcript.read(data))
        except CaptionError:
            return cls(data, None)


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """A statement, and those of its sources that could be read, by hash."""

    statement: ProvenanceStatement
    sources: Mapping[str, Source]

    @property
    def transcripts(self) -> tuple[Transcript, ...]:
        """The cited sources that are texts, in the order of their first citation."""
        hashes = dict.fromkeys(segment.document_hash for segment in self.statement.evidence)
        found = (self.sources[name] for name in hashes if name is not None and name in self.sources)
        return tuple(source.transcript for source in found if source.transcript is not None)

    @property
    def missing(self) -> tuple[str, ...]:
        """The cited hashes whose sources could not be read."""
        hashes = dict.fromkeys(segment.document_hash for segment in self.statement.evidence)
        return tuple(name for name in hashes if name is not None and name not in self.sources)
