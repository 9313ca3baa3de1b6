"""What a verifier needs to judge a claim: a way of answering the criteria of A2AP §2.2."""

from typing import Protocol

from a2ap.statement import ProvenanceStatement
from a2ap.verification_response import Finding, FindingStatus
from graph.transcripts.transcript import Transcript

SUFFICIENCY = "evidence-sufficiency"
CONSISTENCY = "logical-consistency"


class Judge(Protocol):
    """A method of judging claims against their source; another `version` may judge otherwise."""

    @property
    def name(self) -> str:
        """What the method is called."""
        ...

    @property
    def version(self) -> str:
        """Which state of the method this is."""
        ...

    def judge(self, statement: ProvenanceStatement, transcript: Transcript) -> tuple[Finding, ...]:
        """Return one finding for each criterion that this method can answer."""
        ...


def passed(criterion: str, evidence: str, confidence: float) -> Finding:
    """Return a PASS."""
    return Finding(criterion, FindingStatus.PASS, evidence, round(confidence, 4))


def failed(criterion: str, evidence: str, confidence: float = 0.95) -> Finding:
    """Return a FAIL."""
    return Finding(criterion, FindingStatus.FAIL, evidence, round(confidence, 4))


def undecided(criterion: str, evidence: str) -> Finding:
    """Return an INCONCLUSIVE, which has no confidence."""
    return Finding(criterion, FindingStatus.INCONCLUSIVE, evidence, 0.0)
