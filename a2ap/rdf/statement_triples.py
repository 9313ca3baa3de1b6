"""The triples of a provenance statement, written straight from its value, equal to its expansion and without pyld.

They are written by the thousand, so the steps are spelt out; a test holds them equal to expansion and entailment
(`a2ap.rdf.expansion`) on random statements.
"""

from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.evidence import EvidenceSegment
from a2ap.messages.statement import ProvenanceStatement, Reference
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.qualified_triples import Qualified, add_activities, add_references
from a2ap.rdf.triples import Triple, agent_family, blank_label, decimal_literal, document_iri
from a2ap.rdf.vocabulary import PROV, RDF, SCHEMA, SECURITY, XSD
from a2ap.signing.signature import Signature

_SUPPORTS = Qualified("p", A2AP.SUPPORTS, A2AP.QUALIFIED_SUPPORT, A2AP.SUPPORT)
_CONTRADICTS = Qualified("n", A2AP.CONTRADICTS, A2AP.QUALIFIED_CONTRADICTION, A2AP.CONTRADICTION)
_GENERATED_BY = Qualified("a", PROV.WAS_GENERATED_BY, PROV.QUALIFIED_GENERATION, PROV.GENERATION)


def statement_triples(statement: ProvenanceStatement) -> list[Triple]:
    """Return the triples of a statement; a triple that two segments share may be there twice."""
    envelope = statement.envelope
    subject = envelope.id
    label = blank_label(envelope.signed_hash)
    generation, claim_node = label + "g", label + "c"
    claim = statement.claim
    agent = statement.agent.agent_id
    triples: list[Triple] = [
        (subject, RDF.TYPE, A2AP.PROVENANCE_STATEMENT),
        (subject, RDF.TYPE, PROV.ENTITY),
        (subject, PROV.GENERATED_AT_TIME, (envelope.document["generatedAtTime"], XSD.DATE_TIME)),
        (subject, PROV.WAS_ATTRIBUTED_TO, agent),
        (subject, PROV.WAS_GENERATED_BY, generation),
        (generation, RDF.TYPE, PROV.ACTIVITY),
        (generation, PROV.WAS_ASSOCIATED_WITH, agent),
        (subject, A2AP.CLAIM, claim_node),
        (claim_node, RDF.TYPE, A2AP.CLAIM_CLASS),
        (claim_node, SCHEMA.TEXT, (claim.text, XSD.STRING)),
        (claim_node, A2AP.CONFIDENCE, decimal_literal(claim.confidence)),
        (claim_node, A2AP.CONTENT_HASH, (claim.content_hash, XSD.STRING)),
    ]
    if claim.generation_method is not None:
        triples.append((claim_node, A2AP.GENERATION_METHOD, (claim.generation_method, XSD.STRING)))
    add_agent(triples, statement.agent)
    _add_evidence(triples, subject, statement.evidence, label, generation)
    _add_references(triples, statement, label)
    add_signature(triples, subject, envelope.signature, label)
    return triples


def add_agent(triples: list[Triple], agent: AgentDescription) -> None:
    """Add the triples of an agent's description, as in statements and registrations."""
    subject = agent.agent_id
    triples += [
        (subject, RDF.TYPE, PROV.AGENT),
        (subject, RDF.TYPE, PROV.PERSON if agent.person else PROV.SOFTWARE_AGENT),
        (subject, SCHEMA.NAME, (agent.name, XSD.STRING)),
        (subject, SCHEMA.VERSION, (agent.version, XSD.STRING)),
        (subject, SCHEMA.PUBLISHER, (agent.publisher, XSD.STRING)),
    ]
    triples += [(subject, A2AP.CAPABILITY, (capability, XSD.STRING)) for capability in agent.capabilities]
    for family in (agent.family, agent_family(subject, agent.version)):
        if family is not None:
            triples.append((subject, PROV.SPECIALIZATION_OF, family))


def add_signature(triples: list[Triple], subject: str, signature: Signature | None, label: str) -> None:
    """Add the signature of a message, if it has one."""
    if signature is not None:
        node = label + "s"
        triples += [
            (subject, A2AP.SIGNATURE, node),
            (node, RDF.TYPE, A2AP.CRYPTOGRAPHIC_SIGNATURE),
            (node, A2AP.ALGORITHM, (signature.algorithm, XSD.STRING)),
            (node, SECURITY.VERIFICATION_METHOD, signature.public_key),
            (node, A2AP.SIGNATURE_VALUE, (signature.text, XSD.STRING)),
        ]


def add_segment(triples: list[Triple], label: str, position: int, segment: EvidenceSegment) -> None:
    """Add a passage that a message points at, without its relation to the message and without its quote."""
    node, byte_range, chunk = f"{label}e{position}", f"{label}b{position}", segment.chunk_id
    document = _add_document(triples, node, segment)
    triples += [
        (chunk, RDF.TYPE, A2AP.CHUNK),
        (chunk, RDF.TYPE, PROV.ENTITY),
        (chunk, PROV.WAS_QUOTED_FROM, document),
        (node, RDF.TYPE, A2AP.EVIDENCE_SEGMENT),
        (node, PROV.HAS_ENTITY, chunk),
        (node, A2AP.BYTE_RANGE, byte_range),
        (byte_range, A2AP.BYTE_START, (str(segment.byte_range.start), XSD.INTEGER)),
        (byte_range, A2AP.BYTE_END, (str(segment.byte_range.end), XSD.INTEGER)),
    ]
    if segment.content_hash is not None:
        triples.append((node, A2AP.CONTENT_HASH, (segment.content_hash, XSD.STRING)))
    cue = segment.timestamp
    if cue is not None:
        timestamp = f"{label}t{position}"
        triples += [
            (node, A2AP.TIMESTAMP, timestamp),
            (timestamp, A2AP.TIMESTAMP_START, (cue.start, XSD.STRING)),
            (timestamp, A2AP.TIMESTAMP_END, (cue.end, XSD.STRING)),
            (timestamp, A2AP.START_MILLISECONDS, (str(cue.start_ms), XSD.INTEGER)),
            (timestamp, A2AP.END_MILLISECONDS, (str(cue.end_ms), XSD.INTEGER)),
        ]
    if segment.relevance_score is not None:
        triples.append((node, A2AP.RELEVANCE_SCORE, decimal_literal(segment.relevance_score)))
    if segment.page is not None:
        triples.append((node, A2AP.PAGE, (str(segment.page), XSD.INTEGER)))


def _add_evidence(
    triples: list[Triple], subject: str, evidence: tuple[EvidenceSegment, ...], label: str, generation: str
) -> None:
    last = len(evidence) - 1
    triples.append((subject, A2AP.EVIDENCE, f"{label}l0"))
    for position, segment in enumerate(evidence):
        node, cell = f"{label}e{position}", f"{label}l{position}"
        triples.append((cell, RDF.FIRST, node))
        triples.append((cell, RDF.REST, RDF.NIL if position == last else f"{label}l{position + 1}"))
        add_segment(triples, label, position, segment)
        triples += [(generation, PROV.USED, segment.chunk_id), (subject, PROV.WAS_DERIVED_FROM, segment.chunk_id)]
        _add_quote(triples, subject, node, segment)


def _add_document(triples: list[Triple], node: str, segment: EvidenceSegment) -> str:
    source = segment.source_document
    triples += [
        (node, A2AP.SOURCE_DOCUMENT, source),
        (source, RDF.TYPE, A2AP.SOURCE_CLASS),
        (source, RDF.TYPE, PROV.ENTITY),
    ]
    if segment.document_hash is None:
        return source
    document = document_iri(segment.document_hash)
    triples += [
        (node, A2AP.DOCUMENT_HASH, (segment.document_hash, XSD.STRING)),
        (document, RDF.TYPE, A2AP.DOCUMENT),
        (document, RDF.TYPE, PROV.ENTITY),
        (document, PROV.SPECIALIZATION_OF, source),
    ]
    return document


def _add_quote(triples: list[Triple], subject: str, node: str, segment: EvidenceSegment) -> None:
    quote = segment.quote
    if quote is None:
        triples += [(node, RDF.TYPE, PROV.DERIVATION), (subject, PROV.QUALIFIED_DERIVATION, node)]
        return
    triples += [
        (node, RDF.TYPE, PROV.QUOTATION),
        (subject, PROV.QUALIFIED_QUOTATION, node),
        (subject, PROV.WAS_QUOTED_FROM, segment.chunk_id),
    ]
    if quote.text is not None:
        triples.append((node, A2AP.QUOTE_TEXT, (quote.text, XSD.STRING)))
    if quote.digest is not None:
        triples.append((node, A2AP.QUOTE_TEXT_DIGEST, (quote.digest, XSD.STRING)))


def _add_references(triples: list[Triple], statement: ProvenanceStatement, label: str) -> None:
    subject = statement.envelope.id
    add_references(triples, subject, label, _SUPPORTS, statement.supports)
    add_references(triples, subject, label, _CONTRADICTS, statement.contradicts)
    if statement.was_revision_of is not None:
        _add_revision(triples, subject, statement.was_revision_of, label + "r")
    add_activities(triples, subject, label, _GENERATED_BY, statement.generated_by)


def _add_revision(triples: list[Triple], subject: str, revised: Reference, node: str) -> None:
    triples += [
        (subject, PROV.WAS_REVISION_OF, revised.id),
        (subject, PROV.WAS_DERIVED_FROM, revised.id),
        (subject, PROV.QUALIFIED_REVISION, node),
        (node, RDF.TYPE, PROV.REVISION),
        (node, PROV.HAS_ENTITY, revised.id),
        (node, A2AP.TARGET_HASH, (revised.target_hash, XSD.STRING)),
    ]
