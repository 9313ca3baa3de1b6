"""The protocol of a judge, and the choice between the answers of several."""

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


def best_of(answers: Sequence[tuple[Finding, ...]]) -> tuple[Finding, ...]:
    """Return the answer that supports a claim best; each has the same criteria in the same order."""
    return min(answers, key=lambda findings: [_RANK[finding.status] for finding in findings])
