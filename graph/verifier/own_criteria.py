"""The platform's own criteria, the targets of its entry points of `a2ap.criteria`."""

from collections.abc import Callable
from dataclasses import dataclass

from a2ap.messages.finding import Finding
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verdict import SUFFICIENCY
from a2ap.verifier.errors import VerifierError
from a2ap.verifier.findings import undecided
from graph.transcripts.transcript import Transcript
from graph.verifier.alignment import AlignmentJudge, align
from graph.verifier.criteria import METHODS, Criterion, Judgement, Tools
from graph.verifier.judging import CONSISTENCY, best_of
from graph.verifier.material import Material
from graph.verifier.search import SearchJudge
from graph.verifier.source_check import check_sources


@dataclass(frozen=True, slots=True)
class ByBytes:
    """Source accuracy, exactness of quotes and match of times, by the bytes of the sources."""

    name: str = "bytes"
    version: str = "2"

    def judge(self, material: Material) -> Judgement:
        """Compare every segment of the evidence with the bytes that it cites."""
        return Judgement(check_sources(material.statement, material.sources))


@dataclass(frozen=True, slots=True)
class ByTranscript:
    """Evidence sufficiency and logical consistency, by the words of each source that is a text."""

    name: str
    version: str
    answer: Callable[[ProvenanceStatement, Transcript], tuple[Finding, ...]]

    def judge(self, material: Material) -> Judgement:
        """Judge by each source alone; the source that supports the claim best decides."""
        answers = [self.answer(material.statement, transcript) for transcript in material.transcripts]
        if not answers:
            told = "no source that is cited could be read as text"
            return Judgement((undecided(SUFFICIENCY, told), undecided(CONSISTENCY, told)))
        return Judgement(best_of(answers))


def by_bytes(tools: Tools) -> Criterion:
    """Make the criteria that are decided by bytes."""
    return ByBytes()


def by_method(tools: Tools) -> Criterion:
    """Make evidence sufficiency and logical consistency by the chosen method.

    Raises VerifierError, and ModelError if the model is not installed.
    """
    if tools.method == "words":
        return ByTranscript(AlignmentJudge.name, AlignmentJudge.version, align)
    if tools.method == "search":
        return ByTranscript(SearchJudge.name, SearchJudge.version, SearchJudge().answer)
    if tools.method == "embeddings":
        from graph.verifier.embedding_judge import EmbeddingJudge

        judge = EmbeddingJudge.open()
        return ByTranscript(judge.name, judge.version, judge.answer)
    if tools.method == "model":
        from graph.verifier.model_criteria import ByModel

        if tools.model is None:
            raise VerifierError("A2AP_LLM_URL and A2AP_LLM_MODEL do not say which model judges")
        return ByModel(tools.model, tools.model_bytes)
    raise VerifierError(f"{tools.method!r} is not one of {', '.join(METHODS)}")
