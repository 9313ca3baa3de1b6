"""The protocol of a judge, and its findings on the criteria of A2AP §2.2."""

from collections.abc import Sequence
from typing import Protocol

from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.statement import ProvenanceStatement
from graph.transcripts.transcript import Transcript

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


def reason_of(findings: Sequence[Finding]) -> str:
    """Return the reasons in words why a verdict does not validate."""
    told = [
        finding.evidence.strip() or f"{finding.criterion} is {finding.status}"
        for finding in findings
        if finding.status is not FindingStatus.PASS
    ]
    return "; ".join(dict.fromkeys(told))
