"""Findings of a verdict: the result of a verifier's check under one criterion (A2AP §2.3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import read_choice, read_share, read_text
from a2ap.messages.verification_request import check_criterion
from a2ap.signing.disclosure import Disclosure, Redactable, resolve


class FindingStatus(StrEnum):
    """The result of a verifier's check under one criterion."""

    PASS = "PASS"
    FAIL = "FAIL"
    INCONCLUSIVE = "INCONCLUSIVE"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result under one criterion; `evidence` is empty if it has been taken away."""

    criterion: str
    status: FindingStatus
    evidence: str
    confidence: float


def read_finding(value: Any, path: str, disclosures: Mapping[str, str]) -> tuple[Finding, Redactable]:
    """Read a member of `findings`, and its words as they were signed. Raises `MessageError`."""
    if type(value) is not dict:
        raise FieldError(path, "is not an object")
    criterion = read_text(value, "criterion", path)
    check_criterion(criterion, f"{path}.criterion")
    if "evidence" not in value:
        raise FieldError(f"{path}.evidence", "is missing")
    evidence = resolve(value["evidence"], disclosures, f"{path}.evidence")
    finding = Finding(
        criterion=criterion,
        status=read_choice(value, "status", FindingStatus, path),
        evidence=evidence.text or "",
        confidence=read_share(value, "confidence", path),
    )
    return finding, evidence


def build_finding(
    criterion: str, status: FindingStatus, evidence: str | Disclosure, confidence: float
) -> dict[str, Any]:
    """Return a member of `findings` (A2AP §2.3); a disclosure keeps its text out of the signed part."""
    return {
        "criterion": criterion,
        "status": status.value,
        "evidence": evidence.reference if isinstance(evidence, Disclosure) else evidence,
        "confidence": written_share(confidence),
    }


def written_share(share: float) -> float:
    """Return a share as it is written in a message."""
    # RFC 8785 writes 1.0 as 1: written so from the start, it takes the short way of `canonicalize`.
    return int(share) if type(share) is float and share in (0.0, 1.0) else share
