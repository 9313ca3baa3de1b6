"""RDF triples as plain tuples, and how a value of a message becomes an IRI or a literal.

A subject is an IRI or a blank node label (`_:…`); an object may also be a literal, a pair of its text and its
datatype. A blank node label is unique among all messages that are written by us, because the message's signed hash
is in it; its spelling means nothing.

A number becomes a literal with a text of our own making, never one of some toolchain's: `xsd:decimal` in positional
notation, always with a point. pyld would write 0.92 as 9.2E-1 and 1.0 as the integer 1, and rdflib's Turtle cuts a
double after seven digits.
"""

import base64
from decimal import Decimal
from typing import TypeAlias

from a2ap.rdf.vocabulary import XSD

Literal: TypeAlias = tuple[str, str]
Triple: TypeAlias = tuple[str, str, str | Literal]

_VERSION_SEPARATORS = ("-", "@")


def decimal_text(number: float) -> str:
    """Return a number as the text of an `xsd:decimal`: the digits that tell it from every other double.

    `float()` of the text is the number again. 1 and 1.0 are one number and so are 0.0 and -0.0, as in RFC 8785.
    """
    text = repr(number + 0.0)
    if "e" not in text:
        return text
    positional = format(Decimal(text), "f")
    return positional if "." in positional else positional + ".0"


def decimal_literal(number: float) -> Literal:
    """Return a number as an `xsd:decimal`."""
    return decimal_text(number), XSD.DECIMAL


def document_iri(document_hash: str) -> str:
    """Return the IRI of the bytes with this hash: RFC 6920 §3, `ni:///sha-256;` and the digest in base64url."""
    digest = bytes.fromhex(document_hash.removeprefix("sha256:"))
    return "ni:///sha-256;" + base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")


def agent_family(agent_id: str, version: str) -> str | None:
    """Return the family of an agent whose id ends in its version; `None` for other agents.

    `urn:agent:claude-4.5-sonnet-20241022` in version `20241022` is of the family `urn:agent:claude-4.5-sonnet`: the
    id ends in `-` or `@` and the version, and a name is left before that.
    """
    for separator in _VERSION_SEPARATORS:
        suffix = separator + version
        if version and agent_id.endswith(suffix):
            family = agent_id[: -len(suffix)]
            if ":" in family and family[-1] not in ":/":
                return family
    return None


def blank_label(signed_hash: str) -> str:
    """Return the beginning of the blank node labels of a message; a suffix tells its nodes apart.

    128 bits of the signed hash keep the labels of different messages apart in one file.
    """
    return "_:m" + signed_hash[7:39]
