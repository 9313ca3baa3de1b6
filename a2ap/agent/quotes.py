"""Quotes: words that stand in a source exactly so, found by their bytes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import Enum
from itertools import islice

from a2ap.agent.content import IN_MEMORY, Content, digests_of
from a2ap.errors import A2APError
from a2ap.messages.evidence import ByteRange

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
_MOST_SENTENCES, _COMPARED, _LONG_WORD = 500, 300, 4  # sentences; characters of each; characters of a word
_MOST_PLACES = 5
_ALIKE = 0.5  # ratio of `difflib`, 0 to 1


@dataclass(frozen=True, slots=True)
class Source:
    """A source as an agent knows it: its id, its bytes with their SHA-256 (`sha256:…`), and its title.

    The bytes of a large source are in its file: slices of `content` are read from there.
    """

    id: str
    content: Content = field(repr=False, compare=False)
    title: str = ""
    document_hash: str = ""

    def __post_init__(self) -> None:
        if not self.document_hash:
            object.__setattr__(self, "document_hash", digests_of(self.content, "")[0])


class QuoteForm(Enum):
    """The form of a quote in a statement: words, words that can be erased later, or the place of the words alone."""

    WORDS = "words"
    REDACTABLE = "redactable"
    POINTER = "pointer"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a source.

    `source` is the statement's source if it is None. `start` is the byte at which the words begin, for words that the
    source has several times. `relevance` is a share from 0 to 1, `page` a number from 1.
    """

    words: str
    source: Source | None = None
    start: int | None = None
    form: QuoteForm = QuoteForm.WORDS
    relevance: float | None = None
    page: int | None = None


Quotes = str | Quote | Sequence[str | Quote]
"""One or more quotes, as words or with their place and form."""


def quotes_of(quotes: Quotes) -> tuple[Quote, ...]:
    """Return one or more quotes as quotes."""
    stated = (quotes,) if isinstance(quotes, (str, Quote)) else quotes
    return tuple(Quote(one) if isinstance(one, str) else one for one in stated)


class QuoteError(A2APError):
    """Words do not stand in a source, or stand there several times.

    `nearest` is the most similar passage of a source without the words, None if none is similar. `places` are the bytes
    at which the words begin in a source that has them several times, the first five.
    """

    def __init__(self, message: str, nearest: str | None = None, places: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.nearest = nearest
        self.places = places


def find_quote(content: Content, quote: Quote) -> ByteRange:
    """Return the bytes of a source at which a quote stands; raises `QuoteError`."""
    try:
        words = quote.words.encode()
    except UnicodeEncodeError as error:
        raise QuoteError(f"the quote {quote.words!r} is no text: {error.reason}") from error
    if not words:
        raise QuoteError("the quote has no words")
    if quote.start is not None:
        if quote.start < 0 or content[quote.start : quote.start + len(words)] != words:
            raise QuoteError(f"the source does not say {quote.words!r} at byte {quote.start}")
        return ByteRange(quote.start, quote.start + len(words))
    places = _places(content, words)
    start = next(places, None)
    if start is None:
        nearest = nearest_passage(content, quote.words)
        closest = f"; the nearest passage is {nearest!r}" if nearest is not None else ""
        raise QuoteError(f"the source does not say {quote.words!r}{closest}", nearest)
    others = [place for place, _ in zip(places, range(_MOST_PLACES - 1), strict=False)]
    if others:
        told = ", ".join(map(str, (start, *others)))
        raise QuoteError(
            f"the source says {quote.words!r} several times, at bytes {told}: quote more of it, or state the start",
            places=(start, *others),
        )
    return ByteRange(start, start + len(words))


def nearest_passage(content: Content, words: str) -> str | None:
    """Return the passage of a source that is most similar to these words, None if no passage is similar.

    A passage with the same words, in whatever case and with whatever between them, is nearer than any other. Of a large
    source the beginning is searched.
    """
    text = content[:IN_MEMORY].decode("utf-8", "replace")
    parts = re.findall(r"\w+", words)
    if parts:
        same = re.search(r"\W+".join(map(re.escape, parts)), text, re.IGNORECASE)
        if same is not None:
            return same[0]
    # Sentences without a long word of the quote are not compared: a comparison takes a while.
    known = {part.casefold() for part in parts if len(part) >= _LONG_WORD}
    sentences = (one[0].strip() for one in _SENTENCE.finditer(text))
    near = (one for one in sentences if known & {part.casefold() for part in re.findall(r"\w+", one)})
    compared = [one[:_COMPARED] for one in islice(near, _MOST_SENTENCES)]
    found = get_close_matches(words[:_COMPARED], compared, n=1, cutoff=_ALIKE)
    return found[0] if found else None


def _places(content: Content, words: bytes) -> Iterator[int]:
    place = content.find(words)
    while place >= 0:
        yield place
        place = content.find(words, place + 1)
