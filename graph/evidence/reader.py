"""Reads the cited bytes of held sources for the machine's check, with the documents used last kept in memory.

What one statement can have read is bounded, and by the statement alone: the same statement gets the same findings
whatever is kept in memory. Bytes that are not in the content store any more, or are damaged there, are not held. Of a
source that was redacted in part, what is left is read, where nothing of the cited passage is blank; its captions are
not: without the times of one, its words would seem to be those of another.
"""

import asyncio
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from a2ap.evidence import EvidenceSegment
from a2ap.statement import ProvenanceStatement
from graph.content.content_store import ContentStore
from graph.errors import ContentMismatchError, ContentNotFoundError
from graph.evidence.cited_bytes import CitedBytes, CueTiming, cite
from graph.evidence.cue_timings import cue_timings
from graph.evidence.machine import CHUNK_TEXT_LIMIT
from graph.evidence.remainders import Remainder

logger = logging.getLogger(__name__)

# Documents up to this size are read whole, kept, and have their cue times compared, as long as those of one statement
# are not more than this together; of the others only the cited bytes are read.
MAX_WHOLE_DOCUMENT = 16 * 1024 * 1024
MAX_WHOLE_DOCUMENTS = 64 * 1024 * 1024
# Segments longer than the text of a chunk are compared until they are this much together.
MAX_CITED = 16 * 1024 * 1024
MAX_KEPT = 128 * 1024 * 1024

_NONE: Mapping[str, Remainder] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _Document:
    content: bytes
    cues: tuple[CueTiming, ...] | None


@dataclass(slots=True)
class _Reading:
    """What has been read for one statement: how much of whole documents, which, and how much of long segments."""

    held: Collection[str]
    remainders: Mapping[str, Remainder]
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
        self._sound: set[str] = set()
        self._kept = 0

    @property
    def content(self) -> ContentStore:
        """Return where the bytes come from."""
        return self._content

    def forget(self, name: str) -> None:
        """Drop a document that was erased or lost from what is kept in memory."""
        self._sound.discard(name)
        dropped = self._documents.pop(name, None)
        if dropped is not None:
            self._kept -= len(dropped.content)

    async def sound(self, name: str) -> bool:
        """Say whether content is what its name says, as `intact` does, or as it has been found before."""
        return name in self._documents or name in self._sound or await self.intact(name)

    async def intact(self, name: str) -> bool:
        """Read content whole and say whether it is there and is what its name says; forget it where it is not."""
        digest = hashlib.sha256()
        try:
            async for piece in self._content.stream(name):
                await asyncio.to_thread(digest.update, piece)
        except ContentNotFoundError:
            self.forget(name)
            return False
        if f"sha256:{digest.hexdigest()}" == name:
            self._sound.add(name)
            return True
        self.forget(name)
        return False

    async def cited_bytes(
        self, statement: ProvenanceStatement, held: Collection[str], remainders: Mapping[str, Remainder] = _NONE
    ) -> tuple[CitedBytes | None, ...]:
        """Return the cited bytes of each segment, in order; None where the source is not held.

        `remainders` has what is left of sources that were redacted in part, by their hashes.
        """
        reading = _Reading(held, remainders)
        return tuple([await self._cited_or_none(segment, reading) for segment in statement.evidence])

    async def _cited_or_none(self, segment: EvidenceSegment, reading: _Reading) -> CitedBytes | None:
        try:
            remainder = reading.remainders.get(segment.document_hash or "")
            if remainder is not None:
                return await self._cited_of_remainder(segment, remainder, reading)
            return await self._cited(segment, reading)
        except (ContentNotFoundError, ContentMismatchError) as error:
            logger.warning("%s cannot be compared with what cites it: %s", segment.document_hash, error)
            return None

    async def _cited_of_remainder(
        self, segment: EvidenceSegment, remainder: Remainder, reading: _Reading
    ) -> CitedBytes | None:
        start, end = segment.byte_range.start, segment.byte_range.end
        length = await self._content.size(remainder.name)
        if end > length:
            return CitedBytes(length, b"")
        if not remainder.has(segment.byte_range):
            return None
        if not reading.takes(end - start):
            return CitedBytes(length, b"", unread=True)
        return CitedBytes(length, await self._content.get(remainder.name, start, end))

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
