"""The triples of messages about the checking of a statement: requests, responses, declines, and answers to challenges.

They are written straight from the values, as `a2ap.rdf.statement_triples` does.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from a2ap.messages.challenge_answer import ChallengeAnswer
from a2ap.messages.envelope import Envelope
from a2ap.messages.evidence import EvidenceSegment
from a2ap.messages.reference import Reference
from a2ap.messages.verification_decline import VerificationDecline
from a2ap.messages.verification_request import VerificationRequest
from a2ap.messages.verification_response import VerificationResponse
from a2ap.rdf.message_frames import activity_triples, add_list, add_texts, entity_triples
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.qualified_triples import Qualified, add_activities, add_references
from a2ap.rdf.statement_triples import add_segment, add_signature
from a2ap.rdf.triples import Triple, blank_label, decimal_literal
from a2ap.rdf.vocabulary import PROV, RDF, SCHEMA, XSD

_SUPERSEDES = Qualified("u", A2AP.SUPERSEDES, A2AP.QUALIFIED_SUPERSESSION, A2AP.SUPERSESSION)
_COUNTERS = Qualified("k", A2AP.COUNTER_STATEMENT, A2AP.QUALIFIED_COUNTER_STATEMENT, A2AP.CONTRADICTION)
_LOOKED_AT = Qualified("x", A2AP.CROSS_REFERENCE, A2AP.QUALIFIED_CROSS_REFERENCE, A2AP.REFERENCE)
_INFORMED_BY = Qualified("a", PROV.WAS_INFORMED_BY, PROV.QUALIFIED_COMMUNICATION, PROV.COMMUNICATION)


def request_triples(request: VerificationRequest) -> list[Triple]:
    """Return the triples of a verification request."""
    triples = entity_triples(request.envelope, "requestedAt")
    _add_target(triples, request.envelope.id, request.target_statement, request.target_hash)
    add_texts(triples, request.envelope, A2AP.CRITERIA, request.criteria)
    subject, document = request.envelope.id, request.envelope.document
    if request.deadline is not None:
        triples.append((subject, A2AP.DEADLINE, (document["deadline"], XSD.DATE_TIME)))
    if request.wanted_verdicts is not None:
        triples.append((subject, A2AP.WANTED_VERDICTS, (str(request.wanted_verdicts), XSD.INTEGER)))
    for agent in request.eligible_verifiers or ():
        triples += [(subject, A2AP.ELIGIBLE_VERIFIER, agent), (agent, RDF.TYPE, PROV.AGENT)]
    return triples


def response_triples(response: VerificationResponse) -> list[Triple]:
    """Return the triples of a verification response: an activity, and its findings in their order."""
    envelope = response.envelope
    subject, agent = envelope.id, envelope.agent_id
    triples: list[Triple] = [
        (subject, RDF.TYPE, A2AP.VERIFICATION_RESPONSE),
        (subject, RDF.TYPE, PROV.ACTIVITY),
        (subject, PROV.ENDED_AT_TIME, (envelope.document["respondedAt"], XSD.DATE_TIME)),
        (subject, PROV.WAS_ASSOCIATED_WITH, agent),
        (agent, RDF.TYPE, PROV.AGENT),
        (subject, PROV.USED, response.target_statement),
        (subject, A2AP.VERDICT, (response.verdict.value, XSD.STRING)),
        (subject, A2AP.CONFIDENCE, decimal_literal(response.confidence)),
    ]
    _add_target(triples, subject, response.target_statement, response.target_hash)
    label = blank_label(envelope.signed_hash)
    add_signature(triples, subject, envelope.signature, label)
    if "reason" in envelope.document:
        reason = envelope.document["reason"]
        _add_redactable(triples, subject, (A2AP.REASON, A2AP.REASON_DIGEST), reason, response.reason)
    nodes = [f"{label}f{position}" for position in range(len(response.findings))]
    add_list(triples, envelope, A2AP.FINDINGS, nodes)
    stated = envelope.document["findings"]
    for node, finding, member in zip(nodes, response.findings, stated, strict=True):
        triples += [
            (node, RDF.TYPE, A2AP.FINDING),
            (node, RDF.TYPE, PROV.ENTITY),
            (node, PROV.WAS_GENERATED_BY, subject),
            (node, A2AP.CRITERION, (finding.criterion, XSD.STRING)),
            (node, A2AP.STATUS, (finding.status.value, XSD.STRING)),
            (node, A2AP.CONFIDENCE, decimal_literal(finding.confidence)),
        ]
        evidence = member["evidence"]
        disclosed = type(evidence) is str or evidence["digest"] in envelope.document.get("disclosures", {})
        properties = (A2AP.FINDING_EVIDENCE, A2AP.FINDING_EVIDENCE_DIGEST)
        _add_redactable(triples, node, properties, evidence, finding.evidence if disclosed else None)
    _add_request(triples, subject, response.request)
    _add_references(triples, response, label)
    for node, pointer in _add_pointers(triples, envelope, response.evidence):
        triples += [
            (node, RDF.TYPE, PROV.USAGE),
            (subject, PROV.QUALIFIED_USAGE, node),
            (subject, PROV.USED, pointer.chunk_id),
        ]
    return triples


def decline_triples(decline: VerificationDecline) -> list[Triple]:
    """Return the triples of a decline."""
    envelope = decline.envelope
    triples = activity_triples(envelope, "declinedAt")
    _add_target(triples, envelope.id, decline.target_statement, decline.target_hash)
    _add_request(triples, envelope.id, Reference(decline.request, decline.request_hash))
    triples.append((envelope.id, A2AP.REASON, (decline.reason, XSD.STRING)))
    return triples


def answer_triples(answer: ChallengeAnswer) -> list[Triple]:
    """Return the triples of an answer to a challenge, which is an entity derived from the chunks that it points at."""
    envelope = answer.envelope
    subject = envelope.id
    triples = entity_triples(envelope, "answeredAt")
    triples += [
        (subject, A2AP.TARGET_VERIFICATION, answer.target_verification),
        (answer.target_verification, RDF.TYPE, PROV.ACTIVITY),
        (subject, A2AP.TARGET_HASH, (answer.target_hash, XSD.STRING)),
        (subject, SCHEMA.TEXT, (answer.text, XSD.STRING)),
    ]
    for node, pointer in _add_pointers(triples, envelope, answer.evidence):
        triples += [
            (node, RDF.TYPE, PROV.DERIVATION),
            (subject, PROV.QUALIFIED_DERIVATION, node),
            (subject, PROV.WAS_DERIVED_FROM, pointer.chunk_id),
        ]
    return triples


def _add_request(triples: list[Triple], subject: str, request: Reference | None) -> None:
    if request is not None:
        triples += [
            (subject, A2AP.ANSWERED_REQUEST, request.id),
            (request.id, RDF.TYPE, PROV.ENTITY),
            (subject, A2AP.REQUEST_HASH, (request.target_hash, XSD.STRING)),
        ]


def _add_references(triples: list[Triple], response: VerificationResponse, label: str) -> None:
    superseded = (response.supersedes,) if response.supersedes else ()
    counter = (response.counter_statement,) if response.counter_statement else ()
    subject = response.envelope.id
    add_references(triples, subject, label, _SUPERSEDES, superseded, to_verdicts=True)
    add_references(triples, subject, label, _COUNTERS, counter)
    add_references(triples, subject, label, _LOOKED_AT, response.cross_references)
    add_activities(triples, subject, label, _INFORMED_BY, response.generated_by)


def _add_pointers(
    triples: list[Triple], envelope: Envelope, pointers: Sequence[EvidenceSegment]
) -> Iterator[tuple[str, EvidenceSegment]]:
    """Add the passages that a message points at, and yield each with its node."""
    if "evidence" not in envelope.document:
        return
    label = blank_label(envelope.signed_hash)
    nodes = [f"{label}e{position}" for position in range(len(pointers))]
    add_list(triples, envelope, A2AP.EVIDENCE, nodes, cell="p")
    for position, pointer in enumerate(pointers):
        add_segment(triples, label, position, pointer)
        yield nodes[position], pointer


def _add_target(triples: list[Triple], subject: str, statement: str, target_hash: str | None) -> None:
    triples += [(subject, A2AP.TARGET_STATEMENT, statement), (statement, RDF.TYPE, PROV.ENTITY)]
    if target_hash is not None:
        triples.append((subject, A2AP.TARGET_HASH, (target_hash, XSD.STRING)))


def _add_redactable(
    triples: list[Triple], subject: str, properties: tuple[str, str], stated: Any, text: str | None
) -> None:
    text_property, digest_property = properties
    if text is not None:
        triples.append((subject, text_property, (text, XSD.STRING)))
    if type(stated) is dict:
        triples.append((subject, digest_property, (stated["digest"], XSD.STRING)))
