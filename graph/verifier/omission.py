"""Judges whether the words that a quotation leaves out of its sentence could turn its meaning.

A cut is harmless if nothing is left out that negates, limits, doubts or reports the words kept. Commas divide: a
negation beyond a comma concerns the other clause. Conditions and contrasts reach over commas.
"""

import re
from enum import StrEnum

from graph.verifier.turning_words import governs, reaches
from graph.verifier.verbatim import Place, exact_text
from graph.verifier.words import is_negation, words_of

_CLAUSE_BEFORE, _CLAUSE_BEHIND = re.compile(r"[,;:]|\b(?:and|or)\b"), re.compile(r"[,;:]")
_ENDS_IN_FIGURES = re.compile(r"(?:^|.*\s)[$€£¥]?\d[\d.,:]*$", re.DOTALL)


class Omission(StrEnum):
    """The effect of a cut on the words that are kept."""

    NOTHING = "nothing"
    DOUBTFUL = "doubtful"
    NEGATION = "negation"


def judge_omission(place: Place, words: str) -> Omission:
    """Return the effect of the words left out around a quotation; a question turned into a statement is doubtful."""
    if _asks(place.sentences[-1].text) != _asks(words):
        return Omission.DOUBTFUL
    if place.whole:
        return Omission.NOTHING
    governing = words_of(_CLAUSE_BEFORE.split(place.before)[-1])
    following = words_of(_CLAUSE_BEHIND.split(place.behind)[0])
    if any(is_negation(word) for word in governing):
        return Omission.NEGATION
    # The noun that the figure counts is left out.
    counted = _ENDS_IN_FIGURES.match(words.strip()) is not None and re.match(r"[^\W\d_]", place.behind) is not None
    turned = any(governs(word) for word in governing) or any(governs(word) for word in following)
    reached = any(reaches(word) for word in words_of(f"{place.before} {place.behind}"))
    return Omission.DOUBTFUL if counted or turned or reached else Omission.NOTHING


def _asks(text: str) -> bool:
    return exact_text(text).rstrip(' "').endswith("?")
