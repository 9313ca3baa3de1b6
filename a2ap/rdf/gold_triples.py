"""The triples of gold labels, of disputes of them, and of the commitments that come before."""

from a2ap.messages.gold_dispute import GoldDispute
from a2ap.messages.gold_label import GoldLabel
from a2ap.messages.probe import Probe
from a2ap.rdf.message_frames import entity_triples
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.triples import Triple, blank_label
from a2ap.rdf.vocabulary import PROV, RDF, XSD


def gold_label_triples(label: GoldLabel) -> list[Triple]:
    """Return the triples of a gold label."""
    subject, target = label.envelope.id, label.target_statement
    triples = entity_triples(label.envelope, "labelledAt")
    triples += [
        (subject, A2AP.TARGET_STATEMENT, target),
        (target, RDF.TYPE, PROV.ENTITY),
        (subject, A2AP.TARGET_HASH, (label.target_hash, XSD.STRING)),
        (subject, A2AP.CRITERION, (label.criterion, XSD.STRING)),
        (subject, A2AP.LABEL, (label.label.value, XSD.STRING)),
    ]
    if label.reason is not None:
        triples.append((subject, A2AP.REASON, (label.reason, XSD.STRING)))
    if label.probe is not None:
        node = blank_label(label.envelope.signed_hash) + "p"
        triples += [
            (subject, A2AP.REVEALED_PROBE, node),
            (node, A2AP.COMMITMENT, (label.probe.commitment, XSD.STRING)),
            (node, A2AP.SALT, (label.probe.salt, XSD.STRING)),
        ]
    triples += [(subject, A2AP.ANSWERED_DISPUTE, (answer, XSD.STRING)) for answer in label.answers]
    return triples


def gold_dispute_triples(dispute: GoldDispute) -> list[Triple]:
    """Return the triples of a dispute of a gold label."""
    subject, target = dispute.envelope.id, dispute.target_label
    triples = entity_triples(dispute.envelope, "disputedAt")
    triples += [
        (subject, A2AP.TARGET_LABEL, target),
        (target, RDF.TYPE, PROV.ENTITY),
        (subject, A2AP.TARGET_HASH, (dispute.target_hash, XSD.STRING)),
        (subject, A2AP.REASON, (dispute.reason, XSD.STRING)),
    ]
    triples += [(subject, A2AP.EVIDENCE_HASH, (name, XSD.STRING)) for name in dispute.evidence]
    return triples


def probe_triples(probe: Probe) -> list[Triple]:
    """Return the triples of a probe."""
    triples = entity_triples(probe.envelope, "committedAt")
    triples += [(probe.envelope.id, A2AP.COMMITMENT, (digest, XSD.STRING)) for digest in probe.commitments]
    return triples
