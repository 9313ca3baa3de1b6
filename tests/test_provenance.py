"""The triples of messages, written straight from their values: those of JSON-LD expansion, and sound PROV-O."""

import json
from pathlib import Path
from typing import Any

import pytest
import random_messages
from builders import (
    NOTE,
    SOURCE,
    TIME,
    admission_policy_message,
    agent_id,
    agent_key,
    description,
    disclosure_redaction_message,
    epoch_message,
    gold_label_message,
    key_id,
    log_key_rotation_message,
    peer_agreement_message,
    peer_checkpoint_message,
    pointer_to,
    probe_message,
    reference_to,
    segment,
    sign,
    signed_agent_version,
    signed_answer,
    signed_deactivation,
    signed_decline,
    signed_endorsement,
    signed_equivocation,
    signed_gold_dispute,
    signed_key_registration,
    signed_key_revocation,
    signed_policy,
    signed_record,
    signed_registration,
    signed_request,
    signed_response,
    signed_retraction,
    signed_source,
    signed_statement,
    source_redaction_message,
)
from hypothesis import HealthCheck, given, settings
from rdflib.compare import isomorphic

from a2ap.canonical import sha256_digest
from a2ap.messages.evidence import ByteRange
from a2ap.messages.gold_label import Label, RevealedProbe
from a2ap.messages.message import read_message
from a2ap.messages.possession import possession_mac
from a2ap.messages.priors import Priors
from a2ap.messages.verification_response import Verdict
from a2ap.rdf.expansion import expand, verify_triples
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.provenance import Triple, triples
from a2ap.rdf.rdflib_graph import to_graph, to_rdf
from a2ap.rdf.triples import agent_family, decimal_text, document_iri
from a2ap.rdf.vocabulary import PROV, PROV_NAMESPACE, RDF, SCHEMA, SECURITY, XSD
from a2ap.signing.disclosure import make_disclosure

PROV_O = json.loads((Path(__file__).parent / "vectors" / "prov_o_terms.json").read_text(encoding="utf-8"))
HASH = "sha256:" + "d" * 64
SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def pointer(quote: str) -> dict[str, Any]:
    """Return evidence that points at a quote and does not repeat it."""
    evidence = segment(quote)
    del evidence["quoteText"]
    return evidence


def revision() -> bytes:
    """Return a statement with everything that a statement can say."""
    target = reference_to(signed_statement())
    hidden = make_disclosure("not for everybody", b"0123456789abcdef")
    return signed_statement(
        statement_id="urn:uuid:0a1b2c3d-0000-4000-8000-000000000001",
        evidence=[segment(), segment("café owners") | {"quoteText": hidden.reference}, pointer("Elm Street")],
        supports=[target],
        contradicts=[target],
        was_revision_of=target,
        disclosures=[hidden],
    )


MESSAGES = {
    "statement": signed_statement(),
    "revision": revision(),
    "statement out of records": signed_statement(generated_by=[HASH, "sha256:" + "e" * 64]),
    "response out of a record": signed_response(signed_statement(), generated_by=[HASH]),
    "record": signed_record(possession_mac=possession_mac(agent_id(1), b"{}")),
    "request": signed_request(signed_statement()),
    "response": signed_response(signed_statement(), reason="seen with my own eyes"),
    "request with terms": signed_request(
        signed_statement(), deadline=TIME.replace(year=2026), wanted_verdicts=3, eligible_verifiers=[agent_id(2)]
    ),
    "response with everything": signed_response(
        signed_statement(),
        verdict=Verdict.CHALLENGED,
        request=reference_to(signed_request(signed_statement())),
        supersedes=reference_to(signed_response(signed_statement())),
        evidence=[pointer_to(), pointer_to("Elm Street")],
        counter_statement=reference_to(signed_statement(2)),
        cross_references=[reference_to(signed_statement(3)), reference_to(signed_statement(4))],
    ),
    "decline": signed_decline(signed_request(signed_statement())),
    "answer": signed_answer(
        signed_response(signed_statement(), verdict=Verdict.CHALLENGED), evidence=[pointer_to(), pointer_to()]
    ),
    "registration": signed_registration(
        agent=description(1, family="urn:agent:test-family"),
        alias="agent:test:pubkey",
        recovery_seed=7,
        log_key="example.com/log+bd1b7f9c+AUcT",
        invitation="secret",
    ),
    "source": signed_source(
        licence="CC-BY-4.0",
        rights_holder="City clerk",
        retain_until=TIME,
        possession_mac=possession_mac(agent_id(1), SOURCE),
    ),
    "endorsement": signed_endorsement(signed_registration()),
    "policy": signed_policy(seeds=[agent_id(8), agent_id(9)]),
    "key registration": signed_key_registration(alias="agent:test:pubkey", replaces=[key_id(1)], recovery_seed=7),
    "key revocation": signed_key_revocation(not_trusted_since=12),
    "key revocation by time": signed_key_revocation(not_trusted_since=TIME),
    "deactivation": signed_deactivation(reason="superseded"),
    "version": signed_agent_version(signed_registration(2), family="urn:agent:test"),
    "admission policy": sign(
        admission_policy_message(allowed_agents=[agent_id(1), agent_id(2)], invitations=["sha256:" + "a" * 64]), 9
    ),
    "log key rotation": sign(log_key_rotation_message(), 9),
    "peer agreement": sign(peer_agreement_message(transport_key=agent_key(5).public_key), 9),
    "peer checkpoint": sign(peer_checkpoint_message(), 9),
    "equivocation": signed_equivocation(consistency_proof=[bytes(32), b"1" * 32], successions=[NOTE]),
    "epoch": sign(epoch_message(), 9),
    "later policy": signed_policy(version=3, epoch_length=50, priors=Priors()),
    "retraction": signed_retraction(signed_statement()),
    "retraction of a verdict": signed_retraction(signed_response(signed_statement()), 2, reason=None),
    "redaction of a disclosure": sign(
        disclosure_redaction_message(signed_statement(), ["sha256:" + "b" * 64], signed_statement()), 1
    ),
    "gold label": sign(
        gold_label_message(signed_statement(), probe=RevealedProbe(HASH, "A" * 22 + "=="), answers=[HASH]), 9
    ),
    "gold label without words": sign(gold_label_message(signed_statement(), Label.PASS, reason=None), 9),
    "gold dispute": signed_gold_dispute(sign(gold_label_message(signed_statement()), 9), evidence=[HASH]),
    "retraction of a gold label": signed_retraction(sign(gold_label_message(signed_statement()), 9), 9),
    "probe": sign(probe_message([HASH, "sha256:" + "e" * 64]), 9),
    "redaction of a source": sign(
        source_redaction_message(
            sha256_digest(SOURCE),
            byte_ranges=[ByteRange(3, 9), ByteRange(12, 40)],
            redacted_document_hash="sha256:" + "c" * 64,
        ),
        9,
    ),
}


def triples_of(document: bytes) -> set[Triple]:
    return set(triples(read_message(document)))


def objects(document: bytes, predicate: str) -> set[Any]:
    return {value for _, name, value in triples_of(document) if name == predicate}


@pytest.mark.parametrize("document", MESSAGES.values(), ids=MESSAGES.keys())
def test_triples_are_those_of_expansion(document: bytes) -> None:
    assert isomorphic(to_rdf(read_message(document)), expand(json.loads(document)))
    verify_triples(read_message(document))


@SLOW
@given(random_messages.statements())
def test_triples_of_any_statement_are_those_of_expansion(document: bytes) -> None:
    assert isomorphic(to_rdf(read_message(document)), expand(json.loads(document)))
    verify_triples(read_message(document))


@SLOW
@given(random_messages.messages)
def test_triples_of_any_other_message_are_those_of_expansion(document: bytes) -> None:
    assert isomorphic(to_rdf(read_message(document)), expand(json.loads(document)))
    verify_triples(read_message(document))


@SLOW
@given(random_messages.statements())
def test_each_triple_is_given_once(document: bytes) -> None:
    given_triples = triples(read_message(document))

    assert len(set(given_triples)) == len(given_triples)


def test_triples_of_two_messages_share_no_blank_node() -> None:
    labels = [
        {name for triple in triples_of(document) for name in triple if isinstance(name, str) and name.startswith("_:")}
        for document in (signed_statement(claim="one"), signed_statement(claim="two"))
    ]

    assert labels[0] and labels[1]
    assert not labels[0] & labels[1]


def test_statement_is_an_entity_attributed_to_its_agent_and_generated_by_an_activity() -> None:
    document = signed_statement()
    statement = read_message(document).envelope.id
    found = triples_of(document)

    assert (statement, RDF.TYPE, PROV.ENTITY) in found
    assert (statement, PROV.WAS_ATTRIBUTED_TO, agent_id(1)) in found
    assert (agent_id(1), RDF.TYPE, PROV.SOFTWARE_AGENT) in found
    (activity,) = objects(document, PROV.WAS_GENERATED_BY)
    assert (activity, RDF.TYPE, PROV.ACTIVITY) in found
    assert (activity, PROV.WAS_ASSOCIATED_WITH, agent_id(1)) in found
    assert {(activity, PROV.USED, chunk) for chunk in objects(document, PROV.HAS_ENTITY)} <= found


def test_evidence_with_a_quote_is_a_quotation_and_without_one_a_derivation() -> None:
    quoted, pointed_at = segment(), pointer("Elm Street")
    document = signed_statement(evidence=[quoted, pointed_at])

    assert objects(document, PROV.WAS_QUOTED_FROM) >= {quoted["chunkId"]}
    assert pointed_at["chunkId"] not in {
        value for subject, name, value in triples_of(document) if name == PROV.WAS_QUOTED_FROM and "uuid" in subject
    }
    assert objects(document, PROV.WAS_DERIVED_FROM) == {quoted["chunkId"], pointed_at["chunkId"]}
    assert len(objects(document, PROV.QUALIFIED_QUOTATION)) == len(objects(document, PROV.QUALIFIED_DERIVATION)) == 1


def test_chunk_was_quoted_from_the_bytes_with_their_hash_which_are_a_version_of_the_source() -> None:
    evidence = segment()
    found = triples_of(signed_statement(evidence=[evidence]))
    document = document_iri(evidence["documentHash"])

    assert (evidence["chunkId"], PROV.WAS_QUOTED_FROM, document) in found
    assert (document, PROV.SPECIALIZATION_OF, evidence["sourceDocument"]) in found


def test_chunk_of_a_document_without_a_hash_was_quoted_from_the_source() -> None:
    evidence = segment(document_hash=None)
    found = triples_of(signed_statement(evidence=[evidence]))

    assert (evidence["chunkId"], PROV.WAS_QUOTED_FROM, evidence["sourceDocument"]) in found


def test_references_are_said_plainly_and_with_their_hash() -> None:
    target = reference_to(signed_statement())
    document = revision()

    for predicate in (A2AP.SUPPORTS, A2AP.CONTRADICTS, PROV.WAS_REVISION_OF):
        assert objects(document, predicate) == {target.id}
    assert objects(document, A2AP.TARGET_HASH) == {(target.target_hash, XSD.STRING)}
    assert not any(subject == target.id and name == A2AP.TARGET_HASH for subject, name, _ in triples_of(document))


def test_disclosed_quote_stands_beside_its_digest_and_a_withdrawn_one_leaves_the_digest() -> None:
    disclosed = revision()
    withdrawn = json.loads(disclosed)
    (digest,) = withdrawn.pop("disclosures")
    remaining = json.dumps(withdrawn).encode()

    for document in (disclosed, remaining):
        assert objects(document, A2AP.QUOTE_TEXT_DIGEST) == {(digest, XSD.STRING)}
    assert ("not for everybody", XSD.STRING) in objects(disclosed, A2AP.QUOTE_TEXT)
    assert ("not for everybody", XSD.STRING) not in objects(remaining, A2AP.QUOTE_TEXT)


def test_response_is_an_activity_that_used_the_statement_and_generated_findings_in_order() -> None:
    statement = signed_statement()
    document = signed_response(statement)
    response = read_message(document).envelope.id
    found = triples_of(document)

    assert (response, RDF.TYPE, PROV.ACTIVITY) in found
    assert (response, RDF.TYPE, PROV.ENTITY) not in found
    assert (response, PROV.USED, read_message(statement).envelope.id) in found
    assert (response, PROV.WAS_ASSOCIATED_WITH, agent_id(2)) in found
    assert {value for _, name, value in found if name == PROV.WAS_GENERATED_BY} == {response}
    assert criteria_in_order(document) == ["source-accuracy", "evidence-sufficiency", "logical-consistency"]


def criteria_in_order(document: bytes) -> list[str]:
    found = {(subject, name): value for subject, name, value in triples_of(document)}
    cell: Any = found[read_message(document).envelope.id, A2AP.FINDINGS]
    criteria = []
    while cell != RDF.NIL:
        node: Any = found[cell, RDF.FIRST]
        criteria.append(found[node, A2AP.CRITERION][0])
        cell = found[cell, RDF.REST]
    return criteria


def test_endorsed_agent_acted_on_behalf_of_the_endorsing_one() -> None:
    document = signed_endorsement(signed_registration(3), 9)

    assert (agent_id(3), PROV.ACTED_ON_BEHALF_OF, agent_id(9)) in triples_of(document)


def test_registered_key_is_controlled_by_its_agent() -> None:
    found = triples_of(signed_registration(3))

    assert (f"{agent_id(3)}#key-1", SECURITY.CONTROLLER, agent_id(3)) in found


def test_registered_source_is_described_as_the_document_and_its_boundary_by_the_registration() -> None:
    document = signed_source(title="Zoning hearing")
    message = read_message(document)
    found = triples_of(document)
    (bytes_registered,) = objects(document, A2AP.REGISTERED_DOCUMENT)

    assert (bytes_registered, SCHEMA.NAME, ("Zoning hearing", XSD.STRING)) in found
    assert (message.envelope.id, A2AP.BOUNDARY, ("public", XSD.STRING)) in found


def test_status_of_verification_is_not_part_of_the_signed_triples() -> None:
    message = json.loads(signed_statement())
    message["verificationStatus"] = {"verified": False, "validators": [], "challenges": [], "consensusScore": 0.0}

    assert triples_of(json.dumps(message).encode()) == triples_of(signed_statement())


@pytest.mark.parametrize("document", MESSAGES.values(), ids=MESSAGES.keys())
def test_every_prov_term_exists_in_prov_o(document: bytes) -> None:
    classes = {value.removeprefix(PROV_NAMESPACE) for value in objects(document, RDF.TYPE) if "ns/prov#" in value}
    properties = {
        name.removeprefix(PROV_NAMESPACE) for _, name, _ in triples_of(document) if name.startswith(PROV_NAMESPACE)
    }

    assert classes <= set(PROV_O["classes"])
    assert properties <= set(PROV_O["properties"])


def test_every_prov_constant_exists_in_prov_o() -> None:
    names = {iri.removeprefix(PROV_NAMESPACE) for name, iri in vars(PROV).items() if not name.startswith("_")}

    assert names <= {*PROV_O["classes"], *PROV_O["properties"]}


@pytest.mark.parametrize("document", MESSAGES.values(), ids=MESSAGES.keys())
def test_subject_and_object_of_a_prov_property_have_the_classes_that_prov_o_asks_for(document: bytes) -> None:
    found = triples_of(document)
    classes: dict[str, set[str]] = {}
    for subject, name, value in found:
        if name == RDF.TYPE and isinstance(value, str):
            short = value.removeprefix(PROV_NAMESPACE)
            classes.setdefault(subject, set()).update([short, *PROV_O["superclasses"].get(short, [])])

    for subject, name, value in found:
        domain, range_ = PROV_O["domains_and_ranges"].get(name.removeprefix(PROV_NAMESPACE), (None, None))
        if domain is not None:
            assert classes[subject] & set(domain), (subject, name)
        if range_ is not None and isinstance(value, str):
            assert classes.get(value, set(range_)) & set(range_), (name, value)


@pytest.mark.parametrize("document", MESSAGES.values(), ids=MESSAGES.keys())
def test_nothing_is_an_entity_and_an_activity(document: bytes) -> None:
    # PROV-CONSTRAINTS, constraint 55.
    found = triples_of(document)

    assert not {s for s, _, v in found if v == PROV.ENTITY} & {s for s, _, v in found if v == PROV.ACTIVITY}


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.92, "0.92"), (1, "1.0"), (1.0, "1.0"), (-0.0, "0.0"), (1e-7, "0.0000001"), (1e22, "1" + "0" * 22 + ".0")],
)
def test_number_is_written_without_exponent_and_with_a_point(number: float, text: str) -> None:
    assert decimal_text(number) == text


@given(random_messages.shares)
def test_number_comes_back_as_it_was(number: float) -> None:
    assert float(decimal_text(number)) == number
    assert to_graph([("urn:x", A2AP.CONFIDENCE, (decimal_text(number), XSD.DECIMAL))])


def test_document_is_named_by_its_hash_as_rfc_6920_says() -> None:
    # RFC 6920 §8.1: "Hello World!"
    digest = "sha256:7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069"

    assert document_iri(digest) == "ni:///sha-256;f4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk"


@pytest.mark.parametrize(
    ("agent", "version", "family"),
    [
        ("urn:agent:claude-4.5-sonnet-20241022", "20241022", "urn:agent:claude-4.5-sonnet"),
        ("urn:agent:gpt@5.1", "5.1", "urn:agent:gpt"),
        ("urn:agent:gpt-5", "", None),
        ("urn:agent:gpt-5", "6", None),
        ("urn:agent:5", "5", None),
        ("urn:agent:-5", "5", None),
        ("x:-5", "5", None),
    ],
)
def test_agent_whose_id_ends_in_its_version_is_of_a_family(agent: str, version: str, family: str | None) -> None:
    assert agent_family(agent, version) == family
