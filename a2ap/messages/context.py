"""The JSON-LD context of a message: the two forms of A2AP §2, ours, and no other (docs/reference/provenance.md).

A context gives the names of a document their meaning, so a foreign one could make signed text say something
else. For the same reason no object below the top has one, and only `@type` and `@id` are keywords there.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from a2ap.errors import ContextError, VersionError
from a2ap.fields import member_path, shown
from a2ap.identifiers import id_problem
from a2ap.places import find_value
from contexts import A2AP_CONTEXT_URL, A2AP_INLINE_CONTEXT

# The versions of the protocol that are read and written here; others are refused by name.
SPOKEN_VERSIONS = ("0.1",)

_VERSION = re.compile(r"https://williams-librarian\.njit\.edu/a2ap/v([0-9][^/#?\s]*)")


class ContextForm(StrEnum):
    """The way a message names its context: by URL (A2AP §2.2, as our messages do) or written out (§2.1)."""

    URL = "url"
    INLINE = "inline"


def check_version(document: Mapping[str, Any]) -> None:
    """Raise `VersionError` if the document is in another version of A2AP; every other fault is `check_context`'s."""
    context = document.get("@context")
    name = context.get("a2ap", "") if isinstance(context, dict) else context
    version = _VERSION.match(name) if isinstance(name, str) else None
    if version is not None and version[1] not in SPOKEN_VERSIONS:
        spoken = " and ".join(SPOKEN_VERSIONS)
        raise VersionError("@context", f"is that of A2AP {version[1][:32]}; the versions spoken here: {spoken}")


def check_context(document: Mapping[str, Any]) -> ContextForm:
    """Return the form of the document's context; raises `ContextError` for another one or other keywords."""
    if "@context" not in document:
        raise ContextError("@context", "is missing")
    check_version(document)
    context = document["@context"]
    if context == A2AP_CONTEXT_URL:
        form = ContextForm.URL
    elif context == A2AP_INLINE_CONTEXT:
        form = ContextForm.INLINE
    else:
        raise ContextError("@context", f"is {shown(context)}, neither of the contexts of A2AP §2")
    check_keywords(document)
    return form


def check_keywords(document: Mapping[str, Any]) -> None:
    """Raise `ContextError` for a JSON-LD keyword other than `@type`, `@id` and, at the top, `@context`.

    The two stand for texts only, and `@id` for an absolute IRI, so that no processor can stumble over them.
    """
    top = {name: member for name, member in document.items() if name != "@context"}
    pending: list[Any] = [top]
    for value in pending:
        if type(value) is dict:
            for name, member in value.items():
                kind = type(member)
                if kind is dict or kind is list:
                    pending.append(member)
                if name[:1] == "@" and not _may_stand(name, member):
                    raise _fault(top)
        else:
            pending += [member for member in value if type(member) is dict or type(member) is list]


def _may_stand(name: str, value: Any) -> bool:
    if type(value) is not str:
        return False
    return name == "@type" or (name == "@id" and id_problem(value) is None)


def _fault(document: dict[str, Any]) -> ContextError:
    # The path is looked for only now that there is a fault to report.
    path, holder = find_value(document, _has_fault) or ("", {})
    name, value = next((name, value) for name, value in holder.items() if _is_fault(name, value))
    place = member_path(path, name[:64])
    if name in ("@type", "@id"):
        return ContextError(place, f"is {shown(value)}, which cannot stand there")
    return ContextError(place, "is a JSON-LD keyword, which may not stand there")


def _has_fault(value: Any) -> bool:
    return isinstance(value, dict) and any(_is_fault(name, member) for name, member in value.items())


def _is_fault(name: str, value: Any) -> bool:
    return name.startswith("@") and not _may_stand(name, value)
