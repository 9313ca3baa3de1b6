"""Expansion: both context forms mean our mapping, and nothing that a stranger adds becomes a triple."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import random_messages
from builders import agent_key, segment, signed_statement, statement_message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyld import jsonld
from rdflib import Graph
from rdflib.compare import isomorphic
from test_provenance import MESSAGES

from a2ap.errors import ContextError, ExpansionError, FieldError, TypeNameError
from a2ap.json_text import write_json
from a2ap.messages.content_hash import compute_content_hash
from a2ap.messages.evidence import read_segment
from a2ap.messages.message import read_message
from a2ap.rdf.entailment import entail
from a2ap.rdf.expansion import expand, verify_triples
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.preparation import prepare
from a2ap.rdf.provenance import Triple
from a2ap.rdf.rdflib_graph import graph_triples, to_graph, to_rdf
from a2ap.rdf.vocabulary import A2AP_NAMESPACE, PROV, PROV_NAMESPACE, RDF, SECURITY
from a2ap.signing.signature import sign_message
from contexts import A2AP_CONTEXT_URL, A2AP_INLINE_CONTEXT, load_document

VECTORS = Path(__file__).parent / "vectors"
EVIDENCE = [segment("café owners"), segment("outdoor tables")]
SPECIFICATION = {
    "2.1_statement": "a2ap_2_1_provenance_statement.json",
    "2.2_request_with_2.1_context": "a2ap_2_2_verification_request.json",
    "2.3_response_with_2.1_context": "a2ap_2_3_verification_response.json",
}
# What the specification's inline context, read literally, makes of its members, and where ours differs: schema.org
# has none of these terms, and PROV-O has a word for five of them.
RENAMED = {
    "agent": PROV.WAS_ATTRIBUTED_TO,
    "capabilities": A2AP.CAPABILITY,
    "generatedAtTime": PROV.GENERATED_AT_TIME,
    "requestedAt": PROV.GENERATED_AT_TIME,
    "requestingAgent": PROV.WAS_ATTRIBUTED_TO,
    "respondedAt": PROV.ENDED_AT_TIME,
    "respondingAgent": PROV.WAS_ASSOCIATED_WITH,
    "chunkId": PROV.HAS_ENTITY,
    "verificationCriteria": RDF.FIRST,  # a list: the order is kept
    "publicKey": SECURITY.VERIFICATION_METHOD,
    "value": A2AP.SIGNATURE_VALUE,
    "byteRange/start": A2AP.BYTE_START,
    "byteRange/end": A2AP.BYTE_END,
    "timestamp/start": A2AP.TIMESTAMP_START,
    "timestamp/end": A2AP.TIMESTAMP_END,
    "findings/evidence": A2AP.FINDING_EVIDENCE,
}
UNCHANGED = {"name", "version", "publisher", "text"}


def example(name: str) -> dict[str, Any]:
    """Return a message of A2AP §2 with the ids, hashes and signature filled in that it leaves open."""
    message: dict[str, Any] = json.loads((VECTORS / SPECIFICATION[name]).read_text(encoding="utf-8"))
    if message["@id"].endswith("..."):
        message["@id"] = "urn:uuid:550e8400-e29b-41d4-a716-446655440001"
    if "claim" in message:
        evidence = [read_segment(item, "evidence", {}) for item in message["evidence"]]
        message["claim"]["contentHash"] = compute_content_hash(message["claim"]["text"], evidence)
    if "signature" in message:
        message = sign_message(message, agent_key(1), message["signature"]["publicKey"])
    return message


def triples_of(document: dict[str, Any]) -> set[Triple]:
    return set(graph_triples(expand(document)))


@pytest.mark.parametrize("name", SPECIFICATION)
def test_message_of_the_specification_expands_to_the_triples_of_its_value(name: str) -> None:
    message = example(name)

    assert isomorphic(expand(message), to_rdf(read_message(write_json(message))))


@pytest.mark.parametrize("document", MESSAGES.values(), ids=MESSAGES.keys())
def test_both_forms_of_context_mean_the_same(document: bytes) -> None:
    message = json.loads(document)
    inline = expand({**message, "@context": dict(A2AP_INLINE_CONTEXT)})

    assert isomorphic(inline, expand({**message, "@context": A2AP_CONTEXT_URL}))


@pytest.mark.parametrize("name", SPECIFICATION)
def test_every_value_that_the_literal_reading_has_is_there_under_a_better_name(name: str) -> None:
    # The vector is what pyld makes of the message with the inline context of §2.1 taken at its word.
    vector = json.loads((VECTORS / "a2ap_jsonld.json").read_text(encoding="utf-8"))[name]["expanded"][0]
    del vector["@id"]
    vector.pop("https://schema.org/verificationStatus", None)  # derived, and no part of what was signed
    vector.pop("https://schema.org/signature", None)  # made anew, with the fixed hash
    vector.get("https://schema.org/claim", [{}])[0].pop("https://schema.org/contentHash", None)
    found = {(predicate, text_of(value)) for _, predicate, value in triples_of(example(name))}

    for path, value in leaves(vector):
        assert (our_name(path), value) in found, path


def leaves(node: dict[str, Any], path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], str]]:
    found: list[tuple[tuple[str, ...], str]] = []
    for name, values in node.items():
        if name == "@type":
            found += [((*path, RDF.TYPE), value) for value in values]
        elif name != "@id":
            for value in values:
                if "@value" in value:
                    found.append(((*path, name), str(value["@value"])))
                else:
                    found += [((*path, name), value["@id"])] if "@id" in value else []
                    found += leaves(value, (*path, name))
    return found


def our_name(path: tuple[str, ...]) -> str:
    names = [name.removeprefix("https://schema.org/") for name in path]
    if names[-1] in UNCHANGED or names[-1] == RDF.TYPE:
        return path[-1]
    return RENAMED.get("/".join(names[-2:])) or RENAMED.get(names[-1]) or A2AP_NAMESPACE + names[-1]


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else value[0]


def test_other_context_is_refused() -> None:
    for context in ("https://example.org/", {"@vocab": "https://example.org/"}, [A2AP_CONTEXT_URL], None):
        with pytest.raises(ContextError):
            expand({**json.loads(signed_statement()), "@context": context})


def test_unknown_type_is_refused() -> None:
    for name in ("a2ap:Claim", "a2ap:Something", "prov", "signature"):
        with pytest.raises(TypeNameError):
            expand({**json.loads(signed_statement()), "@type": name})


@pytest.mark.parametrize(
    "place", [(), ("agent",), ("claim",), ("evidence", 0), ("evidence", 0, "byteRange"), ("signature",)], ids=str
)
@pytest.mark.parametrize(
    "member",
    [
        {"prov:wasAttributedTo": {"@id": "urn:agent:somebody-else"}},
        {PROV_NAMESPACE + "wasAttributedTo": {"@id": "urn:agent:somebody-else"}},
        {"a2ap:quoteTextDigest": "sha256:" + "0" * 64},
        {"description": "a term of schema.org"},
        {"verdict": "VALIDATED"},
    ],
    ids=lambda member: next(iter(member)),
)
def test_member_that_our_context_does_not_name_there_says_nothing(
    place: tuple[str | int, ...], member: dict[str, Any]
) -> None:
    message = json.loads(signed_statement())
    expected = triples_of_shape(message)
    node = message
    for step in place:
        node = node[step]
    node |= member

    assert triples_of_shape(message) == expected


def triples_of_shape(message: dict[str, Any]) -> set[tuple[Any, ...]]:
    """Return triples without the labels of blank nodes."""

    def shape(value: Any) -> Any:
        return "_" if isinstance(value, str) and value.startswith("_:") else value

    return {(shape(subject), predicate, shape(value)) for subject, predicate, value in triples_of(message)}


@pytest.mark.parametrize("place", ["claim", "signature"])
def test_node_without_a_name_in_the_mapping_cannot_take_one(place: str) -> None:
    message = json.loads(signed_statement())
    message[place] |= {"@id": "urn:uuid:550e8400-e29b-41d4-a716-446655440000", "@type": "prov:Activity"}

    assert "urn:uuid:550e8400-e29b-41d4-a716-446655440000" not in {subject for subject, _, _ in triples_of(message)}


def test_cue_in_seconds_has_its_milliseconds_in_the_graph() -> None:
    evidence = segment()
    evidence["timestamp"] = {"start": "00:02:15.400", "end": "00:02:19"}
    found = {(name, text_of(value)) for _, name, value in triples_of(statement_message(evidence=[evidence]))}

    assert (A2AP.START_MILLISECONDS, "135400") in found
    assert (A2AP.END_MILLISECONDS, "139000") in found
    assert (A2AP.TIMESTAMP_START, "00:02:15.400") in found


@pytest.mark.parametrize("identifier", ["prov:Agent", "a2ap:x", "urn:x:a\u3000b"])
def test_id_that_json_ld_would_read_as_another_is_refused(identifier: str) -> None:
    message = statement_message()
    message["evidence"][0]["chunkId"] = identifier

    with pytest.raises(FieldError, match="chunkId"):
        expand(message)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.one_of(random_messages.statements(), random_messages.messages))
def test_triples_read_off_the_expanded_document_are_those_that_pyld_reads_off(document: bytes) -> None:
    message = json.loads(document)
    quads = jsonld.to_rdf(prepare(message), {"documentLoader": load_document, "base": ""})["@default"]
    by_pyld = [(quad["subject"]["value"], quad["predicate"]["value"], object_of(quad["object"])) for quad in quads]

    assert isomorphic(to_graph(entail(by_pyld)), expand(message))


def object_of(term: dict[str, str]) -> str | tuple[str, str]:
    return (term["value"], term["datatype"]) if term["type"] == "literal" else term["value"]


def test_large_set_does_not_hold_up_expansion() -> None:
    message = statement_message()
    message["agent"]["capabilities"] = [str(number) for number in range(8000)]

    assert len(expand(message)) > 8000


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("claim", {"text": "Another claim.", "confidence": 0.5, "contentHash": "sha256:" + "0" * 64}),
        ("evidence", []),
        ("evidence", EVIDENCE[::-1]),
        ("agent", {"@id": "urn:agent:another"}),
    ],
)
def test_another_member_in_the_document_than_in_the_value_is_named(member: str, value: object) -> None:
    message = read_message(signed_statement(evidence=EVIDENCE))
    document = {**message.envelope.document, member: value}
    forged = replace(message, envelope=replace(message.envelope, document=document))
    with pytest.raises(ExpansionError, match=re.escape(f"the triples of {message.envelope.id} differ")):
        verify_triples(forged)


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated")
@pytest.mark.parametrize("document", MESSAGES.values(), ids=MESSAGES.keys())
def test_another_json_ld_processor_reads_our_context_the_same_way(document: bytes) -> None:
    context = load_document(A2AP_CONTEXT_URL)["document"]["@context"]
    for message in (json.loads(document), prepare(json.loads(document))):
        nquads = jsonld.to_rdf(
            {**message, "@context": A2AP_CONTEXT_URL},
            {"documentLoader": load_document, "format": "application/n-quads"},
        )
        other = Graph().parse(data=json.dumps({**message, "@context": context}), format="json-ld")

        assert isomorphic(Graph().parse(data=nquads, format="nt"), other)
