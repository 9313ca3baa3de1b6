"""From a message to RDF by the standard road: JSON-LD expansion with our context, then entailment.

pyld is given our document loader in every call, so that it never meets the network, and only what
`a2ap.preparation` leaves of the document, so that its time does not depend on members that nobody knows.
`a2ap.provenance` writes the same triples without it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pyld import jsonld
from rdflib import Graph

from a2ap.context import check_context
from a2ap.entailment import entail
from a2ap.preparation import prepare
from a2ap.rdf import to_graph
from a2ap.triples import Literal, Triple
from contexts import load_document


def expand(document: Mapping[str, Any]) -> Graph:
    """Return the graph of a message out of its JSON.

    The document has been read by `a2ap.message.read_message`. Both of the specification's contexts stand for our
    mapping; `ContextError` for any other, `TypeNameError` for an unknown type.
    """
    check_context(document)
    dataset = jsonld.to_rdf(prepare(document), {"documentLoader": load_document, "base": ""})
    return to_graph(entail(_triples(dataset["@default"])))


def _triples(quads: list[dict[str, dict[str, str]]]) -> Iterator[Triple]:
    for quad in quads:
        yield quad["subject"]["value"], quad["predicate"]["value"], _object(quad["object"])


def _object(term: Mapping[str, str]) -> str | Literal:
    return (term["value"], term["datatype"]) if term["type"] == "literal" else term["value"]
