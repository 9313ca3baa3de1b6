"""A judge of the demonstration that asks a language model over a judge by words, and falls back on the words alone."""

from collections.abc import Callable

from a2ap.messages.finding import Finding
from a2ap.messages.statement import ProvenanceStatement
from graph.models.chat_model import LanguageModel
from graph.models.errors import ModelError
from graph.transcripts.transcript import Transcript
from graph.verifier.judging import Judge
from graph.verifier.model_answer import INSTRUCTIONS, VERSION, question_about, read_answer
from graph.verifier.model_criteria import over_words


class ModelJudge:
    """Judges with a model over a judge by words; `say` receives one line if the model's answer is unusable."""

    def __init__(self, model: LanguageModel, by_words: Judge, say: Callable[[str], None] = lambda _: None) -> None:
        self._model = model
        self._by_words = by_words
        self._say = say
        self.name = f"model {model.name} over {by_words.name} {by_words.version}"
        self.version = VERSION

    def judge(self, statement: ProvenanceStatement, transcript: Transcript) -> tuple[Finding, ...]:
        """Answer source accuracy by the bytes, and the other two criteria with the model."""
        by_words = self._by_words.judge(statement, transcript)
        try:
            answer = self._model.complete(INSTRUCTIONS, question_about(statement, [transcript]))
            judged = over_words(read_answer(answer, self._model.name), by_words)
        except ModelError as error:
            self._say(f"{error}; judging by words instead")
            return by_words
        names = {finding.criterion for finding in judged}
        return (*judged, *(finding for finding in by_words if finding.criterion not in names))
