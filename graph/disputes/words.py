"""The words, numbers and marks of a claim, as tokens."""

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from a2ap.normal_form import normal_form
from graph.disputes.vocabulary import SMALL_NUMBERS

_TOKEN = re.compile(
    r"""
    (?P<iso>\d{4}-\d{2}-\d{2}(?![\w-]))
  | (?P<clock>\d{1,2}:\d{2}(?![\d:]))
  | (?P<pair>(?<![\d.,-])\d{1,4}[ ]?[-–—][ ]?\d{1,4}(?![\w-]|[.,]\d))
  | (?P<ordinal>\d+(?:st|nd|rd|th)\b)
  | (?P<number>(?:(?<![\w)])[-−](?=[\d.]))?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?)
  | (?P<word>[^\W\d_](?:\w|['’](?=\w)|[-‐‑](?=\w))*)
  | (?P<mark>[?%°#$€£“”"«»:;,.!])
    """,
    re.VERBOSE,
)
_MERIDIEM = re.compile(r"\b([ap])\.[ ]?m\b\.?", re.IGNORECASE)
_STEM_ENDINGS = ("ings", "ing", "ies", "ied", "ed", "es", "s", "e", "y")
_IRREGULAR_FORMS = """
found/find held/hold kept/keep built/build paid/pay spent/spend sent/send made/make took/take taken/take gave/give
given/give sold/sell bought/buy brought/bring led/lead met/meet left/leave lent/lend wrote/write written/write
drew/draw drawn/draw chose/choose chosen/choose ran/run saw/see seen/see spoke/speak spoken/speak went/go gone/go
knew/know known/know shown/show stood/stand told/tell thought/think taught/teach sought/seek struck/strike
began/begin begun/begin broke/break broken/break drove/drive driven/drive flew/fly flown/fly got/get heard/hear
meant/mean understood/understand withdrew/withdraw withdrawn/withdraw became/become came/come fought/fight fed/feed
members/member men/man women/woman children/child people/person
"""
_IRREGULAR = dict(pair.split("/") for pair in _IRREGULAR_FORMS.split())


class Kind(StrEnum):
    """The kind of a token, by its form."""

    ISO = "iso"
    CLOCK = "clock"
    PAIR = "pair"
    ORDINAL = "ordinal"
    NUMBER = "number"
    WORD = "word"
    MARK = "mark"


_KINDS = {kind.value: kind for kind in Kind}


class Token(NamedTuple):
    """A word, number or mark; `text` is unchanged, `word` in lower case. `tight` is True without a space before it.

    A named tuple, because every accepted claim is read, and these are made in a third of the time.
    """

    kind: Kind
    text: str
    word: str
    tight: bool

    @property
    def capital(self) -> bool:
        """Whether it begins with a capital letter."""
        return self.text[:1].isupper()


@lru_cache(maxsize=256)
def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text; hyphens separate a number from its unit ("40-foot", "forty-foot")."""
    if not text.isascii():
        text = normal_form("NFKC", text).replace("’", "'")
    text = _MERIDIEM.sub(r"\1m", text)
    found: list[Token] = []
    end = -1
    for match in _TOKEN.finditer(text):
        kind, part, start = _KINDS[match.lastgroup or ""], match.group(), match.start()
        if kind is Kind.WORD and "-" in part and part.lower().split("-")[0] in SMALL_NUMBERS:
            found += [Token(kind, piece, piece.casefold(), False) for piece in part.split("-") if piece]
        else:
            found.append(Token(kind, part, part.casefold(), start == end))
        end = match.end()
    return tuple(found)


@lru_cache(maxsize=8_192)
def stem(word: str) -> str:
    """Cut a word down so that "voted" and "votes" compare equal; crude, and always applied to both sides."""
    word = word.removesuffix("'s").removesuffix("'")
    word = _IRREGULAR.get(word, word)
    for ending in _STEM_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return word.removesuffix(ending)
    return word


def is_irregular(word: str) -> bool:
    """Return whether a word is an irregular form of another one, most often the past of a verb."""
    return word in _IRREGULAR
