"""The text of a source as blocks: paragraphs, turns of a speaker or pages, each piece with the bytes it stands in."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from itertools import pairwise
from re import compile as pattern

from graph.evidence.html_text import WITHIN_WORDS
from graph.evidence.pdf_text import PdfText
from graph.evidence.pdf_words import MARK
from graph.evidence.shown_text import ShownText
from graph.transcripts.captions import Cue, read_captions

LONGEST = 4096
"""Bytes; a longer block is cut, and so is a longer piece."""
_TURN = 480  # bytes: a long turn of a speaker is shown in blocks of about this length
_TAG = pattern(rb"</?([A-Za-z][A-Za-z0-9]*)")


@dataclass(frozen=True, slots=True)
class Piece:
    """Text that stands in the bytes `start` to before `end`: byte for byte if it has them as `raw`, else as a unit."""

    start: int
    end: int
    raw: bytes | None
    unit: str = ""
    references: bool = False

    def text(self, start: int, end: int) -> str:
        """Return the text that stands in these bytes, half open; `references` of HTML are resolved."""
        if self.raw is None:
            return self.unit
        text = self.raw[max(start - self.start, 0) : max(end - self.start, 0)].decode("utf-8", "replace")
        return unescape(text) if self.references else text


@dataclass(frozen=True, slots=True)
class Block:
    """Pieces of text in their order, with the time of the first, the speaker, or the number of the page.

    `start` and `end` are the bytes that it stands in. A `wrapped` block keeps its line breaks. If the text of a page is
    not shown, `hides` says why.
    """

    pieces: tuple[Piece, ...]
    start: int
    end: int
    milliseconds: int | None = None
    speaker: str | None = None
    page: int | None = None
    wrapped: bool = False
    hides: str = ""
    weight: int = field(default=0)

    @classmethod
    def of(cls, pieces: Sequence[Piece], **facts: object) -> "Block":
        """Return a block of one piece or more."""
        weight = sum(piece.end - piece.start if piece.raw is not None else len(piece.unit) for piece in pieces)
        return cls(tuple(pieces), pieces[0].start, pieces[-1].end, weight=weight, **facts)  # type: ignore[arg-type]


def caption_blocks(content: bytes) -> list[Block]:
    """Return the turns of speakers in a caption file, long ones in parts. Raises CaptionError."""
    return [_turn(cues) for cues in _turns(read_captions(content))]


def html_blocks(content: bytes, shown: ShownText) -> list[Block]:
    """Return the paragraphs of the text that an HTML document shows."""
    blocks: list[Block] = []
    pieces: list[Piece] = []
    ends = [*shown.at[1:], len(shown.text)]
    for at, after, start, end, literal in zip(shown.at, ends, shown.start, shown.end, shown.literal, strict=True):
        if not literal and shown.text[at:after] == " " and _divides(content[start:end]):
            blocks += _cut(pieces)
            pieces = []
        else:
            pieces.append(Piece(start, end, content[start:end] if literal else None, shown.text[at:after]))
    return [*blocks, *_cut(pieces)]


def page_blocks(pdf: PdfText) -> list[Block]:
    """Return the pages of a PDF; a page whose bytes are not known stands in none."""
    blocks = []
    for page in pdf.pages:
        start, end = (page.span.start, page.span.end) if page.span else (0, 0)
        text = "" if page.hides else page.text.replace(MARK, "-")
        unit = Piece(start, end, None, text)
        blocks.append(Block((unit,), start, end, page=page.number, hides=page.hides, weight=len(text)))
    return blocks


def line_blocks(content: bytes, offset: int) -> list[Block]:
    """Return the paragraphs of a part of a plain text that begins at the byte `offset`; the lines stay as they are."""
    blocks: list[Block] = []
    lines: list[tuple[int, int]] = []
    position = 0
    for line in content.splitlines(keepends=True):
        bounds = (position, position + len(line))
        position += len(line)
        if line.strip():
            lines.append(bounds)
        elif lines:
            blocks += _wrapped(content, offset, lines)
            lines = []
    return [*blocks, *_wrapped(content, offset, lines)]


def _wrapped(content: bytes, offset: int, lines: Sequence[tuple[int, int]]) -> list[Block]:
    if not lines:
        return []
    start = lines[0][0]
    stated = content[start : lines[-1][1]].rstrip(b"\r\n")
    piece = Piece(offset + start, offset + start + len(stated), stated)
    return [replace(block, wrapped=True) for block in _cut([piece])]


def _turns(cues: Sequence[Cue]) -> Iterator[list[Cue]]:
    cues_of_turn: list[Cue] = []
    for cue in cues:
        if cues_of_turn:
            last = cues_of_turn[-1]
            is_long = cue.end - cues_of_turn[0].start > _TURN and last.text.rstrip("\"'”’)]").endswith((".", "?", "!"))
            if cue.turn != last.turn or is_long or cue.end - cues_of_turn[0].start > LONGEST:
                yield cues_of_turn
                cues_of_turn = []
        cues_of_turn.append(cue)
    if cues_of_turn:
        yield cues_of_turn


def _turn(cues: Sequence[Cue]) -> Block:
    pieces = [_spoken(cues[0])]
    for before, cue in pairwise(cues):
        if not cue.glued:
            pieces.append(Piece(before.end, cue.start, None, " "))
        pieces.append(_spoken(cue))
    return Block.of(pieces, milliseconds=cues[0].start_ms, speaker=cues[0].speaker)


def _spoken(cue: Cue) -> Piece:
    return Piece(cue.start, cue.end, cue.text.encode(), references=True)


def _divides(gap: bytes) -> bool:
    """Return whether the bytes between two words have the tag of a paragraph or of another block."""
    return any(name.decode().lower() not in WITHIN_WORDS for name in _TAG.findall(gap))


def _cut(pieces: Sequence[Piece]) -> list[Block]:
    """Return the pieces as blocks of up to `LONGEST` bytes, between pieces or within a long one."""
    blocks: list[Block] = []
    taken: list[Piece] = []
    for piece in (part for whole in pieces for part in _parts(whole)):
        if taken and piece.end - taken[0].start > LONGEST:
            blocks.append(Block.of(taken))
            taken = []
        taken.append(piece)
    return [*blocks, Block.of(taken)] if taken else blocks


def _parts(piece: Piece) -> Iterator[Piece]:
    if piece.raw is None:
        yield piece
        return
    position = 0
    while position < len(piece.raw):
        stop = character_end(piece.raw, position + LONGEST)
        yield replace(piece, start=piece.start + position, end=piece.start + stop, raw=piece.raw[position:stop])
        position = stop


def character_end(content: bytes, position: int) -> int:
    """Return the first position from this one on at which no character of UTF-8 is cut in two."""
    last = min(position + 4, len(content))
    return next((stop for stop in range(position, last) if content[stop] & 0xC0 != 0x80), last)
