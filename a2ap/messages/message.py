"""The reader of every message: bytes in, a frozen value of the message's type out, or an error that names the fault.

It checks strict JSON within limits; the type; context and keywords; each member; and the agreement of members
within the document (identifier, content hash, disclosures, verdict). Whether the signature holds, the agent of its key
and the targets of the message are checked against the registry, not here.
"""

from typing import get_args

from a2ap.json_text import read_json
from a2ap.messages.admission_policy import AdmissionPolicy
from a2ap.messages.agent_deactivation import AgentDeactivation
from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.agent_version import AgentVersion
from a2ap.messages.challenge_answer import ChallengeAnswer
from a2ap.messages.context import check_version
from a2ap.messages.endorsement import Endorsement
from a2ap.messages.envelope import Envelope, MessageType, read_type
from a2ap.messages.epoch import Epoch
from a2ap.messages.equivocation import Equivocation
from a2ap.messages.gold_dispute import GoldDispute
from a2ap.messages.gold_label import GoldLabel
from a2ap.messages.key_registration import KeyRegistration
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.messages.log_key_rotation import LogKeyRotation
from a2ap.messages.peer_agreement import PeerAgreement
from a2ap.messages.peer_checkpoint import PeerCheckpoint
from a2ap.messages.policy import Policy
from a2ap.messages.probe import Probe
from a2ap.messages.record_registration import RecordRegistration
from a2ap.messages.redaction import Redaction
from a2ap.messages.retraction import Retraction
from a2ap.messages.source_registration import SourceRegistration
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_decline import VerificationDecline
from a2ap.messages.verification_request import VerificationRequest
from a2ap.messages.verification_response import VerificationResponse

__all__ = ["Envelope", "Message", "MessageType", "read_message"]

Message = (
    ProvenanceStatement
    | VerificationRequest
    | VerificationResponse
    | AgentRegistration
    | SourceRegistration
    | Endorsement
    | Policy
    | KeyRegistration
    | KeyRevocation
    | AgentDeactivation
    | AgentVersion
    | AdmissionPolicy
    | LogKeyRotation
    | PeerAgreement
    | PeerCheckpoint
    | Equivocation
    | Retraction
    | Redaction
    | VerificationDecline
    | ChallengeAnswer
    | Epoch
    | GoldLabel
    | GoldDispute
    | Probe
    | RecordRegistration
)

_CLASSES: dict[MessageType, type[Message]] = {MessageType(one.__name__): one for one in get_args(Message)}
"""The class of each type has the type's name."""


def message_class(message_type: MessageType) -> type[Message]:
    """Return the class of the messages of a type."""
    return _CLASSES[message_type]


def read_message(data: bytes) -> Message:
    """Read a message out of the bytes of a document; raises only `MessageError`."""
    document = read_json(data)
    # First of all: a type or member of another version is no fault of the document.
    check_version(document)
    return message_class(read_type(document)).from_message(document, data)
