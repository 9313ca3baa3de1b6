"""A source read for the statements that cite it: its bytes, their times, and the text that they show.

A source's bytes decide the rule for the text that it shows, so that a statement gets the same findings from every node
that has them, under any registered type (docs/decisions/0037). HTML is read by `html/1`, PDF by `pdf/1`.
Of any other source the bytes are the text.
"""

from dataclasses import dataclass

from a2ap.messages.evidence import ByteRange
from graph.evidence.cited_bytes import CitedBytes, CueTiming, cite
from graph.evidence.cue_timings import cue_timings
from graph.evidence.html_text import RULE, is_html, read_html
from graph.evidence.pdf_text import NAME as PDF_RULE
from graph.evidence.pdf_text import PdfText, is_pdf, read_pdf
from graph.evidence.shown_text import Shown, ShownText, Unreadable

# So many bytes of a source tell by which rule it is read.
HEAD = 4096


@dataclass(frozen=True, slots=True)
class Place:
    """The place of words: their bytes, and their page in a source that has pages."""

    byte_range: ByteRange
    page: int | None = None


@dataclass(frozen=True, slots=True)
class SourceText:
    """A whole source; `shown` is None if its bytes are its text, and says why if it cannot be read."""

    content: bytes
    cues: tuple[CueTiming, ...] | None
    shown: ShownText | PdfText | Shown | None

    @property
    def weight(self) -> int:
        """Return the approximate memory that this object takes, in bytes."""
        return len(self.content) + (self.shown.weight if isinstance(self.shown, ShownText | PdfText) else 0)

    def cite(self, byte_range: ByteRange, page: int | None = None) -> CitedBytes:
        """Return the content of these bytes; `page` is the page that a segment states."""
        return cite(self.content, byte_range, self.cues, self.shows(byte_range, page))

    def shows(self, byte_range: ByteRange, page: int | None = None) -> Shown | None:
        """Return the text that these bytes show, of that page only; None if they are the text themselves."""
        if isinstance(self.shown, PdfText):
            return self.shown.within(byte_range, page)
        if isinstance(self.shown, ShownText):
            return Shown(self.shown.rule, self.shown.within(byte_range))
        return self.shown

    def find(self, words: str) -> list[Place]:
        """Return the places of these words: the first, and the second if there is one."""
        if isinstance(self.shown, PdfText):
            return [Place(*found) for found, _ in zip(self.shown.find(words), range(2), strict=False)]
        if isinstance(self.shown, ShownText):
            return [Place(place) for place, _ in zip(self.shown.find(words), range(2), strict=False)]
        quoted = words.encode()
        start = self.content.find(quoted) if quoted else -1
        again = self.content.find(quoted, start + 1) if start >= 0 else -1
        return [Place(ByteRange(place, place + len(quoted))) for place in (start, again) if place >= 0]


def read_source(content: bytes) -> SourceText:
    """Read a whole source."""
    return SourceText(content, cue_timings(content), read_shown(content))


def shows_unread(head: bytes, why: str) -> Shown | None:
    """Return why the text that a source shows is unknown, by its first bytes; None if its bytes are its text."""
    if is_pdf(head):
        return Shown(PDF_RULE, None, why)
    return Shown(RULE, None, why) if is_html(head) else None


def read_shown(content: bytes) -> ShownText | PdfText | Shown | None:
    """Return the text that a whole source shows, as `SourceText.shown`; waits for a PDF to be read."""
    if is_pdf(content):
        return read_pdf(content)
    if not is_html(content[:HEAD]):
        return None
    try:
        return read_html(content)
    except Unreadable as error:
        return Shown(RULE, None, f"the source is not read, because {error}")
