"""The words, numbers and marks of a claim, as tokens."""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

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


class Kind(StrEnum):
    """What a token is, by its look."""

    ISO = "iso"
    CLOCK = "clock"
    PAIR = "pair"
    ORDINAL = "ordinal"
    NUMBER = "number"
    WORD = "word"
    MARK = "mark"


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or mark; `text` is as it stands, `word` in lower case. `tight` where no space is before it."""

    kind: Kind
    text: str
    word: str
    tight: bool

    @property
    def capital(self) -> bool:
        """Whether it begins with a capital letter."""
        return self.text[:1].isupper()


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a text; hyphens part a number from its unit ("40-foot", "forty-foot")."""
    text = unicodedata.normalize("NFKC", text).replace("’", "'")
    text = _MERIDIEM.sub(r"\1m", text)
    found: list[Token] = []
    end = -1
    for match in _TOKEN.finditer(text):
        kind = Kind(match.lastgroup or "")
        tight = match.start() == end
        end = match.end()
        parts = [match.group()]
        if kind is Kind.WORD and "-" in parts[0] and parts[0].lower().split("-")[0] in SMALL_NUMBERS:
            parts = parts[0].split("-")
        for part in parts:
            if part:
                found.append(Token(kind, part, part.casefold(), tight))
    return found


def stem(word: str) -> str:
    """Cut a word down so that "voted" and "votes" compare equal; crude, and only ever used on both sides."""
    word = word.removesuffix("'s").removesuffix("'")
    for ending in _STEM_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return word.removesuffix(ending)
    return word
