"""The envelope of every message: its bytes, the signed part of them, its id, type, time, agent and signature."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from a2ap.canonical import sha256_digest
from a2ap.errors import DisclosureError, FieldError, TypeNameError
from a2ap.fields import read_uuid, shown
from a2ap.identifiers import is_free_uuid
from a2ap.messages.context import ContextForm, check_context
from a2ap.messages.verification_status import check_verification_status
from a2ap.signing.data_integrity import DataIntegrityProof, read_proofs
from a2ap.signing.signature import Signature, read_signature, signed_bytes
from a2ap.times import parse_instant

TYPE_PREFIX = "a2ap:"


class MessageType(StrEnum):
    """The types of message: the local part of their `@type`, and the HTTP path to which they are posted.

    A type without a path comes in another way.
    """

    path: str | None

    STATEMENT = "ProvenanceStatement", "/statements"
    VERIFICATION_REQUEST = "VerificationRequest", "/verification-requests"
    VERIFICATION_RESPONSE = "VerificationResponse", "/verifications"
    AGENT_REGISTRATION = "AgentRegistration", "/agents"
    SOURCE_REGISTRATION = "SourceRegistration", "/sources"
    ENDORSEMENT = "Endorsement", "/endorsements"
    POLICY = "Policy", "/policies"
    KEY_REGISTRATION = "KeyRegistration", "/key-registrations"
    KEY_REVOCATION = "KeyRevocation", "/key-revocations"
    AGENT_DEACTIVATION = "AgentDeactivation", "/deactivations"
    AGENT_VERSION = "AgentVersion", "/agent-versions"
    ADMISSION_POLICY = "AdmissionPolicy", "/admission-policies"
    LOG_KEY_ROTATION = "LogKeyRotation", "/log-key-rotations"
    PEER_AGREEMENT = "PeerAgreement", "/peer-agreements"
    PEER_CHECKPOINT = "PeerCheckpoint"
    EQUIVOCATION = "Equivocation", "/equivocations"
    RETRACTION = "Retraction", "/retractions"
    REDACTION = "Redaction", "/redactions"
    VERIFICATION_DECLINE = "VerificationDecline", "/declines"
    CHALLENGE_ANSWER = "ChallengeAnswer", "/challenge-answers"
    EPOCH = "Epoch"
    GOLD_LABEL = "GoldLabel", "/gold-labels"
    GOLD_DISPUTE = "GoldDispute", "/gold-disputes"
    PROBE = "Probe", "/probes"
    RECORD_REGISTRATION = "RecordRegistration"

    def __new__(cls, name: str, path: str | None = None) -> Self:
        """Make a type out of its name and its path."""
        member = str.__new__(cls, name)
        member._value_, member.path = name, path
        return member

    @property
    def wire(self) -> str:
        """Return the `@type` as it stands in documents."""
        return TYPE_PREFIX + self.value


# The types with texts that may be signed as digests (`a2ap.signing.disclosure`).
_REDACTABLE = (MessageType.STATEMENT, MessageType.VERIFICATION_RESPONSE)


@dataclass(frozen=True, slots=True)
class Envelope:
    """The frame of a message.

    `received` is kept byte for byte, and `document_hash` is its SHA-256; `signed_hash` is that of
    `signed_bytes` and names the message. `document` is the parsed JSON, read-only by habit. `signature` is
    `None` only for an unsigned verification request (A2AP §2.2). `proofs` are the W3C proofs that a message may have
    besides; if there are any, they hold as the signature does.
    """

    received: bytes
    document_hash: str
    signed_bytes: bytes
    signed_hash: str
    id: str
    type: MessageType
    time: datetime
    agent_id: str
    signature: Signature | None
    context: ContextForm
    document: Mapping[str, Any]
    proofs: tuple[DataIntegrityProof, ...] = ()


def read_type(document: Mapping[str, Any]) -> MessageType:
    """Return the type of a message; raises `TypeNameError` if it is missing or unknown."""
    name = document.get("@type")
    if name is None:
        raise TypeNameError("@type", "is missing")
    if isinstance(name, str) and name.startswith(TYPE_PREFIX):
        try:
            return MessageType(name.removeprefix(TYPE_PREFIX))
        except ValueError:
            pass
    raise TypeNameError("@type", f"is {shown(name)}, not the type of a message")


def read_envelope(
    document: Mapping[str, Any],
    received: bytes,
    *,
    type: MessageType,
    time_member: str,
    agent_id: str,
    signed: bool = True,
) -> Envelope:
    """Read the members that all messages have in common; `agent_id` is given, since its place differs.

    `signed` says that the message must have a signature. Whether it holds is not checked here.
    """
    if document.get("@type") != type.wire:
        raise TypeNameError("@type", f"is {shown(document.get('@type'))}, not {type.wire}")
    # The members of a proof are not ours: its `@context` repeats the document's, which `_read_proofs` checks.
    context = check_context({name: value for name, value in document.items() if name != "proof"})
    identifier = read_uuid(document, "@id")
    if type is not MessageType.STATEMENT and not is_free_uuid(identifier):
        # A derived id is a statement's: nobody may take it with another message before its author comes.
        raise FieldError("@id", f"is {identifier}; the UUID of a {type.wire} has version 4 or 7")
    if time_member not in document:
        raise FieldError(time_member, "is missing")
    time = parse_instant(document[time_member], time_member)
    check_verification_status(document)
    if "disclosures" in document and type not in _REDACTABLE:
        # Nobody signed for it, and anybody could have put it there.
        raise DisclosureError("disclosures", f"is there, and the texts of a {type.wire} are signed in clear")
    if signed and "signature" not in document:
        raise FieldError("signature", "is missing")
    covered = signed_bytes(document)
    return Envelope(
        received=received,
        document_hash=sha256_digest(received),
        signed_bytes=covered,
        signed_hash=sha256_digest(covered),
        id=identifier,
        type=type,
        time=time,
        agent_id=agent_id,
        signature=read_signature(document["signature"]) if "signature" in document else None,
        context=context,
        document=document,
        proofs=_read_proofs(document) if "proof" in document else (),
    )


def _read_proofs(document: Mapping[str, Any]) -> tuple[DataIntegrityProof, ...]:
    """Read the proofs of a message; raises `FieldError` without a `signature` or beside `verificationStatus`."""
    if "signature" not in document:
        raise FieldError("signature", "is missing, and a proof does not take its place")
    if "verificationStatus" in document:
        # A credential library would take the proof to cover it, and find that it does not.
        raise FieldError("verificationStatus", "is there beside a proof, which does not cover it")
    return read_proofs(document)
