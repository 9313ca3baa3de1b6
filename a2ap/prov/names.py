"""Names of things in PROV documents: made from hashes if these exist, so that nobody can give two things one name.

In RDF a message has its `@id`, a chunk the name that its author gave it. Neither binds: with ids alone, two agents
could make an entity out of an activity, or have two statements be derived from each other, and the document would be
invalid (PROV-CONSTRAINTS §6). So here

- a message is its signed hash, in one of two namespaces: of entities, and of activities,
- a chunk is the hash of its document and range, a finding its message and number,
- bytes are their hash (RFC 6920) and the activity of a record the hash of the record, as in RDF,
- agents and sources have their IRI; one that looks like ours, or has no place in a PROV name, is the hash of it,
- the family that an agent names, and a message that is named without its hash, are hashes of their names.

A thing named by a hash has its IRI as the attribute `a2ap:name`. Between these kinds derivation and specialization go
one way only, from messages to chunks to bytes to sources, and among messages and records along hashes: there is no
circle, and nothing is an entity and an activity.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from a2ap.canonical import sha256_digest
from a2ap.identifiers import chunk_key
from a2ap.messages.generated_by import ACTIVITY_PREFIX
from a2ap.rdf.triples import document_iri
from a2ap.rdf.vocabulary import A2AP_NAMESPACE, PROV_NAMESPACE, SCHEMA_NAMESPACE, XSD_NAMESPACE

_HASH = "sha256:"
_OURS = "urn:a2ap:"
_BYTES = "ni:///sha-256;"

NAMESPACES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "a2ap": A2AP_NAMESPACE,
        "act": ACTIVITY_PREFIX + _HASH,
        "b": _OURS + "bundle:",
        "c": _OURS + "chunk:",
        "d": _OURS + "deed:",
        "did": "did:",
        "f": _OURS + "finding:",
        "g": _OURS + "generation:",
        "http": "http:",
        "https": "https:",
        "m": _OURS + "message:",
        "n": _OURS + "name:",
        "ni": _BYTES,
        "prov": PROV_NAMESPACE,
        "schema": SCHEMA_NAMESPACE,
        "urn": "urn:",
        "xsd": XSD_NAMESPACE,
    }
)
"""The prefixes of every PROV document of ours; a document is written as it grows, so that they are fixed."""

# The longest first: `urn:a2ap:message:` before `urn:`.
_BY_LENGTH = sorted(NAMESPACES.items(), key=lambda pair: -len(pair[1]))
# The characters of a PROV-N name, some of them escaped (PROV-N §3.7.1), and those at its begin and end.
_PLAIN = re.compile(r"(?:urn|did|https?):[A-Za-z0-9_/](?:[A-Za-z0-9_/.~@&+*?#$!=,;:'()-]*[A-Za-z0-9_/])?")


def message_name(signed_hash: str) -> str:
    """Return the name of a message that is an entity."""
    return NAMESPACES["m"] + signed_hash.removeprefix(_HASH)


def deed_name(signed_hash: str) -> str:
    """Return the name of a message that is an activity: a verdict, a decline, a retraction, a redaction."""
    return NAMESPACES["d"] + signed_hash.removeprefix(_HASH)


def bundle_name(signed_hash: str) -> str:
    """Return the name of the bundle of a message."""
    return NAMESPACES["b"] + signed_hash.removeprefix(_HASH)


def generation_name(signed_hash: str) -> str:
    """Return the name of the activity that generated a statement."""
    return NAMESPACES["g"] + signed_hash.removeprefix(_HASH)


def finding_name(signed_hash: str, position: int) -> str:
    """Return the name of a finding of a response."""
    return f"{NAMESPACES['f']}{signed_hash.removeprefix(_HASH)}_{position}"


def chunk_name(document: str, start: int, end: int) -> str:
    """Return the name of bytes `start` to `end` of a document, which is named by its hash or by its source."""
    return NAMESPACES["c"] + chunk_key(document, start, end)


def document_name(document_hash: str) -> str:
    """Return the name of the bytes with this hash."""
    return document_iri(document_hash)


def hashed_name(iri: str, kind: str) -> str:
    """Return a name that nothing of another kind, and no other IRI, has."""
    return NAMESPACES["n"] + sha256_digest(f"{kind}|{iri}".encode()).removeprefix(_HASH)


def own_name(iri: str, kind: str) -> str:
    """Return the name of an agent or a source: its IRI, or a hash if the IRI looks like ours or cannot be written."""
    if iri.startswith((_OURS, _BYTES)) or _PLAIN.fullmatch(iri) is None:
        return hashed_name(iri, kind)
    return iri


def qualified(iri: str) -> tuple[str, str]:
    """Return a name as a prefix of `NAMESPACES` and the rest of it. Raises ValueError for any other IRI."""
    for prefix, namespace in _BY_LENGTH:
        if iri.startswith(namespace):
            return prefix, iri[len(namespace) :]
    raise ValueError(f"{iri} has no prefix in a PROV document")
