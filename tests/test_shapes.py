"""The vocabulary and the shapes that come with the package: every term is described, and every shape can fail."""

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from rdflib import OWL, RDF, RDFS, SH, Graph, Literal, Namespace, URIRef
from rdflib import XSD as RDF_XSD
from rdflib.term import Node
from shacl_shapes import broken_shapes, shapes
from test_provenance import MESSAGES

from a2ap.messages.message import read_message
from a2ap.rdf.nanopublication import nanopublication_iri
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.provenance import triples
from a2ap.rdf.rdflib_graph import to_graph
from a2ap.rdf.vocabulary import A2AP_NAMESPACE, NP, PREFIXES
from contexts import A2AP_CONTEXT_URL, ONTOLOGY, SHAPES, load_document

A2 = Namespace(A2AP_NAMESPACE)
PROV_O = Namespace(PREFIXES["prov"])
SCHEMA_ORG = Namespace(PREFIXES["schema"])
SHAPE = Namespace("urn:a2ap:shapes:")


def ontology() -> Graph:
    return Graph().parse(data=ONTOLOGY.read_text(encoding="utf-8"), format="turtle")


def test_every_term_of_ours_is_described_and_nothing_else() -> None:
    described = {str(term) for term in ontology().subjects(RDFS.comment) if str(term).startswith(A2AP_NAMESPACE)}
    used = {iri for name, iri in vars(A2AP).items() if not name.startswith("_")}
    assert described == used | {
        A2AP_NAMESPACE + iri.removeprefix("a2ap:") for iri in mapped() if iri.startswith("a2ap:")
    }


def mapped(context: Any = None) -> set[str]:
    """Return the IRIs of all terms of our context, those of the classes of messages among them."""
    found: set[str] = set()
    context = load_document(A2AP_CONTEXT_URL)["document"]["@context"] if context is None else context
    for name, definition in context.items():
        if not name.startswith("@") and name != "a2ap" and definition is not None:
            found.add(definition if isinstance(definition, str) else definition["@id"])
            found |= mapped(definition.get("@context", {})) if isinstance(definition, dict) else set()
    return found


def test_every_term_says_what_it_is_in_a_sentence() -> None:
    graph = ontology()
    kinds = {OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty}
    for term in {term for term in graph.subjects(RDFS.comment) if str(term).startswith(A2AP_NAMESPACE)}:
        (label,), (comment,) = graph.objects(term, RDFS.label), graph.objects(term, RDFS.comment)
        assert str(label) == str(term).removeprefix(A2AP_NAMESPACE)
        assert str(comment).endswith(".") and len(str(comment)) < 150
        assert len(kinds & set(graph.objects(term, RDF.type))) == 1


def test_properties_of_things_and_of_values_are_told_apart_as_they_are_used() -> None:
    graph = ontology()
    for document in MESSAGES.values():
        for _, predicate, value in triples(read_message(document)):
            if predicate.startswith(A2AP_NAMESPACE):
                kind = OWL.ObjectProperty if isinstance(value, str) else OWL.DatatypeProperty
                assert (URIRef(predicate), RDF.type, kind) in graph, predicate


def test_every_term_of_the_context_is_described() -> None:
    described = {str(term) for term in ontology().subjects(RDFS.comment)}
    context = files("contexts").joinpath("a2ap-v0.1.jsonld").read_text(encoding="utf-8")
    named = {part.split('"')[0] for part in context.split('"a2ap:')[1:]}
    assert {A2AP_NAMESPACE + name for name in named if name} <= described


def test_both_come_with_the_package() -> None:
    for path in (ONTOLOGY, SHAPES):
        assert Path(str(path)).parent == Path(str(files("contexts")))
    assert all(
        subject.startswith("urn:a2ap:shapes:") for subject in map(str, shapes().subjects(RDF.type, SH.NodeShape))
    )


def one_of_each() -> Graph:
    """Return the triples of every kind of message, a nanopublication's frame, and a record."""
    graph = to_graph(
        [triple for document in dict.fromkeys(MESSAGES.values()) for triple in triples(read_message(document))]
    )
    name, record, run = URIRef(nanopublication_iri("sha256:" + "a" * 64)), URIRef("urn:x:record"), URIRef("urn:x:run")
    graph.add((name, RDF.type, URIRef(NP.NANOPUBLICATION)))
    for predicate, part in ((NP.HAS_ASSERTION, "a"), (NP.HAS_PROVENANCE, "p"), (NP.HAS_PUBLICATION_INFO, "i")):
        graph.add((name, URIRef(predicate), URIRef(f"{name}#{part}")))
    graph.add((name, A2.publishedMessage, URIRef("urn:uuid:x")))
    graph.add((name, A2.signedHash, Literal("sha256:" + "a" * 64)))
    graph.add((name, A2.logIndex, Literal("1", datatype=RDF_XSD.integer)))
    for thing, kind in ((record, A2.ContextPack), (record, PROV_O.Entity), (run, PROV_O.Activity)):
        graph.add((thing, RDF.type, kind))
    graph.add((record, PROV_O.wasGeneratedBy, run))
    return graph


def without(kind: URIRef, predicate: URIRef) -> Callable[[Graph], None]:
    """Return what takes a property from all things of a class."""

    def change(graph: Graph) -> None:
        for subject in set(graph.subjects(RDF.type, kind)):
            graph.remove((subject, predicate, None))

    return change


def stated(kind: URIRef, predicate: URIRef, value: Node) -> Callable[[Graph], None]:
    """Return what states something else of all things of a class."""

    def change(graph: Graph) -> None:
        for subject in set(graph.subjects(RDF.type, kind)):
            graph.set((subject, predicate, value))

    return change


def _backwards(graph: Graph) -> None:
    for byte_range in set(graph.objects(None, A2.byteRange)):
        graph.set((byte_range, A2.byteEnd, Literal("0", datatype=RDF_XSD.integer)))


def _badly_bound(graph: Graph) -> None:
    for subject in set(graph.subjects(A2.targetHash)):
        graph.set((subject, A2.targetHash, Literal("md5:0")))


def _named_by_chance(graph: Graph) -> None:
    for kind in (A2.Document, PROV_O.Entity):
        graph.add((URIRef("urn:x:document"), RDF.type, kind))


def _not_said_to_be_entities(graph: Graph) -> None:
    graph.remove((None, RDF.type, PROV_O.Entity))


# For each shape, graphs of which it does not hold.
FAILING: dict[str, list[Callable[[Graph], None]]] = {
    "Entity": [without(A2.ProvenanceStatement, PROV_O.wasAttributedTo), without(A2.Policy, A2.signature)],
    "Activity": [without(A2.Retraction, PROV_O.endedAtTime), without(A2.Redaction, PROV_O.wasAssociatedWith)],
    "Statement": [without(A2.ProvenanceStatement, A2.evidence), without(A2.ProvenanceStatement, A2.claim)],
    "Claim": [
        without(A2.Claim, SCHEMA_ORG.text),
        stated(A2.Claim, A2.confidence, Literal("1.5", datatype=RDF_XSD.decimal)),
    ],
    "EvidenceSegment": [without(A2.EvidenceSegment, A2.byteRange), without(A2.EvidenceSegment, PROV_O.entity)],
    "ByteRange": [_backwards],
    "Chunk": [without(A2.Chunk, PROV_O.wasQuotedFrom)],
    "Document": [_named_by_chance],
    "Source": [_not_said_to_be_entities],
    "SoftwareAgent": [without(PROV_O.SoftwareAgent, SCHEMA_ORG.version)],
    "Request": [without(A2.VerificationRequest, A2.criteria)],
    "Response": [
        stated(A2.VerificationResponse, A2.verdict, Literal("MAYBE")),
        without(A2.VerificationResponse, PROV_O.used),
    ],
    "Finding": [stated(A2.Finding, A2.status, Literal("SO-SO")), without(A2.Finding, PROV_O.wasGeneratedBy)],
    "Signature": [
        stated(A2.CryptographicSignature, A2.algorithm, Literal("none")),
        stated(A2.CryptographicSignature, A2.signatureValue, Literal("c2hvcnQ=")),
    ],
    "TargetHash": [_badly_bound],
    "AgentRegistration": [without(A2.AgentRegistration, A2.key), without(A2.Key, A2.publicKey)],
    "SourceRegistration": [stated(A2.SourceRegistration, A2.boundary, Literal("secret"))],
    "RecordRegistration": [without(A2.RecordRegistration, A2.registeredDocument)],
    "Endorsement": [without(A2.Endorsement, A2.endorsedAgent)],
    "Policy": [stated(A2.Policy, A2.threshold, Literal("2.0", datatype=RDF_XSD.decimal))],
    "Retraction": [without(A2.Retraction, A2.targetType)],
    "Redaction": [without(A2.Redaction, A2.reason)],
    "GoldLabel": [stated(A2.GoldLabel, A2.label, Literal("PERHAPS"))],
    "Record": [without(A2.ContextPack, PROV_O.wasGeneratedBy)],
    "Nanopublication": [without(URIRef(NP.NANOPUBLICATION), URIRef(NP.HAS_ASSERTION))],
}


def test_every_shape_has_a_graph_of_which_it_does_not_hold() -> None:
    assert {str(shape).removeprefix(SHAPE) for shape in shapes().subjects(RDF.type, SH.NodeShape)} == set(FAILING)


def test_every_shape_holds_of_every_kind_of_message() -> None:
    assert broken_shapes(one_of_each()) == set()


@pytest.mark.parametrize(
    ("shape", "change"), [(shape, change) for shape, changes in FAILING.items() for change in changes]
)
def test_a_shape_does_not_hold_of_what_is_wrong(shape: str, change: Callable[[Graph], None]) -> None:
    graph = one_of_each()
    change(graph)
    assert SHAPE[shape] in broken_shapes(graph)
