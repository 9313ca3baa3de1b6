"""The text of the pages of a PDF, with the bytes that each page stands in: the rule `pdf/1`.

The text of a page is the one that pypdf extracts, in the order in which it is drawn; the name of the rule is followed
by the library's version, because another version may read the same file otherwise. Nothing is drawn, run or fetched,
and the file is read in a process of its own (`graph.evidence.pdf_worker`). The rules:

- A document is a PDF if `%PDF-` stands in its first 1,024 bytes with only white space before it.
- A page stands in the bytes from the head of its first content stream to the end of its last. A range of bytes shows
  the pages that stand in it whole, one after the other; the whole file shows all pages, including any whose bytes are
  not known. A stated `page` narrows that to one.
- White space of any length is one space, soft hyphens and characters without width are nothing, and the ligatures of
  Latin letters (U+FB00 to U+FB06) are their letters, in pages and in quotes.
- A hyphen at the end of a line may be the word's own or not: a quote may have it or not.
- A quote that does not occur fails only if every page shown is nothing but text, in fonts that name their letters, and
  does not even have the letters of each of the quote's words; otherwise it stays open (`.quotes`).
"""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
import threading
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import filterfalse, islice
from typing import Any

from a2ap.messages.evidence import ByteRange
from graph.evidence.pdf_words import MARK, as_quoted
from graph.evidence.pdf_worker import SECONDS
from graph.evidence.shown_text import Page, Shown

logger = logging.getLogger(__name__)

NAME = "pdf/1"

_PDF, _PDF_HEAD = b"%PDF-", 1024
MAX_PDF = 16 * 2**20
_PATIENCE = 6 * SECONDS
"""Seconds by the clock, for machines that other processes use as well."""
_AT_ONCE = threading.BoundedSemaphore(2)

_HYPHENS = re.compile(f"[{MARK}-]")
_MOST_TRIED = 64


@dataclass(frozen=True, slots=True)
class PdfText:
    """The pages of a PDF of `length` bytes, by the rule of that name and version."""

    rule: str
    pages: tuple[Page, ...]
    length: int

    @property
    def weight(self) -> int:
        """Return the approximate memory that this object takes, in bytes."""
        return sum(4 * (len(page.text) + len(page.letters)) + 200 for page in self.pages)

    def within(self, byte_range: ByteRange, number: int | None = None) -> Shown:
        """Return the text that these bytes show; only of page `number`, if given."""
        if number is not None and number > len(self.pages):
            return Shown(self.rule, None, f"the source has {len(self.pages)} pages")
        held = tuple(page for page in self.pages if number in (None, page.number) and self._holds(byte_range, page))
        if not held:
            which = "no whole page of the source" if number is None else f"not all of page {number}"
            return Shown(self.rule, None, f"the cited bytes hold {which}")
        if all(page.hides for page in held):
            return Shown(self.rule, None, f"page {held[0].number} has {held[0].hides}")
        return Shown(self.rule, _joined(held), pages=held)

    def find(self, quote: str) -> Iterator[tuple[ByteRange, int]]:
        """Yield the bytes and number of each page on which these words occur; twice if they occur twice."""
        words = as_quoted(quote)
        for page in self.pages:
            if words and not page.hides:
                where = page.span or ByteRange(0, self.length)
                for _ in _places(words, page.text):
                    yield where, page.number

    def _holds(self, byte_range: ByteRange, page: Page) -> bool:
        if byte_range.start == 0 and byte_range.end >= self.length:
            return True
        return page.span is not None and byte_range.start <= page.span.start and page.span.end <= byte_range.end


def is_pdf(beginning: bytes) -> bool:
    """Return whether a document is a PDF, by its first bytes; 1,024 are enough."""
    return beginning[:_PDF_HEAD].lstrip().startswith(_PDF)


@cache
def rule() -> str:
    """Return the name of the rule, with the version of its library."""
    try:
        return f"{NAME}, pypdf {version('pypdf')}"
    except PackageNotFoundError:
        return NAME


def read_pdf(document: bytes) -> PdfText | Shown:
    """Return the text of a PDF's pages, or why it is not read; starts a process of its own, and waits for it."""
    if len(document) > MAX_PDF:
        return Shown(rule(), None, f"the source is not read, because it has more than {MAX_PDF} bytes")
    if rule() == NAME:
        why = "PDF is read with pypdf, which the extra `pdf` of this package brings and which is not installed"
        return Shown(NAME, None, why)
    try:
        told = _told(document)
    except (OSError, subprocess.TimeoutExpired):
        why = "the source could not be read, because this machine has too much to do"
        return Shown(rule(), None, why, is_passing=True)
    if "error" in told:
        return Shown(rule(), None, f"the source is not read, because {told['error']}")
    pages = tuple(_page(number, page) for number, page in enumerate(told["pages"], 1))
    return PdfText(rule(), pages, len(document))


def stands_in(words: str, text: str) -> bool:
    """Return whether words, in the form of `as_quoted`, occur in the text of pages."""
    return next(_places(words, text), None) is not None


def _told(document: bytes) -> dict[str, Any]:
    command = (sys.executable, "-m", "graph.evidence.pdf_worker")
    with _AT_ONCE:
        # The library's words about a file go nowhere: they may repeat the file's own.
        done = subprocess.run(
            command,
            input=document,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE,
            env=_environment(),
            check=False,
        )
    if done.returncode != 0 or not done.stdout:
        return {"error": "it takes more time or memory than it may"}
    told: dict[str, Any] = json.loads(done.stdout)
    if not told.pop("alone"):
        _say_not_alone()
    return told


@cache
def _say_not_alone() -> None:
    logger.warning("PDF is read by processes that have a network, because this machine lets no process leave it")


def _environment() -> dict[str, str]:
    """Return the environment of the process: the paths of its modules, and no secrets."""
    return {name: os.environ[name] for name in ("PATH", "PYTHONHOME", "PYTHONPATH") if name in os.environ}


def _page(number: int, told: dict[str, Any]) -> Page:
    span = ByteRange(*told["span"]) if told["span"] else None
    return Page(number, told["text"], told["letters"], span, told["hides"], told["besides"])


def _joined(pages: tuple[Page, ...]) -> str:
    """Return the text of the pages that may be shown."""
    texts, before = [], 0
    for page in pages:
        if not page.hides:
            # Between pages that do not follow each other, as where one may not be shown, no quote goes on.
            texts += [page.text] if page.number == before + 1 else ["\n", page.text]
            before = page.number
    return " ".join(text for text in texts if text)


def _places(words: str, text: str) -> Iterator[int]:
    """Yield up to two places of the words, with all hyphens at ends of lines, or none, or some."""
    found = max((list(islice(_find(words, text.replace(MARK, read)), 2)) for read in ("", "-")), key=len)
    yield from found
    if not found and MARK in text and "-" in words.strip("-"):
        yield from _find_mixed(words, text)


def _find(words: str, text: str) -> Iterator[int]:
    position = text.find(words)
    while position >= 0:
        yield position
        position = text.find(words, position + 1)


def _find_mixed(words: str, text: str) -> Iterator[int]:
    """Yield places at which some hyphens at the ends of lines are the words' own, and others are not."""
    bare, wanted = text.replace(MARK, "").replace("-", ""), words.replace("-", "")
    if wanted not in bare:
        return
    hyphens = {found.start() for found in _HYPHENS.finditer(text)}
    at = array("I", filterfalse(hyphens.__contains__, range(len(text))))
    for _, position in zip(range(_MOST_TRIED), _find(wanted, bare), strict=False):
        if _agrees(words, text, at[position]):
            yield at[position]


def _agrees(words: str, text: str, place: int) -> bool:
    said = 0
    while said < len(words):
        if place == len(text):
            return False
        if text[place] == MARK:
            said += words[said] == "-"
        elif text[place] == words[said]:
            said += 1
        else:
            return False
        place += 1
    return True
