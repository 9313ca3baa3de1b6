"""The material of this platform's judges: a statement, and its cited sources as transcripts."""

from collections.abc import Mapping
from dataclasses import dataclass

from a2ap.verifier.material import Material as AnyMaterial
from a2ap.verifier.material import Source as AnySource
from graph.transcripts.errors import CaptionError
from graph.transcripts.transcript import Transcript


@dataclass(frozen=True, slots=True, eq=False)
class Source(AnySource):
    """The bytes of one source, and its transcript; None if it is not text."""

    transcript: Transcript | None

    @classmethod
    def of(cls, data: bytes) -> "Source":
        """Return the source with these bytes."""
        try:
            return cls(data, Transcript.read(data))
        except CaptionError:
            return cls(data, None)


@dataclass(frozen=True, slots=True, eq=False)
class Material(AnyMaterial):
    """A statement, and those of its sources that could be read, by hash, each with its transcript."""

    sources: Mapping[str, Source]

    @classmethod
    def of(cls, material: AnyMaterial) -> "Material":
        """Return material with the transcripts of its sources; those read by `Source.of` are taken as they are."""
        sources = material.sources.items()
        read = {name: one if isinstance(one, Source) else Source.of(one.data) for name, one in sources}
        return cls(material.statement, read)

    @property
    def transcripts(self) -> tuple[Transcript, ...]:
        """The cited sources that are texts, in the order of their first citation."""
        hashes = dict.fromkeys(segment.document_hash for segment in self.statement.evidence)
        found = (self.sources[name] for name in hashes if name is not None and name in self.sources)
        return tuple(source.transcript for source in found if source.transcript is not None)
