"""The facts of a statement, read back from its triples: nothing lost, and the same by both roads."""

import json
import random

import pytest
import random_messages
from builders import segment, signed_response, signed_statement
from hypothesis import HealthCheck, given, settings

from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement
from a2ap.rdf.expansion import expand
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.provenance import triples
from a2ap.rdf.rdflib_graph import graph_triples
from a2ap.rdf.statement_facts import StatementFacts, facts_of, read_statement_facts
from a2ap.rdf.vocabulary import RDF

SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def read_statement(document: bytes) -> ProvenanceStatement:
    statement = read_message(document)
    assert isinstance(statement, ProvenanceStatement)
    return statement


def told_by_triples(document: bytes) -> StatementFacts:
    return read_statement_facts(triples(read_statement(document)))


@SLOW
@given(random_messages.statements())
def test_what_a_statement_says_is_what_its_triples_say(document: bytes) -> None:
    assert facts_of(read_statement(document)) == told_by_triples(document)


@SLOW
@given(random_messages.statements())
def test_facts_through_pyld_and_rdflib_are_those_of_the_fast_road(document: bytes) -> None:
    assert read_statement_facts(graph_triples(expand(json.loads(document)))) == facts_of(read_statement(document))


def test_evidence_keeps_its_order_whatever_order_the_triples_come_in() -> None:
    quotes = ["café owners", "Elm Street", "outdoor tables", "forty feet", "zoning map"]
    document = signed_statement(evidence=[segment(quote) for quote in quotes])
    shuffled = list(triples(read_statement(document)))
    random.Random(1).shuffle(shuffled)

    assert [part.quote_text for part in read_statement_facts(shuffled).evidence] == quotes


def test_time_is_given_in_utc() -> None:
    message = json.loads(signed_statement())
    message["generatedAtTime"] = "2025-10-14T12:30:00.5+02:00"

    assert told_by_triples(json.dumps(message).encode()).generated_at == "2025-10-14T10:30:00.5Z"


def test_triples_of_another_message_are_refused() -> None:
    with pytest.raises(ValueError, match="not the triples of a statement"):
        read_statement_facts(triples(read_message(signed_response(signed_statement()))))


def test_triples_of_two_statements_are_refused() -> None:
    both = [*triples(read_statement(signed_statement())), *triples(read_statement(signed_statement(claim="other")))]

    with pytest.raises(ValueError, match="two statements"):
        read_statement_facts(both)


@pytest.mark.parametrize("predicate", [A2AP.BYTE_START, A2AP.CLAIM, RDF.REST, A2AP.CONFIDENCE])
def test_triples_that_are_not_whole_are_refused(predicate: str) -> None:
    rest = [triple for triple in triples(read_statement(signed_statement())) if triple[1] != predicate]

    with pytest.raises(ValueError, match="not whole"):
        read_statement_facts(rest)


def test_list_that_runs_in_a_circle_is_refused() -> None:
    turned = [
        (subject, predicate, subject if predicate == RDF.REST else value)
        for subject, predicate, value in triples(read_statement(signed_statement()))
    ]

    with pytest.raises(ValueError, match="not whole"):
        read_statement_facts(turned)


def test_value_given_twice_is_refused() -> None:
    found = list(triples(read_statement(signed_statement())))
    claim, _, _ = next(triple for triple in found if triple[1] == A2AP.CONFIDENCE)

    with pytest.raises(ValueError, match="not one literal"):
        read_statement_facts([*found, (claim, A2AP.CONFIDENCE, ("0.5", "http://www.w3.org/2001/XMLSchema#decimal"))])
