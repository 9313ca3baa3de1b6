"""The PROV-O triples of a message, as plain tuples and without a JSON-LD processor.

They are the triples that `a2ap.rdf.expansion` makes through pyld, for every message that `a2ap.messages.message` reads:
its two forms of context stand for one mapping, ours. `docs/reference/provenance.md` has the mapping term by term.
"""

from collections.abc import Callable
from typing import Any

from a2ap.messages.envelope import MessageType
from a2ap.messages.message import Message
from a2ap.rdf.gold_triples import gold_dispute_triples, gold_label_triples, probe_triples
from a2ap.rdf.key_triples import (
    deactivation_triples,
    key_registration_triples,
    key_revocation_triples,
    version_triples,
)
from a2ap.rdf.lifecycle_triples import redaction_triples, retraction_triples
from a2ap.rdf.message_triples import (
    endorsement_triples,
    policy_triples,
    record_triples,
    registration_triples,
    source_triples,
)
from a2ap.rdf.node_triples import (
    admission_policy_triples,
    epoch_triples,
    equivocation_triples,
    peer_agreement_triples,
    peer_checkpoint_triples,
    rotation_triples,
)
from a2ap.rdf.statement_triples import statement_triples
from a2ap.rdf.triples import Literal, Triple
from a2ap.rdf.verification_triples import answer_triples, decline_triples, request_triples, response_triples

__all__ = ["Literal", "Triple", "triples"]

WRITERS: dict[MessageType, Callable[[Any], list[Triple]]] = {
    MessageType.STATEMENT: statement_triples,
    MessageType.VERIFICATION_REQUEST: request_triples,
    MessageType.VERIFICATION_RESPONSE: response_triples,
    MessageType.AGENT_REGISTRATION: registration_triples,
    MessageType.SOURCE_REGISTRATION: source_triples,
    MessageType.ENDORSEMENT: endorsement_triples,
    MessageType.POLICY: policy_triples,
    MessageType.KEY_REGISTRATION: key_registration_triples,
    MessageType.KEY_REVOCATION: key_revocation_triples,
    MessageType.AGENT_DEACTIVATION: deactivation_triples,
    MessageType.AGENT_VERSION: version_triples,
    MessageType.ADMISSION_POLICY: admission_policy_triples,
    MessageType.LOG_KEY_ROTATION: rotation_triples,
    MessageType.PEER_AGREEMENT: peer_agreement_triples,
    MessageType.PEER_CHECKPOINT: peer_checkpoint_triples,
    MessageType.EQUIVOCATION: equivocation_triples,
    MessageType.RETRACTION: retraction_triples,
    MessageType.REDACTION: redaction_triples,
    MessageType.VERIFICATION_DECLINE: decline_triples,
    MessageType.CHALLENGE_ANSWER: answer_triples,
    MessageType.EPOCH: epoch_triples,
    MessageType.GOLD_LABEL: gold_label_triples,
    MessageType.GOLD_DISPUTE: gold_dispute_triples,
    MessageType.PROBE: probe_triples,
    MessageType.RECORD_REGISTRATION: record_triples,
}


def triples(message: Message) -> tuple[Triple, ...]:
    """Return the triples of a message, each once: those about the message first, then those about other things."""
    return tuple(dict.fromkeys(WRITERS[message.envelope.type](message)))
