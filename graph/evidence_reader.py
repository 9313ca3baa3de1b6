"""Reads the cited bytes of held sources for the machine's check, with the documents used last kept in memory."""

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass

from a2ap.evidence import EvidenceSegment
from a2ap.statement import ProvenanceStatement
from graph.cue_timings import cue_timings
from graph.content_store import ContentStore
from graph.machine_check import CitedBytes, CueTiming, cite

# Documents up to this size are read whole, kept, and have their cue times checked; of larger ones only the
# cited bytes are read.
MAX_WHOLE_DOCUMENT = 16 * 1024 * 1024
MAX_KEPT = 128 * 1024 * 1024
# More than this is not read for one segment: the check then says INCONCLUSIVE.
MAX_CITED = 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Document:
    content: bytes
    cues: tuple[CueTiming, ...] | None


class EvidenceReader:
    """Finds the bytes that evidence cites; keeps at most `MAX_KEPT` bytes of documents."""

    def __init__(self, content: ContentStore) -> None:
        self._content = content
        self._documents: OrderedDict[str, _Document] = OrderedDict()
        self._kept = 0

    async def cited_bytes(
        self, statement: ProvenanceStatement, held: Collection[str]
    ) -> tuple[CitedBytes | None, ...]:
        """Return the cited bytes of each segment, in order; None where the source is not held."""
        return tuple([await self._cited(segment, held) for segment in statement.evidence])

    async def _cited(self, segment: EvidenceSegment, held: Collection[str]) -> CitedBytes | None:
        name = segment.document_hash
        if name is None or name not in held:
            return None
        document = self._documents.get(name)
        if document is not None:
            self._documents.move_to_end(name)
            return cite(document.content, segment.byte_range, document.cues)
        length = await self._content.size(name)
        if length <= MAX_WHOLE_DOCUMENT:
            document = self._keep(name, await self._content.get(name))
            return cite(document.content, segment.byte_range, document.cues)
        start, end = segment.byte_range.start, segment.byte_range.end
        if end > length:
            return CitedBytes(length, b"", None)
        if end - start > MAX_CITED:
            return None
        return CitedBytes(length, await self._content.get(name, start, end), None)

    def _keep(self, name: str, content: bytes) -> _Document:
        document = self._documents[name] = _Document(content, cue_timings(content))
        self._kept += len(content)
        while self._kept > MAX_KEPT and len(self._documents) > 1:
            _, dropped = self._documents.popitem(last=False)
            self._kept -= len(dropped.content)
        return document
