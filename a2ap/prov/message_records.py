"""The PROV records of a message: its kind, its agent, and for some types the records of its content."""

from collections.abc import Callable
from typing import Any

from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.agent_version import AgentVersion
from a2ap.messages.challenge_answer import ChallengeAnswer
from a2ap.messages.endorsement import Endorsement
from a2ap.messages.envelope import Envelope
from a2ap.messages.gold_dispute import GoldDispute
from a2ap.messages.gold_label import GoldLabel
from a2ap.messages.message import Message, MessageType
from a2ap.messages.record_registration import RecordRegistration
from a2ap.messages.redaction import Redaction
from a2ap.messages.retraction import Retraction
from a2ap.messages.source_registration import SourceRegistration
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_decline import VerificationDecline
from a2ap.messages.verification_request import VerificationRequest
from a2ap.messages.verification_response import VerificationResponse
from a2ap.prov.names import bundle_name, deed_name, document_name, hashed_name, message_name, own_name
from a2ap.prov.record import PROV_TYPE, Attributes, Bundle, Kind, Record, bundle_of
from a2ap.prov.statement_records import agent_records, source_records, statement_records
from a2ap.prov.verdict_records import answer_records, decline_attributes, request_attributes, response_records
from a2ap.rdf.message_classes import ACTIVITIES
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.vocabulary import A2AP_NAMESPACE, SCHEMA, XSD
from a2ap.times import format_instant


def message_bundle(message: Message) -> Bundle:
    """Return the records of a message, under a name made from its signed hash.

    Times are instants in UTC: a time that is stated twice in two spellings would be two times.
    """
    envelope = message.envelope
    records = _frame(envelope, _attributes(message))
    writer = _WRITERS.get(type(message))
    if writer is not None:
        records += writer(message)
    return bundle_of(bundle_name(envelope.signed_hash), records)


def _frame(envelope: Envelope, said: Attributes) -> list[Record]:
    agent, time = own_name(envelope.agent_id, "agent"), format_instant(envelope.time)
    attributes: Attributes = (
        (PROV_TYPE, A2AP_NAMESPACE + envelope.type.value),
        (A2AP.NAME, (envelope.id, XSD.STRING)),
        *said,
    )
    records = agent_records(envelope.agent_id)
    if envelope.type in ACTIVITIES:
        name = deed_name(envelope.signed_hash)
        return [
            Record(Kind.ACTIVITY, (name, None, time), attributes),
            *records,
            Record(Kind.ASSOCIATION, (name, agent, None)),
        ]
    name = message_name(envelope.signed_hash)
    return [
        Record(Kind.ENTITY, (name,), attributes),
        *records,
        Record(Kind.ATTRIBUTION, (name, agent)),
        # Who made a statement made it in an activity; it has the time.
        *([] if envelope.type is MessageType.STATEMENT else [Record(Kind.GENERATION, (name, None, time))]),
    ]


def _attributes(message: Message) -> Attributes:
    """Return the attributes that a message states of itself, as words and numbers."""
    if isinstance(message, VerificationRequest):
        return request_attributes(message)
    if isinstance(message, VerificationDecline):
        return decline_attributes(message)
    if isinstance(message, GoldLabel):
        return (
            (A2AP.TARGET_STATEMENT, message_name(message.target_hash)),
            (A2AP.CRITERION, (message.criterion, XSD.STRING)),
            (A2AP.LABEL, (message.label.value, XSD.STRING)),
            *_reason(message.reason),
        )
    if isinstance(message, GoldDispute):
        return ((A2AP.TARGET_LABEL, message_name(message.target_hash)), *_reason(message.reason))
    if isinstance(message, Retraction):
        deed = message.target_type in ACTIVITIES
        target = deed_name(message.target_hash) if deed else message_name(message.target_hash)
        return ((A2AP.TARGET_MESSAGE, target), *_reason(message.reason))
    return _reason(message.reason) if isinstance(message, Redaction) else ()


def _reason(reason: str | None) -> Attributes:
    return ((A2AP.REASON, (reason, XSD.STRING)),) if reason else ()


def _registration(registration: AgentRegistration) -> list[Record]:
    return agent_records(registration.envelope.agent_id, registration.agent)


def _version(version: AgentVersion) -> list[Record]:
    family = hashed_name(version.family, "family")
    return [
        *agent_records(version.agent),
        Record(Kind.ENTITY, (family,), ((A2AP.NAME, (version.family, XSD.STRING)),)),
        Record(Kind.SPECIALIZATION, (own_name(version.agent, "agent"), family)),
    ]


def _endorsement(endorsement: Endorsement) -> list[Record]:
    endorsed, endorsing = endorsement.endorsed_agent, endorsement.envelope.agent_id
    return [
        *agent_records(endorsed),
        Record(Kind.DELEGATION, (own_name(endorsed, "agent"), own_name(endorsing, "agent"))),
    ]


def _source(registration: SourceRegistration) -> list[Record]:
    stated = (
        (SCHEMA.NAME, registration.title),
        (SCHEMA.PUBLISHER, registration.publisher),
        (SCHEMA.ENCODING_FORMAT, registration.media_type),
    )
    attributes = tuple((name, (text, XSD.STRING)) for name, text in stated if text is not None)
    return source_records(registration.source_id, registration.document_hash, attributes)


def _record(registration: RecordRegistration) -> list[Record]:
    attributes = ((A2AP.RECORD_FORMAT, (registration.format.value, XSD.STRING)),)
    return [Record(Kind.ENTITY, (document_name(registration.document_hash),), attributes)]


def _retraction(retraction: Retraction) -> list[Record]:
    if retraction.target_type in ACTIVITIES:  # PROV-DM §5.1.8: only an entity is invalidated.
        return [Record(Kind.ACTIVITY, (deed_name(retraction.target_hash), None, None))]
    target, deed = message_name(retraction.target_hash), deed_name(retraction.envelope.signed_hash)
    return [
        Record(Kind.ENTITY, (target,)),
        Record(Kind.INVALIDATION, (target, deed, format_instant(retraction.envelope.time))),
    ]


def _redaction(redaction: Redaction) -> list[Record]:
    name = deed_name(redaction.envelope.signed_hash)
    records: list[Record] = []
    if redaction.document_hash is not None:
        document = document_name(redaction.document_hash)
        records += [Record(Kind.ENTITY, (document,)), Record(Kind.INVALIDATION, (document, name, None))]
    if redaction.redacted_document_hash is not None:
        remaining = document_name(redaction.redacted_document_hash)
        records += [Record(Kind.ENTITY, (remaining,)), Record(Kind.GENERATION, (remaining, name, None))]
    return records


_WRITERS: dict[type[Any], Callable[[Any], list[Record]]] = {
    AgentRegistration: _registration,
    AgentVersion: _version,
    Endorsement: _endorsement,
    SourceRegistration: _source,
    RecordRegistration: _record,
    Retraction: _retraction,
    Redaction: _redaction,
    ProvenanceStatement: statement_records,
    ChallengeAnswer: answer_records,
    VerificationResponse: response_records,
}
