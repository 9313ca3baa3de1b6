"""The protocol of a judge, its findings on the criteria of A2AP §2.2, and the verdict that follows from them."""

from collections.abc import Sequence
from statistics import fmean
from typing import Protocol

from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_response import Verdict
from graph.transcripts.transcript import Transcript

SUFFICIENCY = "evidence-sufficiency"
CONSISTENCY = "logical-consistency"
_RANK = {FindingStatus.PASS: 0, FindingStatus.INCONCLUSIVE: 1, FindingStatus.FAIL: 2}


class Judge(Protocol):
    """A method of judging claims against their source; another `version` may judge otherwise."""

    @property
    def name(self) -> str:
        """The name of the method."""
        ...

    @property
    def version(self) -> str:
        """The version of the method."""
        ...

    def judge(self, statement: ProvenanceStatement, transcript: Transcript) -> tuple[Finding, ...]:
        """Return one finding for each criterion that this method can answer."""
        ...


def passed(criterion: str, evidence: str, confidence: float) -> Finding:
    """Return a PASS finding."""
    return Finding(criterion, FindingStatus.PASS, evidence, round(confidence, 4))


def failed(criterion: str, evidence: str, confidence: float = 0.95) -> Finding:
    """Return a FAIL finding."""
    return Finding(criterion, FindingStatus.FAIL, evidence, round(confidence, 4))


def undecided(criterion: str, evidence: str) -> Finding:
    """Return an INCONCLUSIVE finding, which has no confidence."""
    return Finding(criterion, FindingStatus.INCONCLUSIVE, evidence, 0.0)


def best_of(answers: Sequence[tuple[Finding, ...]]) -> tuple[Finding, ...]:
    """Return the answer that supports a claim best; each has the same criteria in the same order."""
    return min(answers, key=lambda findings: [_RANK[finding.status] for finding in findings])


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
    return round(fmean(finding.confidence for finding in findings), 4) if findings else 0.0


def reason_of(findings: Sequence[Finding]) -> str:
    """Return the reasons in words why a verdict does not validate."""
    told = [
        finding.evidence.strip() or f"{finding.criterion} is {finding.status}"
        for finding in findings
        if finding.status is not FindingStatus.PASS
    ]
    return "; ".join(dict.fromkeys(told))
