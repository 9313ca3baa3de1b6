"""Claims in other words, true and false, written by hand over the shipped captions, and the verdicts on them."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from a2ap.messages.evidence import EvidenceSegment
from a2ap.messages.finding import FindingStatus
from a2ap.messages.verdict import SUFFICIENCY, verdict_of
from a2ap.messages.verification_response import Verdict
from bench.utterances import blank_statement, cite_sentences, stated
from graph.transcripts.transcript import Transcript
from graph.verifier.alignment import AlignmentJudge
from graph.verifier.judging import Judge
from graph.verifier.search import SearchJudge

PARAPHRASES = Path(__file__).parent.parent / "tests" / "vectors" / "paraphrases.json"
_COUNTED = ("accepted", "refused", "open", "sufficient")
_ANSWERS = {Verdict.VALIDATED: "accepted", Verdict.CHALLENGED: "refused"}


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """A claim, its truth, its kind, and words that identify the sentences of the captions that it cites."""

    claim: str
    true: bool
    kind: str
    cites: tuple[str, ...]


def read_paraphrases(path: Path = PARAPHRASES) -> tuple[Paraphrase, ...]:
    """Read the hand-written claims."""
    return tuple(
        Paraphrase(row["claim"], row["true"], row["kind"], tuple(row["cites"]))
        for row in json.loads(path.read_text(encoding="utf-8"))["paraphrases"]
    )


def evidence_of(paraphrase: Paraphrase, transcript: Transcript) -> tuple[EvidenceSegment, ...]:
    """Return the evidence of a paraphrase; raises ValueError if the captions do not hold the words that it cites."""
    found = []
    for words in paraphrase.cites:
        sentence = next((one for one in transcript.sentences if words in one.text), None)
        if sentence is None:
            raise ValueError(f"the captions do not hold {words!r}")
        found.append(sentence)
    return cite_sentences(found, transcript)


def judge_paraphrases(transcript: Transcript, judges: Sequence[Judge] = ()) -> dict[str, Any]:
    """Return how many claims each verifier accepts, refuses and leaves open, true ones and false ones.

    `sufficient` counts the claims whose evidence the verifier calls sufficient, regardless of its verdict.
    """
    blank = blank_statement(transcript)
    paraphrases = read_paraphrases()
    result: dict[str, Any] = {"true": sum(p.true for p in paraphrases), "false": sum(not p.true for p in paraphrases)}
    result["verifiers"] = {}
    for judge in judges or (AlignmentJudge(), SearchJudge()):
        answers = {
            truth: Counter({"accepted": 0, "refused": 0, "open": 0, "sufficient": 0}) for truth in ("true", "false")
        }
        for paraphrase in paraphrases:
            statement = stated(blank, paraphrase.claim, evidence_of(paraphrase, transcript))
            findings = judge.judge(statement, transcript)
            counts = answers["true" if paraphrase.true else "false"]
            counts[_ANSWERS.get(verdict_of(findings), "open")] += 1
            counts["sufficient"] += any(f.criterion == SUFFICIENCY and f.status is FindingStatus.PASS for f in findings)
        result["verifiers"][judge.name] = {truth: dict(counts) for truth, counts in answers.items()}
    return result
