"""Names that look like other names, by Unicode Technical Standard #39: skeletons (§4) and mixed scripts (§5.2).

The tables of confusable characters and of scripts are those of Unicode, as the library `confusable_homoglyphs` carries
them.
"""

import unicodedata
from collections.abc import Mapping
from functools import cache

from confusable_homoglyphs.categories import alias
from confusable_homoglyphs.confusables import confusables_data

from a2ap.hidden_characters import BLANK
from a2ap.normal_form import normal_form

COMPARED = 200
"""Characters at the beginning of a name that are compared: a reader compares no more, and none costs more."""

_FORM_OF_EMOJI = "\ufe0e\ufe0f"
_UNSEEN_CATEGORIES = {"Cc", "Cf", "Zs", "Zl", "Zp"}
_MARKS_OF_DIRECTION = "\u200e\u200f"
"""Unicode's table writes them around characters of scripts from right to left."""

_NO_SCRIPT = {"COMMON", "INHERITED", "Unknown"}
_WRITTEN_TOGETHER = ({"HAN", "HIRAGANA", "KATAKANA", "LATIN"}, {"HAN", "HANGUL", "LATIN"}, {"HAN", "BOPOMOFO", "LATIN"})


def skeletons(name: str) -> frozenset[str]:
    """Return the skeletons of the beginning of a name: of its letters as they are, and without their case.

    Two names look alike if they have a skeleton in common. White space and characters that are not seen count as
    nothing. A name of such characters alone has no skeleton.
    """
    skeleton = _skeleton(name[:COMPARED])
    # Once more: what looks like a capital letter loses its case too.
    return frozenset({skeleton, _skeleton(skeleton.casefold())} - {""})


def _skeleton(text: str) -> str:
    seen = "".join(one for one in normal_form("NFKD", text) if not _is_unseen(one))
    return normal_form("NFD", seen.translate(_prototypes()))


def _is_unseen(character: str) -> bool:
    if character in _FORM_OF_EMOJI or BLANK.match(character) is not None:
        return True
    return unicodedata.category(character) in _UNSEEN_CATEGORIES


@cache
def _prototypes() -> Mapping[int, str]:
    """Return the prototype of each confusable character, by code point."""
    alike = {
        _unmarked(character): sorted({_unmarked(other["c"]) for other in others})
        for character, others in confusables_data.items()
    }
    direct = {character: others[0] for character, others in alike.items() if _has_prototype(character, alike)}
    # The prototype of a pair is one of the two, by choice: the letters of a longer prototype follow that choice.
    return {ord(one): "".join(direct.get(letter, letter) for letter in direct[one]) for one in direct}


def _has_prototype(character: str, alike: Mapping[str, list[str]]) -> bool:
    """Say if a character has a prototype: the table lists, for each character, the prototype alone.

    For a prototype, the table lists all of its characters.
    """
    if len(character) != 1 or len(alike[character]) != 1:
        return False
    (other,) = alike[character]
    return len(other) != 1 or len(alike[other]) > 1 or other < character


def _unmarked(text: str) -> str:
    return text.strip(_MARKS_OF_DIRECTION)


def mixed_scripts(name: str | None) -> list[str]:
    """Return the scripts of a name whose letters come from several that are not written together, else nothing."""
    letters = {character for character in (name or "")[:COMPARED] if character.isalpha()}
    scripts = {alias(letter) for letter in letters} - _NO_SCRIPT
    if len(scripts) < 2 or any(scripts <= together for together in _WRITTEN_TOGETHER):
        return []
    return sorted(script.replace("_", " ").title() for script in scripts)
