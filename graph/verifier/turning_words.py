"""Words that decide the meaning of the words around them: left out or put in, they turn a sentence."""

from graph.verifier.words import is_negation

_CONDITIONS = """
although but condition conditional conditionally conditions contingent depending despite except excluding however if
instead likely nearly only otherwise perhaps pending possibly provided providing rather supposedly though unless
until unlike whether without yet
"""
_ATTITUDES = """
allegedly almost ask asked asks barely believe believed believes can cannot claim claimed claims could denied denies
deny doubt doubted doubts expect expected expects fail failed fails fear feared fears few fewer hardly hope hoped
hopes imagine less may maybe might most must need oppose opposed opposes pretend pretended probably rarely refuse
refused reject rejected reportedly say saying says seem seemed seems seldom should some stop suggest suggested
suggests suppose supposed think thinks thought told tried try want wanted wants when while wish wished wishes would
wrong
"""
_LIMITS = """
about against all any approximately around average both down each every half least less more most over part
partly quarter than third toward under up
"""
_REACHING = frozenset(_CONDITIONS.split())
_GOVERNING = frozenset(_ATTITUDES.split())
_LIMITING = frozenset(_LIMITS.split())


def governs(word: str) -> bool:
    """Return whether a word in lower case negates, doubts, wishes, limits or reports the words of its own clause."""
    return is_negation(word) or word in _GOVERNING


def reaches(word: str) -> bool:
    """Return whether a word in lower case is a condition, an exception or a contrast, which reaches over commas."""
    return word in _REACHING


def turns(word: str) -> bool:
    """Return whether a word governs or reaches, or limits a quantity."""
    return governs(word) or reaches(word) or word in _LIMITING
