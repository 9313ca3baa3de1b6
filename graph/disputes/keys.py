"""The keys of a claim in the graph: the key of its words, and those of its subject, coarse and exact.

Every accepted claim gets the first two, so they cost one pass over its words. All claims that `graph.disputes.detector`
may find to exclude each other have the same subject, coarse and exact.
"""

import hashlib
import re
from functools import lru_cache

from a2ap.normal_form import normal_form
from graph.disputes.amounts import BOUNDING
from graph.disputes.reading import LONGEST, read_claim
from graph.disputes.vocabulary import (
    DROPPED,
    LABELS,
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

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['-]\w+)*|[?%$€£°#“”\"«»:;,.!]|(?<![\w-])-(?=\d)")
_PUNCTUATION = frozenset('“”"«»:;,.!')
_ALIKE = str.maketrans("’‐‑−–", "'----")
_SET_ASIDE = (
    DROPPED.union(NEGATIONS, REFUSALS, POLES, SMALL_NUMBERS, MULTIPLIERS, SHORT_MULTIPLIERS, UNITS, BOUNDING)
    .union(MONTHS, SHORT_MONTHS, WEEKDAYS)
    .union(word_set("to for nor am pm p o'clock noon midnight st nd rd th percentage point points square cubic"))
    .union(word_set("degree degrees c f celsius fahrenheit per by before after until till since and"))
)


def claim_key(text: str) -> str:
    """Return the hash of a claim: its words, numbers and marks in order, without case and punctuation.

    Small numbers in words and thousands separators are as figures, so that "forty feet" and "40 feet" are one claim.
    """
    words = [_as_figure(word) for word in _words(text) if word not in _PUNCTUATION]
    # A claim of nothing but punctuation is hashed as it is.
    return _hash(words or [text])


def subject_key(text: str) -> str | None:
    """Return the hash of a claim's subject, None if the claim is too long or says too little to be compared."""
    if len(text) > LONGEST:
        return None
    about = set()
    before = ""
    for word in _words(text):
        if word[0].isdigit():
            if before in LABELS or before == "#":
                about.add(f"#{word}")
        else:
            about.update(_stems_of(word))
        before = word
    return _hash(sorted(about)) if about else None


def exact_subject_key(text: str) -> str | None:
    """Return the hash of the subject that the detector reads, in any order; None if there is none."""
    reading = read_claim(text)
    return None if reading is None or not reading.content else _hash(reading.about)


# The same words occur in many claims.
@lru_cache(maxsize=8_192)
def _stems_of(word: str) -> tuple[str, ...]:
    return tuple(stem(part) for part in word.split("-") if _is_about(part))


def _is_about(word: str) -> bool:
    return word not in _SET_ASIDE and word[:1].isalpha() and word[-3:] != "n't"


# Each claim is read twice, for its two keys.
@lru_cache(maxsize=4)
def _words(text: str) -> tuple[str, ...]:
    if not text.isascii():
        text = normal_form("NFKC", text).translate(_ALIKE)
    return tuple(_WORD.findall(text.casefold()))


def _as_figure(word: str) -> str:
    if word[0].isdigit():
        return word.replace(",", "")
    # "one" is as often a pronoun.
    return str(SMALL_NUMBERS[word]) if word in SMALL_NUMBERS and word != "one" else word


def _hash(words: list[str]) -> str:
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:32]
