"""The PROV records of a statement: its generation, the passages that it rests on, and their sources."""

from collections.abc import Sequence

from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.evidence import EvidenceSegment
from a2ap.messages.generated_by import activity_iri
from a2ap.messages.reference import Reference
from a2ap.messages.statement import ProvenanceStatement
from a2ap.prov.names import chunk_name, document_name, generation_name, hashed_name, message_name, own_name
from a2ap.prov.record import PROV_TYPE, Attributes, Kind, Record
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.triples import agent_family, decimal_literal
from a2ap.rdf.vocabulary import PROV, SCHEMA, XSD
from a2ap.times import format_instant


def statement_records(statement: ProvenanceStatement) -> list[Record]:
    """Return the records of a statement, but for its attribution."""
    envelope = statement.envelope
    name, making = message_name(envelope.signed_hash), generation_name(envelope.signed_hash)
    agent = own_name(envelope.agent_id, "agent")
    records = [
        Record(Kind.ENTITY, (name,), _said(statement)),
        *agent_records(envelope.agent_id, statement.agent),
        Record(Kind.ACTIVITY, (making, None, None)),
        Record(Kind.ASSOCIATION, (making, agent, None)),
        Record(Kind.GENERATION, (name, making, format_instant(envelope.time))),
    ]
    for record_hash in statement.generated_by:
        activity = activity_iri(record_hash)
        records += [Record(Kind.ACTIVITY, (activity, None, None)), Record(Kind.GENERATION, (name, activity, None))]
    for segment in statement.evidence:
        chunk = chunk_of(segment)
        records += [
            *chunk_records(segment),
            Record(Kind.USAGE, (making, chunk, None)),
            Record(Kind.DERIVATION, (name, chunk), _quoted(segment)),
        ]
    if statement.was_revision_of is not None:
        revised = message_name(statement.was_revision_of.target_hash)
        records += [
            Record(Kind.ENTITY, (revised,)),
            Record(Kind.DERIVATION, (name, revised), ((PROV_TYPE, PROV.REVISION),)),
        ]
    return records


def agent_records(agent_id: str, described: AgentDescription | None = None) -> list[Record]:
    """Return the record of an agent, with its description and its families if a description is given."""
    name = own_name(agent_id, "agent")
    stated: list[tuple[str, str]] = [(A2AP.NAME, agent_id)] if name != agent_id else []
    if described is None:
        return [Record(Kind.AGENT, (name,), tuple((iri, (text, XSD.STRING)) for iri, text in stated))]
    stated += [
        (SCHEMA.NAME, described.name),
        (SCHEMA.VERSION, described.version),
        (SCHEMA.PUBLISHER, described.publisher),
        *((A2AP.CAPABILITY, capability) for capability in described.capabilities),
    ]
    attributes: Attributes = tuple((iri, (text, XSD.STRING)) for iri, text in stated)
    stated_type = PROV.PERSON if described.person else PROV.SOFTWARE_AGENT
    records = [Record(Kind.AGENT, (name,), ((PROV_TYPE, stated_type), *attributes))]
    for family in dict.fromkeys((described.family, agent_family(agent_id, described.version))):
        if family is not None:
            general = hashed_name(family, "family")
            records += [
                Record(Kind.ENTITY, (general,), ((A2AP.NAME, (family, XSD.STRING)),)),
                Record(Kind.SPECIALIZATION, (name, general)),
            ]
    return records


def source_records(source_id: str, document_hash: str | None, stated: Attributes = ()) -> list[Record]:
    """Return the records of a source and of the bytes that stand for it, with their stated attributes."""
    source = own_name(source_id, "source")
    named: Attributes = ((A2AP.NAME, (source_id, XSD.STRING)),) if source != source_id else ()
    records = [Record(Kind.ENTITY, (source,), ((PROV_TYPE, A2AP.SOURCE_CLASS), *named))]
    if document_hash is not None:
        document = document_name(document_hash)
        attributes: Attributes = (
            (PROV_TYPE, A2AP.DOCUMENT),
            (A2AP.DOCUMENT_HASH, (document_hash, XSD.STRING)),
            *stated,
        )
        records += [
            Record(Kind.ENTITY, (document,), attributes),
            Record(Kind.SPECIALIZATION, (document, source)),
        ]
    return records


def chunk_of(segment: EvidenceSegment) -> str:
    """Return the name of the passage that a segment points at."""
    byte_range = segment.byte_range
    return chunk_name(segment.document_hash or segment.source_document, byte_range.start, byte_range.end)


def chunk_records(segment: EvidenceSegment) -> list[Record]:
    """Return the records of a passage, and of its document or source."""
    document = segment.document_hash
    whole = document_name(document) if document is not None else own_name(segment.source_document, "source")
    attributes = (
        (PROV_TYPE, A2AP.CHUNK),
        (A2AP.NAME, (segment.chunk_id, XSD.STRING)),
        (A2AP.BYTE_START, (str(segment.byte_range.start), XSD.INTEGER)),
        (A2AP.BYTE_END, (str(segment.byte_range.end), XSD.INTEGER)),
    )
    return [
        *source_records(segment.source_document, document),
        Record(Kind.ENTITY, (chunk_of(segment),), attributes),
        Record(Kind.DERIVATION, (chunk_of(segment), whole), ((PROV_TYPE, PROV.QUOTATION),)),
    ]


def references(predicate: str, targets: Sequence[Reference]) -> Attributes:
    """Return other statements as attributes: PROV has no term for the relation between two claims."""
    return tuple((predicate, message_name(target.target_hash)) for target in targets)


def _said(statement: ProvenanceStatement) -> Attributes:
    claim = statement.claim
    method = claim.generation_method
    return (
        (SCHEMA.TEXT, (claim.text, XSD.STRING)),
        (A2AP.CONFIDENCE, decimal_literal(claim.confidence)),
        *(() if method is None else ((A2AP.GENERATION_METHOD, (method, XSD.STRING)),)),
        (A2AP.CONTENT_HASH, (claim.content_hash, XSD.STRING)),
        *references(A2AP.SUPPORTS, statement.supports),
        *references(A2AP.CONTRADICTS, statement.contradicts),
    )


def _quoted(segment: EvidenceSegment) -> Attributes:
    quote, score = segment.quote, segment.relevance_score
    attributes: Attributes = () if score is None else ((A2AP.RELEVANCE_SCORE, decimal_literal(score)),)
    if segment.page is not None:
        attributes += ((A2AP.PAGE, (str(segment.page), XSD.INTEGER)),)
    if quote is None:
        return attributes
    attributes = ((PROV_TYPE, PROV.QUOTATION), *attributes)
    if quote.text is not None:
        attributes += ((A2AP.QUOTE_TEXT, (quote.text, XSD.STRING)),)
    if quote.digest is not None:
        attributes += ((A2AP.QUOTE_TEXT_DIGEST, (quote.digest, XSD.STRING)),)
    return attributes
