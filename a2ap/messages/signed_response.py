"""Verdicts that are made and signed here, as the values that their bytes are read as.

A verifier that judges every new statement signs as many verdicts, and would have to parse JSON that it has just
written. Only these messages are made so: those that others signed are read (`a2ap.messages.message`), and a test holds
that reading these bytes gives the same value.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from a2ap.canonical import sha256_digest
from a2ap.json_text import write_json
from a2ap.messages.context import ContextForm
from a2ap.messages.envelope import Envelope, MessageType
from a2ap.messages.finding import Finding
from a2ap.messages.verification_response import (
    Verdict,
    VerificationResponse,
    build_verification_response,
    check_findings,
    says_why,
)
from a2ap.signing.disclosure import Disclosure, Redactable
from a2ap.signing.keys import Signer
from a2ap.signing.signature import make_signature, signature_member, signed_bytes


def sign_response(
    key: Signer,
    key_id: str,
    *,
    response_id: str,
    responded_at: datetime,
    responding_agent: str,
    target_statement: str,
    target_hash: str,
    verdict: Verdict,
    confidence: float,
    findings: Sequence[Finding],
    reason: str | Disclosure | None = None,
) -> VerificationResponse:
    """Return a signed response with its bytes; raises `FieldError` for findings that a response cannot have.

    The caller chooses the ids, as for `build_verification_response`. A `Disclosure` is signed as its
    digest, and its text travels in the unsigned `disclosures`.
    """
    check_findings(verdict, findings)
    message = build_verification_response(
        response_id=response_id,
        responded_at=responded_at,
        responding_agent=responding_agent,
        target_statement=target_statement,
        target_hash=target_hash,
        verdict=verdict,
        confidence=confidence,
        findings=findings,
        reason=reason,
        disclosures=[reason] if isinstance(reason, Disclosure) else (),
    )
    text = reason.text if isinstance(reason, Disclosure) else reason
    told = [(finding, Redactable(finding.evidence)) for finding in findings]
    return VerificationResponse(
        envelope=_signed(message, key, key_id, responded_at, responding_agent),
        target_statement=target_statement,
        target_hash=target_hash,
        verdict=verdict,
        confidence=confidence,
        findings=tuple(findings),
        reason=text,
        says_why=says_why(None if text is None else Redactable(text), told),
    )


def _signed(message: dict[str, Any], key: Signer, key_id: str, time: datetime, agent_id: str) -> Envelope:
    covered = signed_bytes(message)
    signature = make_signature(covered, key, key_id)
    document = {**message, "signature": signature_member(signature)}
    received = write_json(document)
    return Envelope(
        received=received,
        document_hash=sha256_digest(received),
        signed_bytes=covered,
        signed_hash=sha256_digest(covered),
        id=message["@id"],
        type=MessageType.VERIFICATION_RESPONSE,
        time=time.astimezone(UTC),
        agent_id=agent_id,
        signature=signature,
        context=ContextForm.URL,
        document=document,
    )
