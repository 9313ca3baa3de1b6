"""The triples of messages of nodes about themselves and each other, written straight from the values."""

import base64

from a2ap.messages.admission_policy import AdmissionPolicy
from a2ap.messages.envelope import Envelope
from a2ap.messages.epoch import Epoch
from a2ap.messages.equivocation import Equivocation
from a2ap.messages.log_key_rotation import LogKeyRotation
from a2ap.messages.peer_agreement import PeerAgreement
from a2ap.messages.peer_checkpoint import PeerCheckpoint
from a2ap.rdf.message_frames import add_texts, entity_triples
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.triples import Triple, blank_label
from a2ap.rdf.vocabulary import PROV, RDF, XSD


def admission_policy_triples(policy: AdmissionPolicy) -> list[Triple]:
    """Return the triples of an admission policy."""
    subject = policy.envelope.id
    triples = entity_triples(policy.envelope, "issuedAt")
    triples += [(subject, RDF.TYPE, PROV.PLAN), (subject, A2AP.ADMISSION_MODE, (policy.mode.value, XSD.STRING))]
    for agent in policy.allowed_agents:
        triples += [(subject, A2AP.ALLOWED_AGENT, agent), (agent, RDF.TYPE, PROV.AGENT)]
    triples += [(subject, A2AP.INVITATION_HASH, (invitation, XSD.STRING)) for invitation in policy.invitations]
    return triples


def epoch_triples(epoch: Epoch) -> list[Triple]:
    """Return the triples of a part of an epoch; its table is for computation and stays in the document."""
    subject = epoch.envelope.id
    return [
        *entity_triples(epoch.envelope, "issuedAt"),
        (subject, A2AP.LOG_SIZE, (str(epoch.log_size), XSD.INTEGER)),
        (subject, A2AP.POLICY_HASH, (epoch.policy, XSD.STRING)),
        (subject, A2AP.CONSENSUS_METHOD, (epoch.method.value, XSD.STRING)),
        (subject, A2AP.PART, (str(epoch.part), XSD.INTEGER)),
        (subject, A2AP.PARTS, (str(epoch.parts), XSD.INTEGER)),
    ]


def rotation_triples(rotation: LogKeyRotation) -> list[Triple]:
    """Return the triples of a log key rotation."""
    triples = _of_a_log(rotation.envelope, "issuedAt", rotation.origin)
    triples.append((rotation.envelope.id, A2AP.NOTE, (rotation.note, XSD.STRING)))
    return triples


def peer_agreement_triples(agreement: PeerAgreement) -> list[Triple]:
    """Return the triples of a peer agreement."""
    subject = agreement.envelope.id
    quota = blank_label(agreement.envelope.signed_hash) + "q"
    triples = _of_a_log(agreement.envelope, "issuedAt", agreement.origin)
    triples += [
        (subject, RDF.TYPE, PROV.PLAN),
        (subject, A2AP.LOG_KEY, (agreement.log_key, XSD.STRING)),
        (subject, A2AP.CLEARANCE, (agreement.clearance.value, XSD.STRING)),
        (subject, A2AP.QUOTA, quota),
        (quota, A2AP.ENTRIES_PER_PULL, (str(agreement.quota.entries_per_pull), XSD.INTEGER)),
        (quota, A2AP.BYTES_PER_DAY, (str(agreement.quota.bytes_per_day), XSD.INTEGER)),
        (subject, A2AP.SUSPENDED, (str(agreement.suspended).lower(), XSD.BOOLEAN)),
    ]
    if agreement.url is not None:
        triples.append((subject, A2AP.URL, agreement.url))
    if agreement.private_address:
        triples.append((subject, A2AP.PRIVATE_ADDRESS, ("true", XSD.BOOLEAN)))
    if agreement.transport_key is not None:
        triples.append((subject, A2AP.TRANSPORT_KEY, agreement.transport_key.did_key))
    return triples


def peer_checkpoint_triples(message: PeerCheckpoint) -> list[Triple]:
    """Return the triples of a peer's checkpoint."""
    triples = _of_a_log(message.envelope, "issuedAt", message.origin)
    triples.append((message.envelope.id, A2AP.CHECKPOINT, (message.checkpoint, XSD.STRING)))
    return triples


def equivocation_triples(equivocation: Equivocation) -> list[Triple]:
    """Return the triples of an equivocation."""
    envelope = equivocation.envelope
    triples = _of_a_log(envelope, "reportedAt", equivocation.origin)
    add_texts(triples, envelope, A2AP.CHECKPOINTS, equivocation.checkpoints)
    if equivocation.consistency_proof is not None:
        nodes = [base64.b64encode(node).decode("ascii") for node in equivocation.consistency_proof]
        add_texts(triples, envelope, A2AP.CONSISTENCY_PROOF, nodes, cell="p")
    if "successions" in envelope.document:
        add_texts(triples, envelope, A2AP.SUCCESSIONS, equivocation.successions, cell="s")
    return triples


def _of_a_log(envelope: Envelope, time_member: str, origin: str) -> list[Triple]:
    triples = entity_triples(envelope, time_member)
    triples += [(envelope.id, A2AP.LOG_ORIGIN, origin), (origin, RDF.TYPE, PROV.AGENT)]
    return triples
