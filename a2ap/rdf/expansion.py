"""The RDF graph of a message by the standard method: JSON-LD expansion with our context, then entailment.

pyld is given our document loader in every call, so that it never meets the network, and only the part of the document
that `a2ap.rdf.preparation` leaves, so that its time does not depend on unknown members. The triples are read off the
expanded document in this module: pyld's own way compares each value of a set with all others, which took it half a
minute for an agent with 8,000 capabilities. `a2ap.rdf.provenance` writes the same triples without pyld, and
`verify_triples` compares the two.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from hashlib import sha256
from itertools import count
from typing import Any

from pyld import jsonld
from rdflib import Graph

from a2ap.errors import ExpansionError
from a2ap.messages.context import check_context
from a2ap.messages.message import Message
from a2ap.rdf.entailment import entail
from a2ap.rdf.ntriples import ntriples_line
from a2ap.rdf.preparation import prepare
from a2ap.rdf.provenance import triples
from a2ap.rdf.rdflib_graph import to_graph
from a2ap.rdf.triples import Literal, Triple
from a2ap.rdf.vocabulary import RDF, XSD
from contexts import load_document


def expand(document: Mapping[str, Any]) -> Graph:
    """Return the graph of a message out of its JSON; errors as of `expanded_triples`."""
    return to_graph(expanded_triples(document))


def expanded_triples(document: Mapping[str, Any]) -> tuple[Triple, ...]:
    """Return the triples of a message out of its JSON, each once.

    The document has been read by `a2ap.messages.message.read_message`. Both of the specification's contexts stand for
    our mapping; `ContextError` for any other, `TypeNameError` for an unknown type, `FieldError` for an id that JSON-LD
    would not take as it is.
    """
    check_context(document)
    (node,) = jsonld.expand(prepare(document), {"documentLoader": load_document, "base": ""})
    return tuple(dict.fromkeys(entail(_Reader().read(node))))


def verify_triples(message: Message) -> None:
    """Raise `ExpansionError` if the expansion of a message gives other triples than `a2ap.rdf.provenance`.

    The error names the message and one of the triples.
    """
    written = _named_by_content(triples(message))
    expanded = _named_by_content(expanded_triples(message.envelope.document))
    if written != expanded:
        line = ntriples_line(min(written ^ expanded, key=repr)).rstrip()
        raise ExpansionError(f"the triples of {message.envelope.id} differ from its JSON-LD expansion: {line}")


def _named_by_content(statements: Iterable[Triple]) -> set[Triple]:
    """Return the triples with each node without a name labelled by a hash of the triples that start there.

    The nodes without a name of a message form trees, as its JSON does. Nodes that say the same become one, so that two
    copies of a reference count as one.
    """
    facts: dict[str, list[tuple[str, str | Literal]]] = defaultdict(list)
    for subject, predicate, value in statements:
        facts[subject].append((predicate, value))
    objects = {name: [one for _, one in facts[name] if _is_blank(one)] for name in facts if _is_blank(name)}
    labels: dict[str | Literal, str] = {}
    for name in TopologicalSorter[str | Literal](objects).static_order():
        content = sorted(repr((predicate, labels.get(value, value))) for predicate, value in facts[str(name)])
        labels[name] = f"_:{sha256(''.join(content).encode()).hexdigest()}"
    return {
        (labels.get(subject, subject), predicate, labels.get(value, value))
        for subject, known in facts.items()
        for predicate, value in known
    }


def _is_blank(value: str | Literal) -> bool:
    return isinstance(value, str) and value.startswith("_:")


class _Reader:
    """Reads the triples off an expanded document (JSON-LD 1.1 API §8); it numbers the nodes without a name."""

    def __init__(self) -> None:
        self._numbers = count()

    def read(self, node: Mapping[str, Any]) -> Iterator[Triple]:
        yield from self._read_node(node, self._name(node))

    def _read_node(self, node: Mapping[str, Any], subject: str) -> Iterator[Triple]:
        for predicate, values in node.items():
            if predicate == "@type":
                for name in values:
                    yield subject, RDF.TYPE, name
            elif predicate != "@id":
                for value in values:
                    yield from self._read_value(subject, predicate, value)

    def _read_value(self, subject: str, predicate: str, value: Mapping[str, Any]) -> Iterator[Triple]:
        if "@list" in value:
            yield from self._read_list(subject, predicate, value["@list"])
        elif "@value" in value:
            yield subject, predicate, _literal(value)
        else:
            name = self._name(value)
            yield subject, predicate, name
            yield from self._read_node(value, name)

    def _read_list(self, subject: str, predicate: str, items: Sequence[Mapping[str, Any]]) -> Iterator[Triple]:
        for item in items:
            cell = self._blank()
            yield subject, predicate, cell
            yield from self._read_value(cell, RDF.FIRST, item)
            subject, predicate = cell, RDF.REST
        yield subject, predicate, RDF.NIL

    def _name(self, node: Mapping[str, Any]) -> str:
        return str(node["@id"]) if "@id" in node else self._blank()

    def _blank(self) -> str:
        return f"_:b{next(self._numbers)}"


def _literal(value: Mapping[str, Any]) -> Literal:
    # After preparation every value is a text: numbers have been written out.
    return value["@value"], value.get("@type", XSD.STRING)
