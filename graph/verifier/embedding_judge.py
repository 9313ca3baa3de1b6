"""Judges evidence sufficiency by closeness of meaning if words leave it open, and logical consistency by words alone.

An embedding shows the subject of a claim and not its assertion: "sales rose" and "sales fell" are neighbours. So
closeness can show that the evidence bears on the claim, and never that the claim follows (docs/decisions/0038).
"""

from dataclasses import dataclass

from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verdict import SUFFICIENCY
from a2ap.verifier.findings import passed
from graph.models.minilm import MiniLM
from graph.transcripts.transcript import Transcript
from graph.verifier.alignment import AlignmentJudge, align
from graph.verifier.claim_form import read_form
from graph.verifier.source_check import check_source
from graph.verifier.verbatim import cited_sentences

_CLOSE = 0.6
_LONGEST_ROW = 3


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddingJudge:
    """Judges with the embeddings of claim and cited sentences, on top of the judge by words."""

    model: MiniLM
    name: str = f"minilm over {AlignmentJudge.name} {AlignmentJudge.version}"
    version: str = "1"

    @classmethod
    def open(cls) -> "EmbeddingJudge":
        """Return a judge with the installed model. Raises ModelError if there is none."""
        return cls(MiniLM.open())

    def judge(self, statement: ProvenanceStatement, transcript: Transcript) -> tuple[Finding, ...]:
        """Answer source accuracy, evidence sufficiency and logical consistency."""
        return (check_source(statement, transcript), *self.answer(statement, transcript))

    def answer(self, statement: ProvenanceStatement, transcript: Transcript) -> tuple[Finding, ...]:
        """Answer evidence sufficiency and logical consistency."""
        findings = align(statement, transcript)
        if not any(f.criterion == SUFFICIENCY and f.status is FindingStatus.INCONCLUSIVE for f in findings):
            return findings
        close = self._closeness(statement, transcript)
        if close < _CLOSE:
            return findings
        bears = passed(SUFFICIENCY, f"the evidence speaks of the subject of the claim (cosine {close:.2f})", 0.7)
        return tuple(bears if finding.criterion == SUFFICIENCY else finding for finding in findings)

    def _closeness(self, statement: ProvenanceStatement, transcript: Transcript) -> float:
        """Return the cosine of the claim's words with the closest row of one to three cited sentences."""
        cited = cited_sentences(statement.evidence, transcript)
        rows = [
            " ".join(sentence.text for sentence in cited[first : first + length])
            for first in range(len(cited))
            for length in range(1, min(_LONGEST_ROW, len(cited) - first) + 1)
        ]
        claim, *held = self.model.embed([read_form(statement.claim.text).words, *rows])
        return max((float(claim @ row) for row in held), default=0.0)
