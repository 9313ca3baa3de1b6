"""The PROV records of the checking of a statement: verdicts and findings, requests, declines, answers."""

from a2ap.messages.challenge_answer import ChallengeAnswer
from a2ap.messages.finding import Finding
from a2ap.messages.generated_by import activity_iri
from a2ap.messages.verification_decline import VerificationDecline
from a2ap.messages.verification_request import VerificationRequest
from a2ap.messages.verification_response import VerificationResponse
from a2ap.prov.names import deed_name, finding_name, hashed_name, message_name
from a2ap.prov.record import PROV_TYPE, Attributes, Kind, Record
from a2ap.prov.statement_records import chunk_of, chunk_records, references
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.triples import decimal_literal
from a2ap.rdf.vocabulary import SCHEMA, XSD


def response_records(response: VerificationResponse) -> list[Record]:
    """Return the records of a verdict, but for its agent: the entities that it used, and the findings it generated."""
    signed_hash = response.envelope.signed_hash
    name = deed_name(signed_hash)
    target = _target(response.target_statement, response.target_hash)
    records = [
        Record(Kind.ACTIVITY, (name, None, None), _said(response)),
        _named(target, response.target_statement),
        Record(Kind.USAGE, (name, target, None)),
    ]
    for position, finding in enumerate(response.findings):
        found = finding_name(signed_hash, position)
        records += [
            Record(Kind.ENTITY, (found,), _found(finding)),
            Record(Kind.GENERATION, (found, name, None)),
        ]
    for pointer in response.evidence:
        records += [*chunk_records(pointer), Record(Kind.USAGE, (name, chunk_of(pointer), None))]
    for record_hash in response.generated_by:
        activity = activity_iri(record_hash)
        records += [Record(Kind.ACTIVITY, (activity, None, None)), Record(Kind.COMMUNICATION, (name, activity))]
    return records


def answer_records(answer: ChallengeAnswer) -> list[Record]:
    """Return the records of an answer to a challenge, but for its agent."""
    name = message_name(answer.envelope.signed_hash)
    said: Attributes = ((A2AP.TARGET_VERIFICATION, deed_name(answer.target_hash)),)
    if answer.text:
        said += ((SCHEMA.TEXT, (answer.text, XSD.STRING)),)
    records = [Record(Kind.ENTITY, (name,), said)]
    for pointer in answer.evidence:
        records += [*chunk_records(pointer), Record(Kind.DERIVATION, (name, chunk_of(pointer)))]
    return records


def request_attributes(request: VerificationRequest) -> Attributes:
    """Return the attributes of a request: its statement and its criteria."""
    criteria = tuple((A2AP.CRITERION, (criterion, XSD.STRING)) for criterion in request.criteria)
    return ((A2AP.TARGET_STATEMENT, _target(request.target_statement, request.target_hash)), *criteria)


def decline_attributes(decline: VerificationDecline) -> Attributes:
    """Return the attributes of a decline: its request and its reason."""
    reason = ((A2AP.REASON, (decline.reason, XSD.STRING)),) if decline.reason else ()
    return ((A2AP.ANSWERED_REQUEST, message_name(decline.request_hash)), *reason)


def _said(response: VerificationResponse) -> Attributes:
    said: Attributes = (
        (A2AP.VERDICT, (response.verdict.value, XSD.STRING)),
        (A2AP.CONFIDENCE, decimal_literal(response.confidence)),
    )
    if response.reason:
        said += ((A2AP.REASON, (response.reason, XSD.STRING)),)
    if response.request is not None:
        said += ((A2AP.ANSWERED_REQUEST, message_name(response.request.target_hash)),)
    if response.supersedes is not None:
        said += ((A2AP.SUPERSEDES, deed_name(response.supersedes.target_hash)),)
    if response.counter_statement is not None:
        said += references(A2AP.COUNTER_STATEMENT, (response.counter_statement,))
    return said + references(A2AP.CROSS_REFERENCE, response.cross_references)


def _found(finding: Finding) -> Attributes:
    evidence = ((A2AP.FINDING_EVIDENCE, (finding.evidence, XSD.STRING)),) if finding.evidence else ()
    return (
        (PROV_TYPE, A2AP.FINDING),
        (A2AP.CRITERION, (finding.criterion, XSD.STRING)),
        (A2AP.STATUS, (finding.status.value, XSD.STRING)),
        (A2AP.CONFIDENCE, decimal_literal(finding.confidence)),
        *evidence,
    )


def _target(statement_id: str, target_hash: str | None) -> str:
    """Return the name of the target statement; without its hash the target is not determined (A2AP §2.3)."""
    return message_name(target_hash) if target_hash is not None else hashed_name(statement_id, "statement")


def _named(target: str, statement_id: str) -> Record:
    return Record(Kind.ENTITY, (target,), ((A2AP.NAME, (statement_id, XSD.STRING)),))
