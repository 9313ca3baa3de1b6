"""Reads the cited bytes of held sources for the machine's check, and keeps the last documents used in memory.

The amount read for one statement is bounded, and by the statement alone: the same statement gets the same findings,
independent of the memory's content. Bytes that are no longer in the content store, or are damaged there, are not held.
Of a source that was redacted in part, the remainder is read, if nothing of the cited passage is blank; its captions are
not: without the times of one, its words would seem to be those of another.
"""

import asyncio
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Collection, Mapping
from time import monotonic
from types import MappingProxyType

from a2ap.messages.evidence import EvidenceSegment
from a2ap.messages.statement import ProvenanceStatement
from graph.content.content_store import ContentStore
from graph.errors import ContentMismatchError, ContentNotFoundError
from graph.evidence.cited_bytes import CitedBytes, cite
from graph.evidence.pdf_text import is_pdf
from graph.evidence.reading import Reading
from graph.evidence.remainders import Remainder
from graph.evidence.shown_text import Shown
from graph.evidence.source_text import HEAD, SourceText, read_source, shows_unread

logger = logging.getLogger(__name__)

MAX_KEPT = 128 * 1024 * 1024
# Longer documents, and PDFs of any length, take long to be read.
QUICK = 256 * 1024

_NONE: Mapping[str, Remainder] = MappingProxyType({})


class UnreadError(Exception):
    """A source takes long to read, and the caller allows no time for that; `EvidenceReader.read_ahead` reads it."""


class EvidenceReader:
    """Finds the bytes that evidence cites; keeps up to `MAX_KEPT` bytes of documents."""

    def __init__(self, content: ContentStore) -> None:
        self._content = content
        self._documents: OrderedDict[str, SourceText] = OrderedDict()
        self._sound: set[str] = set()
        self._kept = 0
        self._forgotten = 0

    @property
    def content(self) -> ContentStore:
        """Return the store that the bytes are read from."""
        return self._content

    def forget(self, name: str) -> None:
        """Drop an erased or lost document from memory."""
        self._forgotten += 1
        self._sound.discard(name)
        dropped = self._documents.pop(name, None)
        if dropped is not None:
            self._kept -= dropped.weight

    async def sound(self, name: str) -> bool:
        """Return whether content has the hash in its name, as `intact` does, or was found to have it before."""
        return name in self._documents or name in self._sound or await self.intact(name)

    async def intact(self, name: str) -> bool:
        """Read content whole and return whether it exists and has the hash in its name; if not, forget it."""
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

    async def source(self, name: str) -> SourceText:
        """Return a whole source, which the caller knows to be held and not too long.

        Raises ContentNotFoundError, and ContentDamagedError if the bytes have another hash.
        """
        return await self._whole(name, Reading((name,), _NONE))

    async def cited_bytes(
        self,
        statement: ProvenanceStatement,
        held: Collection[str],
        remainders: Mapping[str, Remainder] = _NONE,
        given: Mapping[str, SourceText] | None = None,
    ) -> tuple[CitedBytes | None, ...]:
        """Return the cited bytes of each segment, in order; None if the source is not held.

        `remainders` has the remainders of sources that were redacted in part, by the hashes of the sources. With
        `given`, a result of `read_ahead`, no source that takes long is read: raises `UnreadError` if one would have to
        be.
        """
        reading = Reading(held, remainders, given)
        return tuple([await self._cited_or_none(segment, reading) for segment in statement.evidence])

    async def read_ahead(
        self, statement: ProvenanceStatement, held: Collection[str], remainders: Mapping[str, Remainder] = _NONE
    ) -> Mapping[str, SourceText]:
        """Return the sources, by hash, that `cited_bytes` reads for a statement and that take long to read."""
        reading = Reading(held, remainders)
        for segment in statement.evidence:
            await self._cited_or_none(segment, reading)
        return {name: one for name, one in reading.sources.items() if len(one.content) > QUICK or is_pdf(one.content)}

    async def _cited_or_none(self, segment: EvidenceSegment, reading: Reading) -> CitedBytes | None:
        try:
            remainder = reading.remainders.get(segment.document_hash or "")
            if remainder is not None:
                return await self._cited_of_remainder(segment, remainder, reading)
            return await self._cited(segment, reading)
        except (ContentNotFoundError, ContentMismatchError) as error:
            logger.warning("%s cannot be compared with the statements that cite it: %s", segment.document_hash, error)
            return None

    async def _cited_of_remainder(
        self, segment: EvidenceSegment, remainder: Remainder, reading: Reading
    ) -> CitedBytes | None:
        start, end = segment.byte_range.start, segment.byte_range.end
        length = await self._content.size(remainder.name)
        if end > length:
            return CitedBytes(length, b"")
        if not remainder.has(segment.byte_range):
            return None
        if not reading.takes(end - start):
            return CitedBytes(length, b"", unread=True)
        reading.lengths[remainder.name] = length
        shown = await self._shown_of_remainder(segment, remainder.name, reading)
        return CitedBytes(length, await self._content.get(remainder.name, start, end), shown=shown)

    async def _shown_of_remainder(self, segment: EvidenceSegment, name: str, reading: Reading) -> Shown | None:
        shown = await self._not_whole(name, reading)
        if shown is None or not reading.takes_whole(name):
            return shown
        if name not in reading.sources:
            reading.sources[name] = await self._read(name, reading)
        return reading.shown_of(reading.sources[name], segment)

    async def _cited(self, segment: EvidenceSegment, reading: Reading) -> CitedBytes | None:
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
            source = await self._whole(name, reading)
            return cite(source.content, segment.byte_range, source.cues, reading.shown_of(source, segment))
        shown = await self._not_whole(name, reading)
        return CitedBytes(length, await self._content.get(name, start, end), shown=shown)

    async def _not_whole(self, name: str, reading: Reading) -> Shown | None:
        """Return why the text shown by a source that is not read whole is unknown; None if its bytes are its text."""
        if name not in reading.unread:
            why = f"the source has {reading.lengths[name]} bytes, and is not read whole for this statement"
            reading.unread[name] = shows_unread(await self._content.get(name, 0, HEAD), why)
        return reading.unread[name]

    async def _whole(self, name: str, reading: Reading) -> SourceText:
        if name not in reading.sources:
            kept = self._documents.get(name)
            if kept is None or (reading.given is not None and name in reading.given):
                forgotten = self._forgotten
                source = await self._read(name, reading)
                if forgotten == self._forgotten:  # otherwise this may have been erased while it was read
                    self._keep(name, source)
            elif is_pdf(kept.content) and (why := reading.why_no_pdf()):
                source = SourceText(kept.content, kept.cues, why)
            else:
                self._documents.move_to_end(name)
                source = kept
            reading.sources[name] = source
        return reading.sources[name]

    async def _read(self, name: str, reading: Reading) -> SourceText:
        if reading.given is not None and name in reading.given:
            return reading.given[name]
        if reading.given is not None and reading.lengths[name] > QUICK:
            raise UnreadError(name)
        content = await self._content.get(name)
        if not is_pdf(content):
            return await asyncio.to_thread(read_source, content)
        if reading.given is not None:
            raise UnreadError(name)
        if why := reading.why_no_pdf():
            return SourceText(content, None, why)
        begun = monotonic()
        source = await asyncio.to_thread(read_source, content)
        reading.pdf_seconds += monotonic() - begun
        return source

    def _keep(self, name: str, document: SourceText) -> None:
        if isinstance(document.shown, Shown) and document.shown.is_passing:
            return
        if name not in self._documents:  # somebody else may have read it meanwhile
            self._documents[name] = document
            self._kept += document.weight
        while self._kept > MAX_KEPT and len(self._documents) > 1:
            _, dropped = self._documents.popitem(last=False)
            self._kept -= dropped.weight
