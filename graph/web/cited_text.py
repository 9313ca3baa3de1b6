"""Cuts the blocks of a source into runs of text, each with the cited passages that it belongs to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from graph.evidence.pdf_words import as_quoted
from graph.web.source_blocks import Block, Piece


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """A cited passage: its bytes, half open, the pages that statements name, and the words that they quote."""

    start: int
    end: int
    pages: frozenset[int]
    quotes: tuple[str, ...]
    chunk: dict[str, Any]

    @property
    def anchor(self) -> str:
        """Return the id of the passage in the page, to which claims link."""
        return f"bytes-{self.start}-{self.end}"

    @classmethod
    def of(cls, chunk: dict[str, Any], document_hash: str | None) -> "Passage":
        """Return the passage of a chunk of the page's query, with the quotes of the statements that cite it."""
        start, end = chunk["byteStart"], chunk["byteEnd"]
        citations = [
            one
            for statement in chunk["citedBy"]
            for one in statement["citations"]
            if (one["byteRange"]["start"], one["byteRange"]["end"]) == (start, end)
            and one["chunk"]["document"]["hash"] == document_hash
        ]
        pages = frozenset(one["page"] for one in citations if one["page"] is not None)
        quotes = tuple(dict.fromkeys(one["quote"] for one in citations if one["quote"]))
        return cls(start, end, pages, quotes, chunk)


@dataclass(frozen=True, slots=True)
class Run:
    """Text with the passages that it belongs to, and those of them that begin with it."""

    text: str
    passages: tuple[Passage, ...]
    begins: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class CitedBlock:
    """A block, its runs of text, and the passages that are noted beside it."""

    block: Block
    runs: tuple[Run, ...]
    notes: tuple[Passage, ...]
    has_byte: bool = False

    @property
    def unseen(self) -> tuple[Passage, ...]:
        """Return the passages noted here of which no text is marked."""
        seen = {passage for run in self.runs for passage in run.begins}
        return tuple(passage for passage in self.notes if passage not in seen)


def cite_blocks(blocks: Sequence[Block], passages: Sequence[Passage], at: int | None) -> list[CitedBlock]:
    """Return the blocks with their passages; each passage is noted once, and `at` is the byte that is looked for."""
    seen: set[Passage] = set()
    noted: set[Passage] = set()
    found: list[CitedBlock] = []
    for place, block in enumerate(blocks):
        is_last = place + 1 == len(blocks)
        runs = tuple(_runs(block, passages, seen))
        here = {passage for run in runs for passage in run.begins}
        notes = tuple(one for one in passages if one not in noted and (one in here or is_last or _ends_by(one, block)))
        noted.update(notes)
        has_byte = at is not None and at < block.end and not any(one.has_byte for one in found)
        found.append(CitedBlock(block, runs, notes, has_byte))
    return found


def _ends_by(passage: Passage, block: Block) -> bool:
    """Return whether a passage that no text has begun stands in or before a block."""
    if block.page is None:
        return passage.end <= block.end
    return block.page in passage.pages or (
        not passage.pages and passage.start <= block.start < block.end <= passage.end
    )


def _runs(block: Block, passages: Sequence[Passage], seen: set[Passage]) -> Iterator[Run]:
    if block.page is not None:
        texts = _page_texts(block, passages)
    else:
        near = [one for one in passages if one.start < block.end and block.start < one.end]
        texts = (found for piece in block.pieces for found in _piece_texts(piece, near))
    for text, of in _joined(texts):
        begins = tuple(passage for passage in of if passage not in seen)
        seen.update(begins)
        yield Run(text, of, begins)


def _piece_texts(piece: Piece, passages: Sequence[Passage]) -> Iterator[tuple[str, tuple[Passage, ...]]]:
    """Yield the texts of a piece between the ends of passages, each with its passages."""
    if piece.raw is None:
        yield piece.unit, tuple(one for one in passages if one.start <= piece.start and piece.end <= one.end)
        return
    ends = {end for one in passages for end in (one.start, one.end) if piece.start < end < piece.end}
    for start, end in pairwise([piece.start, *sorted(ends), piece.end]):
        yield piece.text(start, end), tuple(one for one in passages if one.start <= start and end <= one.end)


def _page_texts(block: Block, passages: Sequence[Passage]) -> Iterator[tuple[str, tuple[Passage, ...]]]:
    """Yield the texts of a page between the ends of quotes: its bytes do not tell where in it a quote stands."""
    text = block.pieces[0].unit
    places: list[tuple[int, int, Passage]] = []
    for passage in passages:
        if passage.pages and block.page not in passage.pages:
            continue
        for quote in passage.quotes:
            words = as_quoted(quote)
            place = text.find(words) if words else -1
            if place >= 0:
                places.append((place, place + len(words), passage))
    ends = {end for start, stop, _ in places for end in (start, stop)}
    for start, end in pairwise(sorted({0, len(text), *ends})):
        of = (passage for begin, stop, passage in places if begin <= start and end <= stop)
        yield text[start:end], tuple(dict.fromkeys(of))


def _joined(
    texts: Iterator[tuple[str, tuple[Passage, ...]]],
) -> Iterator[tuple[str, tuple[Passage, ...]]]:
    """Yield neighbouring texts of the same passages as one."""
    text = ""
    passages: tuple[Passage, ...] = ()
    for more, of in texts:
        if of == passages:
            text += more
            continue
        if text:
            yield text, passages
        text, passages = more, of
    if text:
        yield text, passages
