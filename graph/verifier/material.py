"""What a criterion may read: the statement, and the bytes of the sources that it cites, fetched by their hashes."""

from collections.abc import Mapping
from dataclasses import dataclass

from a2ap.statement import ProvenanceStatement
from graph.transcripts.errors import CaptionError
from graph.transcripts.transcript import Transcript


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """The bytes of one source, and what is said in it; None where it is no text."""

    data: bytes
    transcript: Transcript | None

    @classmethod
    def of(cls, data: bytes) -> "Source":
        """Return the source that has some bytes."""
        try:
            return cls(data, Transcript.read(data))
        except CaptionError:
            return cls(data, None)


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """A statement whose signature holds, and the sources by hash that could be read; the others are not in it."""

    statement: ProvenanceStatement
    sources: Mapping[str, Source]

    @property
    def transcripts(self) -> tuple[Transcript, ...]:
        """The cited sources that are texts, in the order in which they are cited first."""
        hashes = dict.fromkeys(segment.document_hash for segment in self.statement.evidence)
        found = (self.sources[name] for name in hashes if name is not None and name in self.sources)
        return tuple(source.transcript for source in found if source.transcript is not None)

    @property
    def missing(self) -> tuple[str, ...]:
        """The hashes that are cited and could not be read."""
        hashes = dict.fromkeys(segment.document_hash for segment in self.statement.evidence)
        return tuple(name for name in hashes if name is not None and name not in self.sources)
