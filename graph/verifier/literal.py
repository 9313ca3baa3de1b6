"""The verdict that A2AP §4.2 computes from findings, to the letter, under its own name: `a2ap-0.1`.

    verdict = "VALIDATED" if all(f.status == "PASS" for f in findings) else "CHALLENGED"
    confidence = sum(f.confidence for f in findings) / len(findings)

The verifier of this project does not sign it (`graph.verifier.judging`): an undecided verifier would challenge an
honest author, and a verifier that answered nothing would validate.
"""

from collections.abc import Sequence

from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.verification_response import Verdict


def literal_verdict_of(findings: Sequence[Finding]) -> Verdict:
    """Return VALIDATED if all findings are PASS, also if there are none, and CHALLENGED otherwise."""
    passed = all(finding.status is FindingStatus.PASS for finding in findings)
    return Verdict.VALIDATED if passed else Verdict.CHALLENGED


def literal_confidence_of(findings: Sequence[Finding]) -> float:
    """Return the mean of the findings' confidences, not rounded; raises ZeroDivisionError if there are none."""
    return sum(finding.confidence for finding in findings) / len(findings)
