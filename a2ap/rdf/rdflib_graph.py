"""RDF as rdflib holds it: graphs from triples and back, and Turtle."""

from collections.abc import Iterable

from rdflib import BNode, Graph, URIRef
from rdflib import Literal as RdfLiteral
from rdflib.term import Node

from a2ap.messages.message import Message
from a2ap.rdf.provenance import triples
from a2ap.rdf.triples import Literal, Triple
from a2ap.rdf.vocabulary import PREFIXES, XSD


def to_rdf(message: Message) -> Graph:
    """Return the graph of a message."""
    return to_graph(triples(message))


def to_graph(statements: Iterable[Triple]) -> Graph:
    """Return triples as a graph, literals with the text that they have, never one that rdflib likes better."""
    graph = Graph(bind_namespaces="none")
    for prefix, namespace in PREFIXES.items():
        graph.bind(prefix, namespace)
    for subject, predicate, value in statements:
        graph.add((_resource(subject), URIRef(predicate), _object(value)))
    return graph


def graph_triples(graph: Graph) -> tuple[Triple, ...]:
    """Return the triples of a graph as tuples, in no particular order."""
    return tuple((_name(subject), str(predicate), _value(value)) for subject, predicate, value in graph)


def serialize_turtle(graph: Graph) -> str:
    """Return a graph as Turtle."""
    return graph.serialize(format="turtle")


def _resource(name: str) -> BNode | URIRef:
    return BNode(name[2:]) if name.startswith("_:") else URIRef(name)


def _object(value: str | Literal) -> BNode | URIRef | RdfLiteral:
    if isinstance(value, str):
        return _resource(value)
    text, datatype = value
    # In rdflib a plain literal and an xsd:string are two things; in RDF 1.1 they are one.
    if datatype == XSD.STRING:
        return RdfLiteral(text)
    return RdfLiteral(text, datatype=URIRef(datatype), normalize=False)


def _name(node: Node) -> str:
    return f"_:{node}" if isinstance(node, BNode) else str(node)


def _value(node: Node) -> str | Literal:
    if isinstance(node, RdfLiteral):
        return str(node), str(node.datatype or XSD.STRING)
    return _name(node)
