"""The JSON-LD context of a message: the two forms of A2AP §2 and no other (design §4.10).

A context decides what the names of a document mean, so a foreign one could make signed text say something
else. For the same reason no object below the top has one, and only `@type` and `@id` are keywords there.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from a2ap.errors import ContextError, FieldError
from a2ap.fields import shown
from a2ap.identifiers import check_id
from a2ap.places import find_value
from contexts import A2AP_CONTEXT_URL, A2AP_INLINE_CONTEXT


class ContextForm(StrEnum):
    """How a message names its context: by URL (A2AP §2.2, what we write) or written out (§2.1)."""

    URL = "url"
    INLINE = "inline"


def check_context(document: Mapping[str, Any]) -> ContextForm:
    """Return the form of the document's context; raises `ContextError` for another one or other keywords."""
    if "@context" not in document:
        raise ContextError("@context", "is missing")
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
    """Raise `ContextError` for a JSON-LD keyword other than `@type`, `@id` and, at the top, `@context`."""
    # One pass over the containers; the path is looked for only after a fault.
    pending: list[Any] = [value for name, value in document.items() if name != "@context"]
    names = [name for name in document if name != "@context"]
    if any(name.startswith("@") and name not in ("@type", "@id") for name in names):
        raise _fault(document)
    for value in pending:
        kind = type(value)
        if kind is dict:
            for name, member in value.items():
                if name.startswith("@") and not _is_node_keyword(name, member):
                    raise _fault(document)
                if type(member) is dict or type(member) is list:
                    pending.append(member)
        elif kind is list:
            pending += value


def _is_node_keyword(name: str, value: Any) -> bool:
    if type(value) is not str:
        return False
    if name == "@id":
        return _is_id(value)
    return name == "@type"


def _is_id(value: str) -> bool:
    try:
        check_id(value, "@id")
    except FieldError:
        return False
    return True


def _fault(document: Mapping[str, Any]) -> ContextError:
    below = {name: value for name, value in document.items() if name not in ("@context", "@type", "@id")}
    path, holder = find_value(below, _has_keyword) or ("", {})
    name, value = next((name, value) for name, value in holder.items() if _is_fault(name, value))
    place = f"{path}.{name[:64]}" if path else name[:64]
    if name in ("@type", "@id"):
        return ContextError(place, f"is {shown(value)}, not a text that can be one")
    return ContextError(place, "is a JSON-LD keyword, which may not stand here")


def _has_keyword(value: Any) -> bool:
    return isinstance(value, dict) and any(_is_fault(name, member) for name, member in value.items())


def _is_fault(name: str, value: Any) -> bool:
    return name.startswith("@") and not _is_node_keyword(name, value)
