"""Reading any message: bytes in, one of seven frozen values out, or an error that names the fault.

In it: strict JSON within limits; the type; context and keywords; each member; and what must agree within the
document (identifier, content hash, disclosures, verdict). Whether the signature holds, whose key it is and
what the message points at is checked against the registry, not here.
"""

from a2ap.agent_registration import AgentRegistration
from a2ap.endorsement import Endorsement
from a2ap.envelope import Envelope, MessageType, read_type
from a2ap.json_text import read_json
from a2ap.policy import Policy
from a2ap.source_registration import SourceRegistration
from a2ap.statement import ProvenanceStatement
from a2ap.verification_request import VerificationRequest
from a2ap.verification_response import VerificationResponse

__all__ = ["Envelope", "Message", "MessageType", "read_message"]

Message = (
    ProvenanceStatement
    | VerificationRequest
    | VerificationResponse
    | AgentRegistration
    | SourceRegistration
    | Endorsement
    | Policy
)

_CLASSES: dict[MessageType, type[Message]] = {
    MessageType.STATEMENT: ProvenanceStatement,
    MessageType.VERIFICATION_REQUEST: VerificationRequest,
    MessageType.VERIFICATION_RESPONSE: VerificationResponse,
    MessageType.AGENT_REGISTRATION: AgentRegistration,
    MessageType.SOURCE_REGISTRATION: SourceRegistration,
    MessageType.ENDORSEMENT: Endorsement,
    MessageType.POLICY: Policy,
}


def read_message(data: bytes) -> Message:
    """Read a message out of the bytes of a document; raises `MessageError` and nothing else."""
    document = read_json(data)
    return _CLASSES[read_type(document)].from_message(document, data)
