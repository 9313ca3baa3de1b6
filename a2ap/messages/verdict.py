"""The verdict and the confidence that follow from findings (A2AP §4.2)."""

from collections.abc import Sequence

from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.verification_response import Verdict

SUFFICIENCY = "evidence-sufficiency"


def verdict_of(findings: Sequence[Finding]) -> Verdict:
    """Return the verdict that follows from findings (§4.2, with the verdict that it leaves out).

    CHALLENGED if a criterion other than evidence sufficiency fails; VALIDATED if there are findings and all pass;
    otherwise INSUFFICIENT_EVIDENCE.
    """
    failed = {finding.criterion for finding in findings if finding.status is FindingStatus.FAIL}
    if failed - {SUFFICIENCY}:
        return Verdict.CHALLENGED
    if findings and all(finding.status is FindingStatus.PASS for finding in findings):
        return Verdict.VALIDATED
    return Verdict.INSUFFICIENT_EVIDENCE


def confidence_of(findings: Sequence[Finding]) -> float:
    """Return the confidence of a verdict: the mean of its findings' confidences (A2AP §4.2)."""
    return round(sum(finding.confidence for finding in findings) / len(findings), 4) if findings else 0.0
