"""The triples of messages about agents and their keys, written straight from the values."""

from a2ap.messages.agent_deactivation import AgentDeactivation
from a2ap.messages.agent_version import AgentVersion
from a2ap.messages.key_registration import KeyRegistration
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.rdf.message_frames import entity_triples
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.triples import Triple, blank_label
from a2ap.rdf.vocabulary import PROV, RDF, SECURITY, XSD


def key_registration_triples(registration: KeyRegistration) -> list[Triple]:
    """Return the triples of a key registration: the key, its agent, and the proof that its holder agreed."""
    envelope = registration.envelope
    subject, key, proof = envelope.id, registration.key_id, blank_label(envelope.signed_hash) + "p"
    triples = entity_triples(envelope, "registeredAt")
    triples += [
        (subject, A2AP.KEY, key),
        (key, RDF.TYPE, A2AP.KEY_CLASS),
        (key, SECURITY.CONTROLLER, envelope.agent_id),
        (key, A2AP.PUBLIC_KEY, (envelope.document["key"]["publicKey"], XSD.STRING)),
        (subject, A2AP.POSSESSION, proof),
        (proof, RDF.TYPE, A2AP.CRYPTOGRAPHIC_SIGNATURE),
        (proof, A2AP.ALGORITHM, (registration.possession.algorithm, XSD.STRING)),
        (proof, SECURITY.VERIFICATION_METHOD, registration.possession.public_key),
        (proof, A2AP.SIGNATURE_VALUE, (registration.possession.text, XSD.STRING)),
    ]
    if registration.alias is not None:
        triples.append((key, A2AP.KEY_ALIAS, (registration.alias, XSD.STRING)))
    for replaced in registration.replaces:
        triples += [(subject, A2AP.REPLACES_KEY, replaced), (replaced, RDF.TYPE, A2AP.KEY_CLASS)]
    if registration.recovery_key_hash is not None:
        triples.append((subject, A2AP.RECOVERY_KEY_HASH, (registration.recovery_key_hash, XSD.STRING)))
    return triples


def key_revocation_triples(revocation: KeyRevocation) -> list[Triple]:
    """Return the triples of a key revocation."""
    envelope = revocation.envelope
    subject, key = envelope.id, revocation.key_id
    triples = entity_triples(envelope, "revokedAt")
    triples += [
        (subject, A2AP.CONCERNED_AGENT, revocation.agent),
        (revocation.agent, RDF.TYPE, PROV.AGENT),
        (subject, A2AP.REVOKED_KEY, key),
        (key, RDF.TYPE, A2AP.KEY_CLASS),
        (key, SECURITY.CONTROLLER, revocation.agent),
        (subject, A2AP.REASON, (revocation.reason.value, XSD.STRING)),
    ]
    since = blank_label(envelope.signed_hash) + "n"
    if revocation.not_trusted_since_index is not None:
        triples.append((subject, A2AP.NOT_TRUSTED_SINCE, since))
        triples.append((since, A2AP.LOG_INDEX, (str(revocation.not_trusted_since_index), XSD.INTEGER)))
    elif revocation.not_trusted_since_time is not None:
        stated = envelope.document["notTrustedSince"]["receivedAt"]
        triples += [(subject, A2AP.NOT_TRUSTED_SINCE, since), (since, A2AP.RECEIVED_AT, (stated, XSD.DATE_TIME))]
    return triples


def deactivation_triples(deactivation: AgentDeactivation) -> list[Triple]:
    """Return the triples of an agent's deactivation."""
    subject = deactivation.envelope.id
    triples = entity_triples(deactivation.envelope, "deactivatedAt")
    triples += [(subject, A2AP.CONCERNED_AGENT, deactivation.agent), (deactivation.agent, RDF.TYPE, PROV.AGENT)]
    if deactivation.reason is not None:
        triples.append((subject, A2AP.REASON, (deactivation.reason, XSD.STRING)))
    return triples


def version_triples(version: AgentVersion) -> list[Triple]:
    """Return the triples of a version's announcement."""
    subject = version.envelope.id
    triples = entity_triples(version.envelope, "announcedAt")
    triples += [
        (subject, A2AP.CONCERNED_AGENT, version.agent),
        (version.agent, RDF.TYPE, PROV.AGENT),
        (subject, A2AP.TARGET_HASH, (version.target_hash, XSD.STRING)),
        (subject, A2AP.FAMILY, version.family),
        (version.family, RDF.TYPE, PROV.AGENT),
        (version.agent, PROV.SPECIALIZATION_OF, version.family),
    ]
    return triples
