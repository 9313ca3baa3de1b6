"""Conditions on which a query reads words of a source: that they are not withheld from its reader.

Where anything is withheld, such a property is written as `CASE WHEN … THEN n.title END`. It is null for a node or
relationship whose key, or whose document's or statement's key, is in a set of withheld keys. The sets are parameters,
looked up before the query runs.
"""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum

from graph.cypher_text.shapes import Kind, Shape
from graph.cypher_text.vocabulary import properties_of, withheld_of


class KeySet(StrEnum):
    """A set of keys of nodes that are withheld from a reader."""

    SOURCES = "sources"
    DOCUMENTS = "documents"
    UNREGISTERED = "unregistered"
    """Documents without a class that some statement cites under a name in `SOURCES`: only these citations count."""
    STATEMENTS = "statements"
    VERIFICATIONS = "verifications"
    GOLD = "gold"
    """Gold labels and disputes of gold labels."""


NO_KEY = ""
"""Stands for a missing key. Each set has it, so that a node without a key is withheld."""


def set_parameter(keys: Iterable[str]) -> dict[str, bool]:
    """Return the value of the parameter for a set of withheld keys."""
    return dict.fromkeys([NO_KEY, *keys], True)


def _document_of(chunk: str) -> str:
    # The key of a document, as it was written: its hash, and the name of what is cited without one.
    return f"CASE WHEN {chunk}.document_hash > '' THEN {chunk}.document_hash ELSE {chunk}.doc_id END"


def _in(one: KeySet, key: str) -> str:
    # A map is asked, since the embedded engine goes through the whole of a list. What has no key is withheld.
    return f"${one}[coalesce({key}, '{NO_KEY}')] IS NOT NULL"


_OF, _CITED = _document_of("{0}"), _document_of("endNode({0})")
_WITHHELD: Mapping[str, str] = {
    "Source": _in(KeySet.SOURCES, "{0}.source_id"),
    "Document": _in(KeySet.DOCUMENTS, "{0}.document_key"),
    "Chunk": f"{_in(KeySet.DOCUMENTS, _OF)}"
    f" OR ({_in(KeySet.UNREGISTERED, _OF)} AND {_in(KeySet.SOURCES, '{0}.doc_id')})",
    # What was erased may be quoted again.
    "CITES": f"{_in(KeySet.DOCUMENTS, _CITED)} OR endNode({{0}}).redacted IS NOT NULL"
    f" OR ({_in(KeySet.UNREGISTERED, _CITED)} AND {_in(KeySet.SOURCES, '{0}.source_document')})",
    "CHALLENGED": _in(KeySet.STATEMENTS, "endNode({0}).signed_hash"),
    "Statement": _in(KeySet.STATEMENTS, "{0}.signed_hash"),
    "Verification": _in(KeySet.VERIFICATIONS, "{0}.signed_hash"),
    "Retraction": " OR ".join(
        _in(one, "{0}.target_hash") for one in (KeySet.STATEMENTS, KeySet.VERIFICATIONS, KeySet.GOLD)
    ),
    "VerificationDecline": _in(KeySet.STATEMENTS, "{0}.target_hash"),
    "ChallengeAnswer": _in(KeySet.STATEMENTS, "{0}.statement_hash"),
    "GoldLabel": _in(KeySet.STATEMENTS, "{0}.target_hash"),
    "GoldDispute": _in(KeySet.STATEMENTS, "{0}.target_hash"),
}
"""When the words of a node or relationship are withheld, by its label or type."""

_SET = re.compile(r"\$(\w+)")


def guarded_owner(shape: Shape, name: str) -> str | None:
    """Return the only label or type of this shape that has a property, if its words can be guarded."""
    owners = shape.labels if shape.kind is Kind.NODE else shape.types
    having = [owner for owner in owners if name in properties_of(owner)]
    if len(having) != 1 or having[0] not in _WITHHELD or name not in withheld_of(having[0]):
        return None
    return having[0]


def key_sets(owner: str) -> tuple[KeySet, ...]:
    """Return the sets that decide about the words of a label or type."""
    return tuple(dict.fromkeys(KeySet(name) for name in _SET.findall(_WITHHELD[owner])))


def guard(owner: str, variable: str, parameters: Mapping[KeySet, str]) -> str:
    """Return the condition on which a variable's words may be read; `parameters` are the names of the sets."""
    withheld = _SET.sub(lambda found: f"${parameters[KeySet(found[1])]}", _WITHHELD[owner])
    return f"NOT ({withheld.format(variable)})"
