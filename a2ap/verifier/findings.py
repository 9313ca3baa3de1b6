"""Findings of a verifier, by their status, and the reason of a verdict in words."""

from collections.abc import Sequence

from a2ap.messages.finding import Finding, FindingStatus

ACCURACY = "source-accuracy"
"""The criterion that fails if a signature does not hold."""


def passed(criterion: str, evidence: str, confidence: float) -> Finding:
    """Return a PASS finding."""
    return Finding(criterion, FindingStatus.PASS, evidence, round(confidence, 4))


def failed(criterion: str, evidence: str, confidence: float = 0.95) -> Finding:
    """Return a FAIL finding."""
    return Finding(criterion, FindingStatus.FAIL, evidence, round(confidence, 4))


def undecided(criterion: str, evidence: str) -> Finding:
    """Return an INCONCLUSIVE finding, which has no confidence."""
    return Finding(criterion, FindingStatus.INCONCLUSIVE, evidence, 0.0)


def reason_of(findings: Sequence[Finding]) -> str:
    """Return the reasons in words why a verdict does not validate."""
    told = [
        finding.evidence.strip() or f"{finding.criterion} is {finding.status}"
        for finding in findings
        if finding.status is not FindingStatus.PASS
    ]
    return "; ".join(dict.fromkeys(told))
