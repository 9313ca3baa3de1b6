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
from time import monotonic
from types import MappingProxyType

from a2ap.evidence import EvidenceSegment
from a2ap.statement import ProvenanceStatement
from graph.content.content_store import ContentStore
from graph.errors import ContentMismatchError, ContentNotFoundError
from graph.evidence.cited_bytes import CitedBytes, cite
from graph.evidence.machine import CHUNK_TEXT_LIMIT
from graph.evidence.pdf_text import NAME as PDF_RULE
from graph.evidence.pdf_text import PdfText, is_pdf
from graph.evidence.remainders import Remainder
from graph.evidence.shown_text import Shown
from graph.evidence.source_text import HEAD, SourceText, read_source, shows_unread

logger = logging.getLogger(__name__)

# Documents up to this size are read whole, kept, and have their cue times compared, as long as those of one statement
# are not more than this together; of the others only the cited bytes are read.
MAX_WHOLE_DOCUMENT = 16 * 1024 * 1024
MAX_WHOLE_DOCUMENTS = 64 * 1024 * 1024
# Segments longer than the text of a chunk are compared until they are this much together.
MAX_CITED = 16 * 1024 * 1024
# So many PDFs are read for one statement, and no other once they have taken so many seconds; of their text, so many
# characters are compared, where each page of a PDF that a segment cites counts as some.
MAX_PDFS = 4
MAX_PDF_SECONDS = 20
MAX_PAGES_TEXT = 16 * 1024 * 1024
_PAGE_WEIGHT = 200
MAX_KEPT = 128 * 1024 * 1024
# Longer documents, and PDFs of any length, take long to be read.
QUICK = 256 * 1024

_NONE: Mapping[str, Remainder] = MappingProxyType({})


class UnreadError(Exception):
    """A source takes long to be read, and there is no time for that now; `EvidenceReader.read_ahead` reads it."""


@dataclass(slots=True)
class _Reading:
    """What has been read for one statement: how much of whole documents, which, and how much of long segments.

    `unread` has what is known of documents of which only the cited bytes are read, `sources` those that are read whole,
    remainders of others among them. PDFs were read in `pdf_seconds`, and so much of their `pages_text` was compared.
    With `given`, which has sources that were read before, none is read now that takes long.
    """

    held: Collection[str]
    remainders: Mapping[str, Remainder]
    given: Mapping[str, SourceText] | None = None
    cited: int = 0
    unread: dict[str, Shown | None] = field(default_factory=dict)
    sources: dict[str, SourceText] = field(default_factory=dict)
    pdfs: int = 0
    pdf_seconds: float = 0
    pages_text: int = 0
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

    def why_no_pdf(self) -> Shown | None:
        """Return why one more PDF is not read for this statement, None where it is, which is counted then."""
        if self.pdfs >= MAX_PDFS:
            why = f"more than {MAX_PDFS} PDFs are not read for one statement"
            return Shown(PDF_RULE, None, why, is_passing=True)
        if self.pdf_seconds > MAX_PDF_SECONDS:
            return Shown(PDF_RULE, None, "the PDFs of the statement take too long to be read", is_passing=True)
        self.pdfs += 1
        return None

    def shown_of(self, source: SourceText, segment: EvidenceSegment) -> Shown | None:
        """Return what a segment shows of a source; of pages only until they have enough text together."""
        if not isinstance(source.shown, PdfText):
            return source.shows(segment.byte_range, segment.page)
        if self.pages_text > MAX_PAGES_TEXT:
            return Shown(source.shown.rule, None, "the statement cites more text of pages than is compared")
        shown = source.shows(segment.byte_range, segment.page)
        self.pages_text += len(shown.text or "" if shown else "") + _PAGE_WEIGHT * len(source.shown.pages)
        return shown


class EvidenceReader:
    """Finds the bytes that evidence cites; keeps at most `MAX_KEPT` bytes of documents."""

    def __init__(self, content: ContentStore) -> None:
        self._content = content
        self._documents: OrderedDict[str, SourceText] = OrderedDict()
        self._sound: set[str] = set()
        self._kept = 0
        self._forgotten = 0

    @property
    def content(self) -> ContentStore:
        """Return where the bytes come from."""
        return self._content

    def forget(self, name: str) -> None:
        """Drop a document that was erased or lost from what is kept in memory."""
        self._forgotten += 1
        self._sound.discard(name)
        dropped = self._documents.pop(name, None)
        if dropped is not None:
            self._kept -= dropped.weight

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
        self,
        statement: ProvenanceStatement,
        held: Collection[str],
        remainders: Mapping[str, Remainder] = _NONE,
        given: Mapping[str, SourceText] | None = None,
    ) -> tuple[CitedBytes | None, ...]:
        """Return the cited bytes of each segment, in order; None where the source is not held.

        `remainders` has what is left of sources that were redacted in part, by their hashes. With `given`, which has
        what `read_ahead` gives, nothing is read that takes long: raises `UnreadError` where it had to be.
        """
        reading = _Reading(held, remainders, given)
        return tuple([await self._cited_or_none(segment, reading) for segment in statement.evidence])

    async def read_ahead(
        self, statement: ProvenanceStatement, held: Collection[str], remainders: Mapping[str, Remainder] = _NONE
    ) -> Mapping[str, SourceText]:
        """Return what `cited_bytes` reads for a statement and takes long to be read, by the hashes of the bytes."""
        reading = _Reading(held, remainders)
        for segment in statement.evidence:
            await self._cited_or_none(segment, reading)
        return {name: one for name, one in reading.sources.items() if len(one.content) > QUICK or is_pdf(one.content)}

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
        reading.lengths[remainder.name] = length
        shown = await self._shown_of_remainder(segment, remainder.name, reading)
        return CitedBytes(length, await self._content.get(remainder.name, start, end), shown=shown)

    async def _shown_of_remainder(self, segment: EvidenceSegment, name: str, reading: _Reading) -> Shown | None:
        shown = await self._not_whole(name, reading)
        if shown is None or not reading.takes_whole(name):
            return shown
        if name not in reading.sources:
            reading.sources[name] = await self._read(name, reading)
        return reading.shown_of(reading.sources[name], segment)

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
            source = await self._whole(name, reading)
            return cite(source.content, segment.byte_range, source.cues, reading.shown_of(source, segment))
        shown = await self._not_whole(name, reading)
        return CitedBytes(length, await self._content.get(name, start, end), shown=shown)

    async def _not_whole(self, name: str, reading: _Reading) -> Shown | None:
        """Return that it is not known what a source shows that is not read whole; None where its bytes are its text."""
        if name not in reading.unread:
            why = f"the source has {reading.lengths[name]} bytes, and is not read whole for this statement"
            reading.unread[name] = shows_unread(await self._content.get(name, 0, HEAD), why)
        return reading.unread[name]

    async def _whole(self, name: str, reading: _Reading) -> SourceText:
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

    async def _read(self, name: str, reading: _Reading) -> SourceText:
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
