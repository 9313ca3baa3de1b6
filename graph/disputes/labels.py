"""Recognizes numbers that are names ("item 4", "Apollo 11", "the 2024 budget") and count nothing."""

from collections.abc import Sequence

from graph.disputes.amounts import BOUNDING, read_amount
from graph.disputes.dates import read_date
from graph.disputes.vocabulary import DROPPED, EXISTENTIAL, FUNCTION_WORDS, HEDGES, LABELS, POLES, SMALL_NUMBERS
from graph.disputes.words import Kind, Token, is_irregular

_NO_NOUN = DROPPED.union(EXISTENTIAL, FUNCTION_WORDS, HEDGES, POLES, BOUNDING)
_DETERMINERS = frozenset({"the", "its", "their", "this", "our"})


def is_label(tokens: Sequence[Token], place: int) -> bool:
    """Return whether the number at a place is a name.

    It is one after a word for things that have numbers. Without a unit it also is one after any other word that is no
    verb, or if nothing follows that it could count: a count taken for a name misses a contradiction, a name taken for a
    count finds a false one.
    """
    token = tokens[place]
    if not place or (token.kind not in (Kind.NUMBER, Kind.PAIR) and token.word not in SMALL_NUMBERS):
        return False
    before = tokens[place - 1]
    if (
        before.text == "#"
        or before.word in LABELS
        or (before.text == "." and _word_at(tokens, place - 2) in ("no", "nr"))
    ):
        return True
    if token.kind is Kind.PAIR:
        return False
    if before.word in _DETERMINERS and _is_year(token) and place + 1 < len(tokens):
        return True
    return _is_content(before) and read_date(tokens, place - 1) is None and _counts_nothing(tokens, place)


def _counts_nothing(tokens: Sequence[Token], place: int) -> bool:
    found = read_amount(tokens, place)
    if found is None or found[0].dimension or found[1] > place + 1:
        return False
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    return following is None or not _is_content(following) or not _is_verb(tokens[place - 1].word)


def _is_content(token: Token) -> bool:
    return token.kind is Kind.WORD and token.word not in _NO_NOUN


def _is_verb(word: str) -> bool:
    """Return whether a word looks like a verb with an object, by its ending or an irregular past."""
    if word.endswith(("ed", "ing")) or is_irregular(word):
        return True
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _is_year(token: Token) -> bool:
    return len(token.text) == 4 and token.text.isdigit() and token.text[:2] in ("19", "20")


def _word_at(tokens: Sequence[Token], place: int) -> str:
    return tokens[place].word if 0 <= place < len(tokens) else ""
