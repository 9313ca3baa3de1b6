"""Reads the cited bytes of held sources for the machine's check, with the documents used last kept in memory.

What one statement can have read is bounded, and by the statement alone: the same statement gets the same findings
whatever is kept in memory.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, field

from a2ap.evidence import EvidenceSegment
from a2ap.statement import ProvenanceStatement
from graph.content.content_store import ContentStore
from graph.evidence.cue_timings import cue_timings
from graph.evidence.machine import CHUNK_TEXT_LIMIT
from graph.evidence.machine_check import CitedBytes, CueTiming, cite

# Documents up to this size are read whole, kept, and have their cue times compared, as long as those of one statement
# are not more than this together; of the others only the cited bytes are read.
MAX_WHOLE_DOCUMENT = 16 * 1024 * 1024
MAX_WHOLE_DOCUMENTS = 64 * 1024 * 1024
# Segments longer than the text of a chunk are compared until they are this much together.
MAX_CITED = 16 * 1024 * 1024
MAX_KEPT = 128 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Document:
    content: bytes
    cues: tuple[CueTiming, ...] | None


@dataclass(slots=True)
class _Reading:
    """What has been read for one statement: how much of whole documents, which, and how much of long segments."""

    held: Collection[str]
    cited: int = 0
    lengths: dict[str, int] = field(default_factory=dict)
    whole: dict[str, int] = field(default_factory=dict)

    def takes_whole(self, name: str) -> bool:
        length = self.lengths[name]
        if name not in self.whole and length <= min(MAX_WHOLE_DOCUMENT, MAX_WHOLE_DOCUMENTS - sum(self.whole.values())):
            self.whole[name] = length
        return name in self.whole

    def takes(self, length: int) -> bool:
        if length <= CHUNK_TEXT_LIMIT:
            return True
        self.cited += length
        return self.cited <= MAX_CITED


class EvidenceReader:
    """Finds the bytes that evidence cites; keeps at most `MAX_KEPT` bytes of documents."""

    def __init__(self, content: ContentStore) -> None:
        self._content = content
        self._documents: OrderedDict[str, _Document] = OrderedDict()
        self._kept = 0

    @property
    def content(self) -> ContentStore:
        """Return where the bytes come from."""
        return self._content

    def forget(self, name: str) -> None:
        """Drop a document that was erased from what is kept in memory."""
        dropped = self._documents.pop(name, None)
        if dropped is not None:
            self._kept -= len(dropped.content)

    async def cited_bytes(self, statement: ProvenanceStatement, held: Collection[str]) -> tuple[CitedBytes | None, ...]:
        """Return the cited bytes of each segment, in order; None where the source is not held."""
        reading = _Reading(held)
        return tuple([await self._cited(segment, reading) for segment in statement.evidence])

    async def _cited(self, segment: EvidenceSegment, reading: _Reading) -> CitedBytes | None:
        name, start, end = segment.document_hash, segment.byte_range.start, segment.byte_range.end
        if name is None or name not in reading.held:
            return None
        if name not in reading.lengths:
            kept = self._documents.get(name)
            reading.lengths[name] = len(kept.content) if kept else await self._content.size(name)
        length = reading.lengths[name]
        if end > length:
            return CitedBytes(length, b"")
        if not reading.takes(end - start):
            return CitedBytes(length, b"", unread=True)
        if reading.takes_whole(name):
            document = await self._whole(name)
            return cite(document.content, segment.byte_range, document.cues)
        return CitedBytes(length, await self._content.get(name, start, end))

    async def _whole(self, name: str) -> _Document:
        if name in self._documents:
            self._documents.move_to_end(name)
            return self._documents[name]
        content = await self._content.get(name)
        document = _Document(content, await asyncio.to_thread(cue_timings, content))
        if name not in self._documents:  # somebody else may have read it meanwhile
            self._documents[name] = document
            self._kept += len(content)
        while self._kept > MAX_KEPT and len(self._documents) > 1:
            _, dropped = self._documents.popitem(last=False)
            self._kept -= len(dropped.content)
        return document
