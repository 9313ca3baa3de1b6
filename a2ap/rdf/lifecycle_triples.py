"""The triples of retractions and redactions: activities that end the validity of their targets."""

from a2ap.messages.envelope import MessageType
from a2ap.messages.redaction import Redaction
from a2ap.messages.retraction import Retraction
from a2ap.rdf.message_frames import activity_triples, add_list
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.triples import Triple, blank_label, document_iri
from a2ap.rdf.vocabulary import PROV, RDF, XSD


def retraction_triples(retraction: Retraction) -> list[Triple]:
    """Return the triples of a retraction; a retracted verdict is an activity, which PROV-O cannot invalidate."""
    subject, target = retraction.envelope.id, retraction.target_message
    triples = activity_triples(retraction.envelope, "retractedAt")
    triples += [
        (subject, A2AP.TARGET_MESSAGE, target),
        (subject, A2AP.TARGET_TYPE, (retraction.target_type.wire, XSD.STRING)),
        (subject, A2AP.TARGET_HASH, (retraction.target_hash, XSD.STRING)),
    ]
    if retraction.target_type is MessageType.VERIFICATION_RESPONSE:
        triples.append((target, RDF.TYPE, PROV.ACTIVITY))
    else:
        triples += [(target, RDF.TYPE, PROV.ENTITY), (target, PROV.WAS_INVALIDATED_BY, subject)]
    if retraction.reason is not None:
        triples.append((subject, A2AP.REASON, (retraction.reason, XSD.STRING)))
    return triples


def redaction_triples(redaction: Redaction) -> list[Triple]:
    """Return the triples of a redaction; the bytes, before and after, are entities named by their hash."""
    envelope = redaction.envelope
    subject = envelope.id
    triples = activity_triples(envelope, "redactedAt")
    triples.append((subject, A2AP.REASON, (redaction.reason, XSD.STRING)))
    if redaction.target_hash is not None:
        triples.append((subject, A2AP.TARGET_HASH, (redaction.target_hash, XSD.STRING)))
    triples += [(subject, A2AP.DISCLOSURE_DIGEST, (digest, XSD.STRING)) for digest in redaction.disclosure_digests]
    if redaction.document_hash is not None:
        document = document_iri(redaction.document_hash)
        triples += [
            (subject, A2AP.DOCUMENT_HASH, (redaction.document_hash, XSD.STRING)),
            (document, RDF.TYPE, A2AP.DOCUMENT),
            (document, RDF.TYPE, PROV.ENTITY),
            (document, PROV.WAS_INVALIDATED_BY, subject),
        ]
    if redaction.byte_ranges:
        _add_ranges(triples, redaction)
    if redaction.redacted_document_hash is not None:
        remaining = document_iri(redaction.redacted_document_hash)
        triples += [
            (subject, A2AP.REDACTED_DOCUMENT_HASH, (redaction.redacted_document_hash, XSD.STRING)),
            (remaining, RDF.TYPE, PROV.ENTITY),
            (remaining, PROV.WAS_GENERATED_BY, subject),
        ]
    if redaction.legal_basis is not None:
        triples.append((subject, A2AP.LEGAL_BASIS, (redaction.legal_basis, XSD.STRING)))
    return triples


def _add_ranges(triples: list[Triple], redaction: Redaction) -> None:
    label = blank_label(redaction.envelope.signed_hash)
    nodes = [f"{label}r{position}" for position in range(len(redaction.byte_ranges))]
    add_list(triples, redaction.envelope, A2AP.BYTE_RANGES, nodes)
    for node, byte_range in zip(nodes, redaction.byte_ranges, strict=True):
        triples += [
            (node, A2AP.BYTE_START, (str(byte_range.start), XSD.INTEGER)),
            (node, A2AP.BYTE_END, (str(byte_range.end), XSD.INTEGER)),
        ]
