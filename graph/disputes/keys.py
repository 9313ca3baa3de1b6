"""The two keys of a claim that the graph keeps: what it says, and what it is about."""

import hashlib

from graph.disputes.reading import read_claim
from graph.disputes.vocabulary import SMALL_NUMBERS
from graph.disputes.words import Kind, tokens_of

_SILENT = frozenset('“”"«».,;:!')


def claim_key(text: str) -> str:
    """Return the hash of what a claim says: its words, numbers and marks in order, without case and punctuation.

    Small numbers in words and thousands separators are as figures, so that "forty feet" and "40 feet" are one claim.
    """
    words = []
    for token in tokens_of(text):
        if token.kind is Kind.NUMBER:
            words.append(token.text.replace(",", "").replace("−", "-"))
        elif token.word in SMALL_NUMBERS and token.word != "one":
            words.append(str(SMALL_NUMBERS[token.word]))
        elif token.text not in _SILENT:
            words.append(token.word.replace("‐", "-").replace("‑", "-"))
    # A claim that is nothing but signs is itself.
    return hashlib.sha256("\0".join(words or [text]).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def subject_key(text: str) -> str | None:
    """Return the hash of what a claim is about, None where it is too long or says too little to be compared."""
    reading = read_claim(text)
    return None if reading is None else reading.key
