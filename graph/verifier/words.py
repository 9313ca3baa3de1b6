"""Words as the verifiers compare them: figures, negations, and the words that carry meaning."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from a2ap.normal_form import normal_form
from graph.transcripts.captions import spoken_text

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*")
_NEGATIONS = frozenset(
    {"not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "cannot", "without", "nowhere"}
)
_NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve"
_SMALL_NUMBERS = {word: str(number) for number, word in enumerate(_NUMBER_WORDS.split())}
_COMMON = """
a about after all also although an and any are as at be because been before being both but by can could did do
does during each else for from had has have he her hers him his how i if in into is it item its just may me
might more most must my of on one only or other our out over said say says she should so some such than that the
their theirs them then there these they this those to too under until up us was we were what when where which
while who whom whose why will with would you your
"""
COMMON_WORDS = frozenset(_COMMON.split())
_SHAPES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u2011": "-"})


def exact_text(text: str) -> str:
    """Return a text in the form used for comparison: one shape of white space, quotation marks and dashes."""
    return normal_form("NFC", spoken_text(text)).translate(_SHAPES)


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case; figures without thousands separators, small numbers as figures."""
    return tuple(_normal(token) for token in _TOKEN.findall(spoken_text(text).lower()))


def figures_of(words: Iterable[str]) -> list[str]:
    """Return the figures among some words."""
    return [word for word in words if word[0].isdigit()]


def is_negation(word: str) -> bool:
    """Return whether a word negates a sentence."""
    return word in _NEGATIONS or word.endswith("n't")


def negations_in(words: Iterable[str]) -> int:
    """Count the words that negate a sentence."""
    return sum(is_negation(word) for word in words)


@lru_cache(maxsize=2**16)
def stem(word: str) -> str:
    """Cut a word down so that "voted" and "votes" compare equal; crude, and always applied to both sides."""
    for ending in ("ations", "ation", "ings", "ing", "ied", "ies", "ed", "es", "s", "ly", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


def telling_stems(words: Iterable[str]) -> frozenset[str]:
    """Return the stems of the words that carry meaning."""
    return frozenset(stem(word) for word in words if word not in COMMON_WORDS)


def contains_run(words: Sequence[str], run: Sequence[str]) -> bool:
    """Return whether `run` stands in `words` without a gap."""
    return not run or any(
        words[i] == run[0] and tuple(words[i : i + len(run)]) == tuple(run) for i in range(len(words) - len(run) + 1)
    )


def _normal(token: str) -> str:
    token = token.replace("’", "'")
    if token[0].isdigit():
        return re.sub(r",(?=\d{3})", "", token)
    return _SMALL_NUMBERS.get(token, token)
