"""Evidence sufficiency and logical consistency by a language model, which cannot overrule a FAIL by words.

A FAIL of the judge by words stands regardless of the model's answer on that criterion. Otherwise the model decides.
"""

from collections.abc import Sequence

from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.verdict import SUFFICIENCY
from a2ap.verifier.findings import undecided
from graph.models.chat_model import LanguageModel
from graph.models.errors import ModelError
from graph.verifier.alignment import AlignmentJudge, align
from graph.verifier.criteria import MODEL_BYTES, Asked, Judgement
from graph.verifier.judging import CONSISTENCY
from graph.verifier.material import Material
from graph.verifier.model_answer import INSTRUCTIONS, VERSION, left_out, question_about, read_answer


class ByModel:
    """Judges with a model at an endpoint, on top of the judge by words."""

    def __init__(self, model: LanguageModel, most_bytes: int = MODEL_BYTES) -> None:
        self._model = model
        self._most_bytes = most_bytes
        self.name = f"model {model.name} over {AlignmentJudge.name} {AlignmentJudge.version}"
        self.version = VERSION

    def judge(self, material: Material) -> Judgement:
        """Ask the model once; raises ModelError if it does not answer at all."""
        if not material.transcripts:
            return Judgement(_open("no source that is cited could be read as text"))
        by_words = [finding for transcript in material.transcripts for finding in align(material.statement, transcript)]
        # With several sources, words of one of them may well be missing in another.
        guard = by_words if len(material.transcripts) == 1 else ()
        if too_much := left_out(material.statement, material.transcripts, self._most_bytes):
            return Judgement(over_words(_open(f"{self._model.name} was not asked: {too_much}"), guard))
        question = question_about(material.statement, material.transcripts)
        answer = self._model.complete(INSTRUCTIONS, question)
        try:
            read = read_answer(answer, self._model.name)
        except ModelError as error:
            read = _open(str(error))
        findings = over_words(read, guard)
        return Judgement(findings, (Asked(self._model.name, INSTRUCTIONS, question, answer),))


def _open(told: str) -> tuple[Finding, ...]:
    return undecided(SUFFICIENCY, told), undecided(CONSISTENCY, told)


def over_words(findings: Sequence[Finding], by_words: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return a model's findings, each replaced by the FAIL by words if there is one."""
    failed = {finding.criterion: finding for finding in by_words if finding.status is FindingStatus.FAIL}
    return tuple(failed.get(finding.criterion, finding) for finding in findings)
