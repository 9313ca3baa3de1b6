"""Text cut into the word pieces of a BERT model in lower case, as its vocabulary lists them."""

import unicodedata
from collections.abc import Iterator, Mapping

from a2ap.normal_form import normal_form

_UNKNOWN, _BEGIN, _END = "[UNK]", "[CLS]", "[SEP]"
_LONGEST_WORD = 100
_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def encode(text: str, vocabulary: Mapping[str, int], most: int) -> list[int]:
    """Return the numbers of the pieces of a text between the marks of beginning and end, up to `most` in all."""
    pieces = [piece for word in _words(text) for piece in _pieces(word, vocabulary)][: most - 2]
    return [vocabulary[piece] for piece in (_BEGIN, *pieces, _END)]


def _words(text: str) -> list[str]:
    plain = "".join(
        character for character in normal_form("NFD", text.lower()) if unicodedata.category(character) != "Mn"
    )
    return "".join(_apart(character) for character in plain).split()


def _apart(character: str) -> str:
    """Return a character as it enters the words: punctuation stands alone, control characters are left out."""
    if character in "\t\n\r":
        return " "
    category = unicodedata.category(character)
    if category.startswith("C") or character == "\ufffd":
        return ""
    if category.startswith("Z"):
        return " "
    # BERT takes all ASCII signs for punctuation, `$` and `+` too.
    sign = character.isascii() and not character.isalnum()
    ideograph = any(first <= ord(character) <= last for first, last in _CJK)
    return f" {character} " if sign or ideograph or category.startswith("P") else character


def _pieces(word: str, vocabulary: Mapping[str, int]) -> Iterator[str]:
    """Yield the pieces of a word, the longest first at each place; one unknown piece if it cannot be cut up."""
    found: list[str] = []
    begin = 0
    while begin < len(word) and len(word) <= _LONGEST_WORD:
        end = len(word)
        while end > begin and (("##" if begin else "") + word[begin:end]) not in vocabulary:
            end -= 1
        if end == begin:
            break
        found.append(("##" if begin else "") + word[begin:end])
        begin = end
    yield from found if begin == len(word) else [_UNKNOWN]
