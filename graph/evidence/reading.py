"""The amount read for one statement, and the bounds on it, which depend on the statement alone."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from a2ap.messages.evidence import EvidenceSegment
from graph.evidence.machine import CHUNK_TEXT_LIMIT
from graph.evidence.pdf_text import NAME as PDF_RULE
from graph.evidence.pdf_text import PdfText
from graph.evidence.remainders import Remainder
from graph.evidence.shown_text import Shown
from graph.evidence.source_text import SourceText

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


@dataclass(slots=True)
class Reading:
    """The amount read for one statement: of whole documents, and of long segments.

    `unread` has the known facts about documents of which only the cited bytes are read, `sources` those that are read
    whole, including remainders of others. `pdf_seconds` is the time taken to read PDFs, `pages_text` the amount of
    their text that was compared. With `given`, which has sources that were read before, no source that takes long is
    read.
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
        """Return whether a document, whose length is known, is read whole; if so, count it."""
        length = self.lengths[name]
        if name not in self.whole and length <= min(MAX_WHOLE_DOCUMENT, MAX_WHOLE_DOCUMENTS - sum(self.whole.values())):
            self.whole[name] = length
        return name in self.whole

    def takes(self, length: int) -> bool:
        """Return whether `length` more bytes of a segment are still compared, and count them."""
        if length <= CHUNK_TEXT_LIMIT:
            return True
        self.cited += length
        return self.cited <= MAX_CITED

    def why_no_pdf(self) -> Shown | None:
        """Return why one more PDF is not read for this statement, None if it is; it is then counted."""
        if self.pdfs >= MAX_PDFS:
            why = f"more than {MAX_PDFS} PDFs are not read for one statement"
            return Shown(PDF_RULE, None, why, is_passing=True)
        if self.pdf_seconds > MAX_PDF_SECONDS:
            return Shown(PDF_RULE, None, "the PDFs of the statement take too long to be read", is_passing=True)
        self.pdfs += 1
        return None

    def shown_of(self, source: SourceText, segment: EvidenceSegment) -> Shown | None:
        """Return the text of a source that a segment shows; pages only until their text reaches `MAX_PAGES_TEXT`."""
        if not isinstance(source.shown, PdfText):
            return source.shows(segment.byte_range, segment.page)
        if self.pages_text > MAX_PAGES_TEXT:
            return Shown(source.shown.rule, None, "the statement cites more text of pages than is compared")
        shown = source.shows(segment.byte_range, segment.page)
        self.pages_text += len(shown.text or "" if shown else "") + _PAGE_WEIGHT * len(source.shown.pages)
        return shown
