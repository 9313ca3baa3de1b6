"""Extensions: members of `ext`, which are namespaced, and local words that they map to words of the text.

The text has no syntax for namespaces. This module takes `acme.word`, `acme:word`, `acme/word`, an address, or one
object for each namespace, `"acme": {"word": …}`. A local word is mapped by a member of that name, whose value is a word
of the text or an object with `maps_to`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from a2ap.boundary import Boundary, Use

_NAMESPACED = re.compile(r"[^\s.:/]+(?:[.:/]+[^\s.:/]+)+/?")
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


def is_namespaced(name: str) -> bool:
    """Say whether a name is in a namespace: `acme.word`, `acme:word`, `acme/word` or an address."""
    return len(name) <= 512 and _NAMESPACED.fullmatch(name) is not None


def extension_members(ext: Any) -> Iterator[tuple[str, Any]]:
    """Yield the members of an `ext` under their full names, those of a namespace's object as `namespace.name`."""
    for name, value in ext.items() if isinstance(ext, dict) else ():
        yield name, value
        if isinstance(value, dict) and not is_namespaced(name):
            for inner, member in value.items():
                yield f"{name}.{inner}", member


def local_name(name: str) -> str:
    """Return the last part of a namespaced name."""
    return re.split(r"[.:/]", name.rstrip("/"))[-1]


def words_of(name: str) -> tuple[str, ...]:
    """Return the words in a name, in lower case: `boundaryCeiling_override` has three."""
    return tuple(word.lower() for word in _WORD.findall(name[:512]))


def local_mappings(*extensions: Any) -> dict[str, str]:
    """Return the local words that extensions map, each with the word that it is mapped to."""
    found: dict[str, str] = {}
    for ext in extensions:
        for name, value in extension_members(ext):
            target = value.get("maps_to") if isinstance(value, dict) else value
            if isinstance(target, str) and is_namespaced(name):
                found.setdefault(name, target)
                found.setdefault(name.replace(".", ":", 1), target)
    return found


def mappings_of(members: Mapping[str, Any]) -> dict[str, str]:
    """Return the local words that a packet maps for all of it: in its own `ext`, and in that of its scope."""
    scope = members.get("scope")
    return local_mappings(members.get("ext"), scope.get("ext") if isinstance(scope, dict) else None)


def read_boundary(value: Any, *mappings: Mapping[str, str]) -> Boundary | None:
    """Return the class that a word is or is mapped to, by the first mapping that has it; `None` for any other."""
    return _CLASSES.get(_mapped(value, mappings))


def read_use(value: Any, *mappings: Mapping[str, str]) -> Use | None:
    """Return the use that a word is or is mapped to, by the first mapping that has it; `None` for any other."""
    return _USES.get(_mapped(value, mappings))


def _mapped(value: Any, mappings: Sequence[Mapping[str, str]]) -> str:
    if not isinstance(value, str):
        return ""
    return next((mapping[value] for mapping in mappings if value in mapping), value)


_CLASSES = {boundary.value: boundary for boundary in Boundary}
_USES = {use.value: use for use in Use}
