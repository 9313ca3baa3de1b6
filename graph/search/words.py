"""Words of a text as the full-text indexes read them: their places, and the common stem of a word's forms.

The engines split and stem texts with Lucene's EnglishAnalyzer: words by Unicode's rules (UAX #29), without a possessive
's, in lower case, without the words of `STOP_WORDS`, by Porter's algorithm. This module does the same for texts that
are shown and checked here. Offsets count characters (code points), half-open.
"""

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

_STOP_WORDS = """
a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to
was will with
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""The words that no index contains: Lucene's stop words for English."""

MAX_WORD = 64  # characters of a word that are looked at

# An apostrophe, full stop or colon inside a word does not end it, and neither does a comma inside a number.
_RUN = r"\w+(?:(?<=[^\W\d_])['’.:·](?=[^\W\d_])\w+|(?<=\d)['’.,;](?=\d)\w+)*"
WORD = re.compile(_RUN)
_IDEOGRAPH = re.compile("[\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_LOCAL = threading.local()  # a stemmer keeps the word that it works on


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text: its place, its text in lower case, and its stem."""

    start: int
    end: int
    text: str
    stem: str


def words_of(text: str) -> tuple[Word, ...]:
    """Return the words of a text in order; each ideograph is a word."""
    found = []
    for run in WORD.finditer(text):
        start = run.start()
        for ideograph in _IDEOGRAPH.finditer(run[0]):
            place = run.start() + ideograph.start()
            found += [_word(text, start, place)] if start < place else []
            found.append(_word(text, place, place + 1))
            start = place + 1
        found += [_word(text, start, run.end())] if start < run.end() else []
    return tuple(found)


def said(words: Sequence[Word]) -> tuple[str, ...]:
    """Return the stems of the words that an index contains."""
    return tuple(word.stem for word in words if word.text not in STOP_WORDS)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the common stem of a word's forms; the word is in lower case."""
    if not hasattr(_LOCAL, "porter"):
        _LOCAL.porter = snowballstemmer.stemmer("porter")
    found: str = _LOCAL.porter.stemWord(word.removesuffix("'s").removesuffix("’s"))
    return found


def _word(text: str, start: int, end: int) -> Word:
    word = text[start:end].lower()[:MAX_WORD]
    return Word(start, end, word, stem(word))
