"""The two keys of a claim that the graph keeps: what it says, and what it is about.

Every claim that is taken in gets them, so they cost one pass over its words. The subject's key is coarse: all claims
that `graph.disputes.detector` may find to exclude each other have the same, and so do some that it does not.
"""

import hashlib
import re
import unicodedata

from graph.disputes.amounts import BOUNDING
from graph.disputes.reading import LONGEST
from graph.disputes.vocabulary import (
    DROPPED,
    MONTHS,
    MULTIPLIERS,
    NEGATIONS,
    POLES,
    REFUSALS,
    SHORT_MONTHS,
    SHORT_MULTIPLIERS,
    SMALL_NUMBERS,
    UNITS,
    WEEKDAYS,
    word_set,
)
from graph.disputes.words import stem

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['-]\w+)*|[?%$€£°#]|(?<![\w-])-(?=\d)")
_ALIKE = str.maketrans("’‐‑−–", "'----")
_SET_ASIDE = (
    DROPPED.union(NEGATIONS, REFUSALS, POLES, SMALL_NUMBERS, MULTIPLIERS, SHORT_MULTIPLIERS, UNITS, BOUNDING)
    .union(MONTHS, SHORT_MONTHS, WEEKDAYS)
    .union(word_set("to for nor am pm p o'clock noon midnight st nd rd th percentage point points square cubic"))
    .union(word_set("degree degrees c f celsius fahrenheit per by before after until till since and"))
)


def claim_key(text: str) -> str:
    """Return the hash of what a claim says: its words, numbers and marks in order, without case and punctuation.

    Small numbers in words and thousands separators are as figures, so that "forty feet" and "40 feet" are one claim.
    """
    words = [_as_figure(word) for word in _words(text)]
    # A claim that is nothing but punctuation is itself.
    return _hash(words or [text])


def subject_key(text: str) -> str | None:
    """Return the hash of what a claim is about, None where it is too long or says too little to be compared."""
    if len(text) > LONGEST:
        return None
    parts = (part for word in _words(text) for part in word.split("-"))
    about = {stem(part) for part in parts if part not in _SET_ASIDE and part[:1].isalpha() and part[-3:] != "n't"}
    return _hash(sorted(about)) if about else None


def _words(text: str) -> list[str]:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_ALIKE)
    return _WORD.findall(text.casefold())


def _as_figure(word: str) -> str:
    if word[0].isdigit():
        return word.replace(",", "")
    # "one" is as often a pronoun.
    return str(SMALL_NUMBERS[word]) if word in SMALL_NUMBERS and word != "one" else word


def _hash(words: list[str]) -> str:
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:32]
