"""Verification responses: a verifier's verdict on a statement, criterion by criterion (A2AP §2.3, §4.2).

Beside the members of §2.3 a response may name the `request` that it answers, the agent's own earlier response that it
`supersedes`, `evidence` that points at passages, other statements that were considered (`crossReferences`), and, if
it challenges, the agent's own statement that contradicts the target (`counterStatement`). Criteria are words: the
consensus decides which of them count, and the others are carried along.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import (
    check_distinct,
    read_agent_id,
    read_choice,
    read_hash,
    read_list,
    read_optional_hash,
    read_share,
    read_uuid,
)
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.messages.evidence import EvidenceSegment
from a2ap.messages.finding import Finding, FindingStatus, build_finding, read_finding, written_share
from a2ap.messages.generated_by import MEMBER as GENERATED_BY
from a2ap.messages.generated_by import generated_by_member, read_generated_by
from a2ap.messages.pointers import read_pointers
from a2ap.messages.reference import (
    Reference,
    read_distinct_references,
    read_optional_reference,
    reference_member,
    reference_members,
)
from a2ap.signing.disclosure import Disclosure, Redactable, check_all_named, read_disclosures, resolve
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL


class Verdict(StrEnum):
    """The verdicts on a statement (A2AP §2.3, §4.2; the last one from the reference code)."""

    VALIDATED = "VALIDATED"
    CHALLENGED = "CHALLENGED"
    INVALID_SIGNATURE = "INVALID_SIGNATURE"
    INSUFFICIENT_EVIDENCE = "INSUFFICIENT_EVIDENCE"


@dataclass(frozen=True, slots=True)
class VerificationResponse:
    """A verdict on one statement; `target_hash` is `None` in the form of §2.3, which binds nothing.

    `says_why` is whether the reason, or the text of a finding that is FAIL, is not empty; a redacted text counts.
    """

    envelope: Envelope
    target_statement: str
    target_hash: str | None
    verdict: Verdict
    confidence: float
    findings: tuple[Finding, ...]
    reason: str | None
    request: Reference | None = None
    supersedes: Reference | None = None
    evidence: tuple[EvidenceSegment, ...] = ()
    counter_statement: Reference | None = None
    cross_references: tuple[Reference, ...] = ()
    generated_by: tuple[str, ...] = ()
    says_why: bool = False

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "VerificationResponse":
        """Read a response out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.VERIFICATION_RESPONSE,
            time_member="respondedAt",
            agent_id=read_agent_id(message, "respondingAgent"),
        )
        disclosures = read_disclosures(message)
        reason = resolve(message["reason"], disclosures, "reason") if "reason" in message else None
        read = [
            read_finding(value, f"findings[{index}]", disclosures)
            for index, value in enumerate(read_list(message, "findings"))
        ]
        check_all_named(disclosures, (reason, *(evidence for _, evidence in read)))
        findings = tuple(finding for finding, _ in read)
        verdict = read_choice(message, "verdict", Verdict)
        check_findings(verdict, findings)
        return cls(
            envelope=envelope,
            target_statement=read_uuid(message, "targetStatement"),
            target_hash=read_optional_hash(message, "targetHash"),
            verdict=verdict,
            confidence=read_share(message, "confidence"),
            findings=findings,
            reason=reason.text if reason is not None else None,
            request=_read_request(message),
            supersedes=read_optional_reference(message, "supersedes"),
            evidence=read_pointers(message),
            counter_statement=_read_counter_statement(message, verdict),
            cross_references=read_distinct_references(message, "crossReferences"),
            generated_by=read_generated_by(message),
            says_why=says_why(reason, read),
        )


def build_verification_response(
    *,
    response_id: str,
    responded_at: datetime,
    responding_agent: str,
    target_statement: str,
    target_hash: str | None,
    verdict: Verdict,
    confidence: float,
    findings: Sequence[Finding | Mapping[str, Any]],
    reason: str | Disclosure | None = None,
    disclosures: Sequence[Disclosure] = (),
    request: Reference | None = None,
    supersedes: Reference | None = None,
    evidence: Sequence[Mapping[str, Any]] = (),
    counter_statement: Reference | None = None,
    cross_references: Sequence[Reference] = (),
    generated_by: Sequence[str] = (),
) -> dict[str, Any]:
    """Return an unsigned response (A2AP §2.3); `target_hash` is the signed hash of the statement judged.

    Findings are `Finding`s or results of `build_finding`; every disclosure must be of one or of the reason.
    `evidence` holds results of `build_segment`, without quotes; `generated_by` are the hashes of records.
    """
    message: dict[str, Any] = {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.VERIFICATION_RESPONSE.wire,
        "@id": response_id,
        "respondedAt": format_instant(responded_at),
        "respondingAgent": responding_agent,
        "targetStatement": target_statement,
    }
    if target_hash is not None:
        message["targetHash"] = target_hash
    message |= {"verdict": verdict.value, "confidence": written_share(confidence)}
    message["findings"] = [
        build_finding(finding.criterion, finding.status, finding.evidence, finding.confidence)
        if isinstance(finding, Finding)
        else dict(finding)
        for finding in findings
    ]
    if reason is not None:
        message["reason"] = reason.reference if isinstance(reason, Disclosure) else reason
    if request is not None:
        message |= {"request": request.id, "requestHash": request.target_hash}
    if supersedes is not None:
        message["supersedes"] = reference_member(supersedes)
    if evidence:
        message["evidence"] = [dict(pointer) for pointer in evidence]
    if counter_statement is not None:
        message["counterStatement"] = reference_member(counter_statement)
    if cross_references:
        message["crossReferences"] = reference_members(cross_references)
    if generated_by:
        message[GENERATED_BY] = generated_by_member(generated_by)
    if disclosures:
        message["disclosures"] = {disclosure.digest: disclosure.entry for disclosure in disclosures}
    return message


def says_why(reason: Redactable | None, found: Sequence[tuple[Finding, Redactable]]) -> bool:
    """Say whether the reason, or the text of a FAIL finding, is not empty; a text taken away counts as not empty."""
    told = [evidence for finding, evidence in found if finding.status is FindingStatus.FAIL]
    # Of words that were taken away, the digest was signed.
    return any(words.text is None or words.text.strip() for words in (reason, *told) if words is not None)


def check_findings(verdict: Verdict, findings: Sequence[Finding]) -> None:
    """Raise `FieldError` if two findings share a criterion, or if a verdict of VALIDATED has a FAIL or no PASS."""
    check_distinct([finding.criterion for finding in findings], "findings")
    # A2AP §4.2: all([]) is true there, so that a verifier who looked at nothing validates everything.
    if verdict is not Verdict.VALIDATED:
        return
    failed = next((finding for finding in findings if finding.status is FindingStatus.FAIL), None)
    if failed is not None:
        raise FieldError("verdict", f"is VALIDATED, and {failed.criterion!r} is FAIL")
    if not any(finding.status is FindingStatus.PASS for finding in findings):
        raise FieldError("verdict", "is VALIDATED, and no finding is PASS")


def _read_request(message: Mapping[str, Any]) -> Reference | None:
    if "request" not in message and "requestHash" not in message:
        return None
    return Reference(read_uuid(message, "request"), read_hash(message, "requestHash"))


def _read_counter_statement(message: Mapping[str, Any], verdict: Verdict) -> Reference | None:
    reference = read_optional_reference(message, "counterStatement")
    if reference is not None and verdict is not Verdict.CHALLENGED:
        raise FieldError("counterStatement", f"is there, and the verdict is {verdict}, not {Verdict.CHALLENGED}")
    return reference
