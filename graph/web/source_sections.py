"""The sections of a source: parts of a size that a page can show, found from any byte, and read no further than needed.

The sections of a source depend on its bytes alone. A caption file, an HTML document and a PDF are read whole, up to a
size; of any other source, and of a longer one, only the bytes of a section are read, as plain text.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from graph.content.content_store import ContentStore
from graph.evidence.html_text import MAX_HTML, is_html
from graph.evidence.pdf_text import MAX_PDF, PdfText, is_pdf
from graph.evidence.reader import EvidenceReader
from graph.evidence.shown_text import ShownText
from graph.transcripts.errors import CaptionError
from graph.transcripts.payloads import CaptionKind, caption_kind
from graph.web.source_blocks import Block, caption_blocks, character_end, html_blocks, line_blocks, page_blocks

SIZE = 12 * 1024
"""Bytes of text in a section, about."""
_MOST_BLOCKS = 200
_LINE = 4096  # bytes in which a section looks for the end of a line
_HEAD = 65_536
_MAX_CAPTIONS = 4 * 2**20


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a source: its text, the bytes that it stands in, its number from 1, and the sections around it.

    `form` says how the source was read. Of a PDF, whose pages need not be in the order of their bytes, `start` and
    `end` are those of the whole. `blocks` are None if no text can be shown, and `why` says why.
    """

    form: str
    start: int
    end: int
    number: int
    count: int
    before: int | None
    after: int | None
    blocks: tuple[Block, ...] | None
    why: str = ""


async def read_section(content: ContentStore, evidence: EvidenceReader, name: str, length: int, at: int) -> Section:
    """Return the section of a held source with the byte `at`."""
    head = await content.get(name, 0, min(length, _HEAD))
    if is_pdf(head):
        return await _read_pdf(evidence, name, length, at)
    why = ""
    if is_html(head):
        shown = (await evidence.source(name)).shown if length <= MAX_HTML else None
        if isinstance(shown, ShownText):
            blocks = html_blocks(await content.get(name), shown)
            return _among("the visible text of HTML", blocks, length, at)
        why = getattr(shown, "why", f"the source has more than {MAX_HTML} bytes")
    elif length <= _MAX_CAPTIONS and (kind := caption_kind(head)) is not CaptionKind.TEXT:
        try:
            blocks = await asyncio.to_thread(caption_blocks, await content.get(name))
            return _among("captions, WebVTT" if kind is CaptionKind.WEBVTT else "captions, SubRip", blocks, length, at)
        except CaptionError as error:
            why = str(error)
    if b"\0" in head:
        return Section("bytes", 0, length, 1, 1, None, None, None, "the source is not a text")
    return await _read_lines(content, name, length, at, why)


async def _read_pdf(evidence: EvidenceReader, name: str, length: int, at: int) -> Section:
    if length > MAX_PDF:
        return Section("PDF", 0, length, 1, 1, None, None, None, f"the source has more than {MAX_PDF} bytes")
    shown = (await evidence.source(name)).shown
    if not isinstance(shown, PdfText):
        return Section("PDF", 0, length, 1, 1, None, None, None, getattr(shown, "why", ""))
    pages = page_blocks(shown)
    if not pages:
        return Section("PDF", 0, length, 1, 1, None, None, None, "the source has no pages")
    groups = _groups(pages)
    number = next((n for n, group in enumerate(groups) for page in group if page.start <= at < page.end), 0)
    starts = [min((page.start for page in group if page.end), default=0) for group in groups]
    return Section("the text of a PDF's pages", 0, length, *_place(starts, number), tuple(groups[number]))


def _among(form: str, blocks: Sequence[Block], length: int, at: int) -> Section:
    if not blocks:
        return Section(form, 0, length, 1, 1, None, None, (), "")
    groups = _groups(blocks)
    starts = [0, *(group[0].start for group in groups[1:])]
    number = max(place for place, start in enumerate(starts) if start <= max(at, 0))
    end = starts[number + 1] if number + 1 < len(starts) else length
    return Section(form, starts[number], end, *_place(starts, number), tuple(groups[number]))


def _groups(blocks: Sequence[Block]) -> list[list[Block]]:
    groups: list[list[Block]] = [[]]
    weight = 0
    for block in blocks:
        if groups[-1] and (weight + block.weight > SIZE or len(groups[-1]) == _MOST_BLOCKS):
            groups.append([])
            weight = 0
        groups[-1].append(block)
        weight += block.weight
    return groups


def _place(starts: Sequence[int], number: int) -> tuple[int, int, int | None, int | None]:
    """Return a section's number from 1, the number of sections, and the first bytes of the sections around it."""
    before = starts[number - 1] if number else None
    after = starts[number + 1] if number + 1 < len(starts) else None
    return number + 1, len(starts), before, after


async def _read_lines(content: ContentStore, name: str, length: int, at: int, why: str) -> Section:
    count = max(1, -(-(length - _LINE) // SIZE))
    number = min(max(at, 0) // SIZE, count - 1)
    start = await _bound(content, name, length, number, count)
    if at < start:
        number -= 1
        start = await _bound(content, name, length, number, count)
    end = await _bound(content, name, length, number + 1, count)
    before = await _bound(content, name, length, number - 1, count) if number else None
    text = await content.get(name, start, end)
    after = end if number + 1 < count else None
    blocks = tuple(line_blocks(text, start))
    return Section("plain text", start, end, number + 1, count, before, after, blocks, why)


async def _bound(content: ContentStore, name: str, length: int, number: int, count: int) -> int:
    """Return the first byte of a section of lines: the start of a line if one is near, else of a character."""
    if number <= 0 or number >= count:
        return 0 if number <= 0 else length
    near = await content.get(name, number * SIZE, number * SIZE + _LINE)
    line = near.find(b"\n")
    return number * SIZE + (line + 1 if line >= 0 else character_end(near, 0))
