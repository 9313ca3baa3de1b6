"""N-Triples and Turtle: what is written is what a reader reads."""

import random_messages
from builders import signed_endorsement, signed_registration, signed_response, signed_statement
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rdflib import Graph, Literal
from rdflib.compare import isomorphic

from a2ap.messages.message import read_message
from a2ap.rdf.ntriples import TURTLE_HEADER, ntriples_line, turtle_block, write_ntriples
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.provenance import triples
from a2ap.rdf.rdflib_graph import graph_triples, serialize_turtle, to_graph, to_rdf
from a2ap.rdf.vocabulary import XSD

SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
any_message = st.one_of(random_messages.statements(), random_messages.messages)


def as_read(graph: Graph) -> Graph:
    """Return a graph with the literals that rdflib makes of ours when it reads them (`Z` becomes `+00:00`)."""
    read = Graph()
    for subject, predicate, value in graph:
        read.add(
            (subject, predicate, Literal(str(value), datatype=value.datatype) if isinstance(value, Literal) else value)
        )
    return read


@SLOW
@given(any_message)
def test_ntriples_are_read_back_as_they_were(document: bytes) -> None:
    message = read_message(document)

    assert isomorphic(Graph().parse(data=write_ntriples(triples(message)), format="nt"), as_read(to_rdf(message)))


@SLOW
@given(any_message)
def test_turtle_blocks_are_read_back_as_they_were(document: bytes) -> None:
    message = read_message(document)
    turtle = TURTLE_HEADER + turtle_block(triples(message))

    assert isomorphic(Graph().parse(data=turtle, format="turtle"), as_read(to_rdf(message)))


@SLOW
@given(any_message)
def test_pretty_turtle_is_read_back_as_it_was(document: bytes) -> None:
    graph = to_rdf(read_message(document))

    assert isomorphic(Graph().parse(data=serialize_turtle(graph), format="turtle"), as_read(graph))


@given(st.text())
def test_any_text_is_one_line_and_comes_back(text: str) -> None:
    line = ntriples_line(("urn:x", A2AP.REASON, (text, XSD.STRING)))

    assert line.splitlines() == [line.removesuffix("\n")]
    assert graph_triples(Graph().parse(data=line, format="nt")) == (("urn:x", A2AP.REASON, (text, XSD.STRING)),)


@SLOW
@given(any_message)
def test_graph_gives_its_triples_back(document: bytes) -> None:
    found = triples(read_message(document))

    assert set(graph_triples(to_graph(found))) == set(found)


def test_messages_one_after_the_other_are_one_file() -> None:
    statement, registration = signed_statement(), signed_registration()
    documents = [statement, registration, signed_response(statement), signed_endorsement(registration)]
    messages = [read_message(document) for document in documents]
    together = Graph()
    for message in messages:
        together += as_read(to_rdf(message))

    lines = "".join(write_ntriples(triples(message)) for message in messages)
    blocks = TURTLE_HEADER + "".join(turtle_block(triples(message)) for message in messages)

    assert isomorphic(Graph().parse(data=lines, format="nt"), together)
    assert isomorphic(Graph().parse(data=blocks, format="turtle"), together)


def test_turtle_is_written_with_the_names_that_people_know() -> None:
    turtle = turtle_block(triples(read_message(signed_statement(confidence=1e-7))))

    assert " a a2ap:ProvenanceStatement ;" in turtle
    assert "prov:wasAttributedTo <urn:agent:test-1>" in turtle
    assert "a2ap:confidence 0.0000001 ;" in turtle
    assert '"2025-10-14T10:30:00Z"^^xsd:dateTime' in turtle


def test_pretty_turtle_keeps_every_digit_of_a_number() -> None:
    turtle = serialize_turtle(to_rdf(read_message(signed_statement(confidence=0.12345678901234568))))

    assert "a2ap:confidence 0.12345678901234568 ;" in turtle
