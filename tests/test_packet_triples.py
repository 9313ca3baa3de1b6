"""What packets, records about them, and steps of packs are in RDF: only words of PROV-O and our own."""

from typing import Any

import pytest
from rdflib import Graph, URIRef
from vectors_file import load_vectors

from a2ap.messages.generated_by import activity_iri
from a2ap.rdf.ntriples import TURTLE_HEADER, turtle_block
from a2ap.rdf.triples import Triple, document_iri
from a2ap.rdf.vocabulary import A2AP_NAMESPACE, PROV, PROV_NAMESPACE, RDF, XSD
from graph.export.pack_triples import step_triples
from graph.export.packet_triples import packet_record_triples, packet_triples

PROV_O = load_vectors("prov_o_terms.json")
PACKET, OTHER, RECORD, RUN, OUTPUT = ("sha256:" + digit * 64 for digit in "12345")
AGENT, STATEMENT = "urn:agent:reader", "urn:uuid:0190163d-8694-739b-aea5-966c26f8ad91"


def record_row(**changes: Any) -> dict[str, Any]:
    row = {"record_hash": RECORD, "kind": "packet-receipt", "event": "used", "at": "2026-07-04T14:00:00+00:00"}
    return {**row, "signers": [AGENT], **changes}


def step_row(position: int, **changes: Any) -> dict[str, Any]:
    row = {"pack": RUN, "position": position, "tool": "read_file", "timestamp": "2026-01-15T10:30:00Z"}
    return {**row, "output_hash": OUTPUT, **changes}


PACKET_TRIPLES = packet_triples(
    {"record_hash": PACKET, "created_at": "20260704T140000Z"}, [STATEMENT, document_iri(OUTPUT)], [document_iri(OTHER)]
)
RECORD_TRIPLES = packet_record_triples(
    record_row(), [{"relation": "ECHOES", "about": PACKET}, {"relation": "DISPOSES", "about": OTHER}]
)
STEP_TRIPLES = [triple for position in range(2) for triple in step_triples(step_row(position))]
ALL = {"packet": PACKET_TRIPLES, "record": RECORD_TRIPLES, "steps": STEP_TRIPLES}


@pytest.mark.parametrize("name", ALL)
def test_only_terms_of_prov_o_and_our_own_are_used_and_as_prov_o_asks(name: str) -> None:
    classes: dict[str, set[str]] = {}
    for subject, predicate, value in ALL[name]:
        if predicate == RDF.TYPE:
            short = str(value).removeprefix(PROV_NAMESPACE)
            classes.setdefault(subject, set()).update([short, *PROV_O["superclasses"].get(short, [])])
    for subject, predicate, value in ALL[name]:
        term = str(value) if predicate == RDF.TYPE else predicate
        short = term.removeprefix(PROV_NAMESPACE)
        known = PROV_O["classes"] if predicate == RDF.TYPE else PROV_O["properties"]
        assert short in known if term != short else term.startswith(A2AP_NAMESPACE) or predicate == RDF.TYPE, term
        domain, range_ = PROV_O["domains_and_ranges"].get(short, (None, None))
        if domain is not None and predicate != RDF.TYPE:
            assert classes[subject] & set(domain), (subject, short)
        if range_ is not None and isinstance(value, str) and predicate != RDF.TYPE:
            assert classes.get(value, set(range_)) & set(range_), (short, value)


@pytest.mark.parametrize("name", ALL)
def test_rdflib_reads_the_same_number_of_triples(name: str) -> None:
    assert len(Graph().parse(data=TURTLE_HEADER + turtle_block(ALL[name]), format="turtle")) == len(set(ALL[name]))


def ask(query: str, triples: list[Triple]) -> bool:
    graph = Graph().parse(data=TURTLE_HEADER + turtle_block(triples), format="turtle")
    names = {"packet": document_iri(PACKET), "other": document_iri(OTHER), "record": document_iri(RECORD)}
    names |= {"run": activity_iri(RUN), "output": document_iri(OUTPUT), "agent": AGENT, "statement": STATEMENT}
    found = graph.query(
        "ASK {" + query + "}",
        initNs={"prov": PROV_NAMESPACE, "a2ap": A2AP_NAMESPACE},
        initBindings={name: URIRef(value) for name, value in names.items()},
    )
    return bool(found.askAnswer)


def test_a_packet_is_a_plan_that_was_derived_from_what_it_is_about_and_revises_another() -> None:
    assert ask(
        "?packet a prov:Plan, prov:Entity, a2ap:ContextPacket ; prov:wasDerivedFrom ?statement, ?output", PACKET_TRIPLES
    )
    assert ask("?packet prov:wasRevisionOf ?other ; prov:wasDerivedFrom ?other", PACKET_TRIPLES)
    moment = ("2026-07-04T14:00:00Z", XSD.DATE_TIME)
    assert (document_iri(PACKET), PROV.GENERATED_AT_TIME, moment) in PACKET_TRIPLES


def test_who_received_a_packet_under_a_known_key_had_it_as_a_plan() -> None:
    assert ask(
        "?record prov:wasGeneratedBy ?e . ?e prov:used ?packet, ?other ; a2ap:eventType 'used' ;"
        " prov:wasAssociatedWith ?agent ; prov:qualifiedAssociation [ prov:agent ?agent ; prov:hadPlan ?packet ]",
        RECORD_TRIPLES,
    )
    assert not ask("?e prov:hadPlan ?other", RECORD_TRIPLES)
    unsigned = packet_record_triples(record_row(signers=[]), [{"relation": "ECHOES", "about": PACKET}])
    assert not ask("?e prov:wasAssociatedWith ?agent", unsigned)


def test_steps_are_activities_of_a_run_in_their_order() -> None:
    assert ask("?run a2ap:step ?a, ?b . ?a a2ap:position 0 . ?b a2ap:position 1 ; a prov:Activity", STEP_TRIPLES)
    assert ask("?run a2ap:step ?a . ?output prov:wasGeneratedBy ?a . ?a a2ap:tool 'read_file'", STEP_TRIPLES)
    bare = step_triples(step_row(0, tool=None, output_hash=None, timestamp="0001-01-01T00:00:00Z"))
    assert len(bare) == 3


@pytest.mark.parametrize("text", [None, "", "yesterday", "2026-13-01", "9" * 60])
def test_what_is_no_time_is_left_out(text: str | None) -> None:
    made = packet_triples({"record_hash": PACKET, "created_at": text}, [], [])
    assert not any(name == PROV.GENERATED_AT_TIME for _, name, _ in made)
