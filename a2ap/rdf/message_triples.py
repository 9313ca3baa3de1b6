"""The triples of the other messages, written straight from their values, as `a2ap.rdf.statement_triples` does."""

from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.endorsement import Endorsement
from a2ap.messages.policy import Policy
from a2ap.messages.record_registration import RecordRegistration
from a2ap.messages.source_registration import SourceRegistration
from a2ap.rdf.message_frames import add_texts, entity_triples
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.statement_triples import add_agent
from a2ap.rdf.triples import Triple, decimal_literal, document_iri
from a2ap.rdf.vocabulary import PROV, RDF, SCHEMA, SECURITY, XSD


def registration_triples(registration: AgentRegistration) -> list[Triple]:
    """Return the triples of an agent's registration."""
    envelope = registration.envelope
    subject, key = envelope.id, registration.key_id
    triples = entity_triples(envelope, "registeredAt")
    add_agent(triples, registration.agent)
    triples += [
        (subject, A2AP.KEY, key),
        (key, RDF.TYPE, A2AP.KEY_CLASS),
        (key, SECURITY.CONTROLLER, envelope.agent_id),
        # As it is written, did:key or base64: this text was signed.
        (key, A2AP.PUBLIC_KEY, (envelope.document["key"]["publicKey"], XSD.STRING)),
    ]
    if registration.alias is not None:
        triples.append((key, A2AP.KEY_ALIAS, (registration.alias, XSD.STRING)))
    if registration.recovery_key_hash is not None:
        triples.append((subject, A2AP.RECOVERY_KEY_HASH, (registration.recovery_key_hash, XSD.STRING)))
    if registration.log_key is not None:
        triples.append((subject, A2AP.LOG_KEY, (registration.log_key, XSD.STRING)))
    return triples


def source_triples(registration: SourceRegistration) -> list[Triple]:
    """Return the triples of a source's registration: the source, and the document that its bytes are."""
    envelope = registration.envelope
    subject, source = envelope.id, registration.source_id
    document = document_iri(registration.document_hash)
    triples = entity_triples(envelope, "registeredAt")
    triples += [
        (subject, A2AP.SOURCE, source),
        (subject, A2AP.REGISTERED_DOCUMENT, document),
        (subject, A2AP.BOUNDARY, (registration.boundary.value, XSD.STRING)),
        (source, RDF.TYPE, A2AP.SOURCE_CLASS),
        (source, RDF.TYPE, PROV.ENTITY),
        (document, RDF.TYPE, A2AP.DOCUMENT),
        (document, RDF.TYPE, PROV.ENTITY),
        (document, PROV.SPECIALIZATION_OF, source),
        (document, A2AP.DOCUMENT_HASH, (registration.document_hash, XSD.STRING)),
    ]
    if registration.title is not None:
        triples.append((document, SCHEMA.NAME, (registration.title, XSD.STRING)))
    if registration.publisher is not None:
        triples.append((document, SCHEMA.PUBLISHER, (registration.publisher, XSD.STRING)))
    if registration.origin is not None:
        triples.append((document, A2AP.ORIGIN, registration.origin))
    if registration.media_type is not None:
        triples.append((document, SCHEMA.ENCODING_FORMAT, (registration.media_type, XSD.STRING)))
    if registration.byte_length is not None:
        triples.append((document, A2AP.BYTE_LENGTH, (str(registration.byte_length), XSD.INTEGER)))
    if registration.licence is not None:
        triples.append((document, SCHEMA.LICENSE, (registration.licence, XSD.STRING)))
    if registration.rights_holder is not None:
        triples.append((document, SCHEMA.COPYRIGHT_HOLDER, (registration.rights_holder, XSD.STRING)))
    if registration.retain_until is not None:
        stated = envelope.document["source"]["retainUntil"]
        triples.append((document, A2AP.RETAIN_UNTIL, (stated, XSD.DATE_TIME)))
    if registration.possession_mac is not None:
        triples.append((document, A2AP.POSSESSION_MAC, (registration.possession_mac, XSD.STRING)))
    return triples


def record_triples(registration: RecordRegistration) -> list[Triple]:
    """Return the triples of a record's registration: the format of the bytes, and nothing of their content."""
    envelope = registration.envelope
    subject, document = envelope.id, document_iri(registration.document_hash)
    triples = entity_triples(envelope, "registeredAt")
    triples += [
        (subject, A2AP.RECORD_FORMAT, (registration.format.value, XSD.STRING)),
        (subject, A2AP.DOCUMENT_HASH, (registration.document_hash, XSD.STRING)),
        (subject, A2AP.BOUNDARY, (registration.boundary.value, XSD.STRING)),
        (subject, A2AP.REGISTERED_DOCUMENT, document),
        (document, RDF.TYPE, A2AP.DOCUMENT),
        (document, RDF.TYPE, PROV.ENTITY),
    ]
    if registration.possession_mac is not None:
        triples.append((subject, A2AP.POSSESSION_MAC, (registration.possession_mac, XSD.STRING)))
    return triples


def endorsement_triples(endorsement: Endorsement) -> list[Triple]:
    """Return the triples of an endorsement."""
    envelope = endorsement.envelope
    triples = entity_triples(envelope, "endorsedAt")
    triples += [
        (envelope.id, A2AP.ENDORSED_AGENT, endorsement.endorsed_agent),
        (envelope.id, A2AP.TARGET_HASH, (endorsement.target_hash, XSD.STRING)),
        (endorsement.endorsed_agent, RDF.TYPE, PROV.AGENT),
        (endorsement.endorsed_agent, PROV.ACTED_ON_BEHALF_OF, envelope.agent_id),
    ]
    return triples


def policy_triples(policy: Policy) -> list[Triple]:
    """Return the triples of a policy."""
    envelope = policy.envelope
    subject = envelope.id
    triples = entity_triples(envelope, "issuedAt")
    triples += [
        (subject, RDF.TYPE, PROV.PLAN),
        (subject, A2AP.THRESHOLD, decimal_literal(policy.threshold)),
        (subject, A2AP.QUORUM, (str(policy.quorum), XSD.INTEGER)),
        (subject, A2AP.CONSENSUS_METHOD, (policy.method.value, XSD.STRING)),
        (subject, A2AP.UNSEEDED_WEIGHT, decimal_literal(policy.unseeded_weight)),
    ]
    for seed in policy.seeds:
        triples += [(subject, A2AP.SEED, seed), (seed, RDF.TYPE, PROV.AGENT)]
    add_texts(triples, envelope, A2AP.CRITERIA, policy.criteria)
    later = (("version", A2AP.POLICY_VERSION, policy.version), ("epochLength", A2AP.EPOCH_LENGTH, policy.epoch_length))
    triples += [
        (subject, name, (str(value), XSD.INTEGER)) for member, name, value in later if member in envelope.document
    ]
    return triples
