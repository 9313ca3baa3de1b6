"""The topic of a question in plain English: the question "Did they speak about zoning?" has the topic "zoning"."""

import re

_ABOUT = re.compile(
    r"\b(?:about|regarding|concerning|(?:on|of) the (?:topic|subject|matter|issue|question) of|related to)\s+(.+)$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:[-'’./][^\W_]+)*")
_EMPTY_WORDS = """
a about agree agreed all am an and any anybody anyone anything are argue argued around ask asked at be been
before being but by can come comment comments could decide decided did discuss discussed do does doing done
during else ever everybody everyone explain for from give given had happen happened has have he her here him his
how i if in into is it item its know let's like list many may me meeting mention mentioned might much must my of
on one or our people please question questions regarding said say saying says she should show so some somebody
someone speak speaker speakers spoke summarise summarize talk talked tell than that the their them then there
these they thing things think this those thought to today told tonight topic us was we were what what's when
where which who whom whose why will with would you your
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())


def topic_of(question: str) -> str:
    """Return the words of a question that carry its topic, in its order; all of its words if none of them does.

    The words after "about" have priority. Hyphens and apostrophes inside a word stay ("short-term rentals").
    """
    return " ".join(telling_words(question) or _WORD.findall(question))


def is_telling(word: str) -> bool:
    """Return whether a word may carry a topic."""
    return word.lower() not in _EMPTY


def telling_words(question: str) -> list[str]:
    """Return the words of a question that carry its topic, in its order; none if none of them does."""
    match = _ABOUT.search(question)
    for text in (match.group(1) if match else "", question):
        telling = [word for word in _WORD.findall(text) if is_telling(word)]
        if telling:
            return telling
    return []
