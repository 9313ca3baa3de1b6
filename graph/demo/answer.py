"""Answers to a question: the statements about its topic, with their evidence and the history of their verification."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from a2ap.client import Client
from graph.answers.question import topic_of
from graph.demo.ranking import rank

MAX_ANSWERS = 100
_QUERY = """
query StatementsAbout($topic: String!, $first: Int!) {
  statementsAbout(topic: $topic, first: $first) {
    id
    claimText
    confidence
    consensusScore
    verified
    machineCheck
    status
    retraction { retractedAt reason }
    supersededBy { id }
    generatedBy { id name }
    citations {
      sourceDocument
      byteRange { start end }
      quote
      relevanceScore
      timestamp { start end startMilliseconds }
      chunk { document { hash title mediaType byteLength } }
    }
    verifications {
      verdict
      confidence
      verifiedAt
      machine
      binds
      retraction { id }
      reason
      agent { id name endorsedBy { id name } }
      findings { criterion status evidence confidence }
    }
    consensus { ignored { verifier } }
  }
}
"""


@dataclass(frozen=True, slots=True)
class Quotation:
    """A cited passage: half-open byte range, cue times as `HH:MM:SS`, and the words; `quote` is "" where withheld.

    `media_type` and `byte_length` are of the whole document, None where nobody registered it.
    """

    document: str
    document_hash: str | None
    title: str | None
    start: int
    end: int
    timestamp: tuple[str, str] | None
    start_ms: int | None
    quote: str
    relevance: float
    media_type: str | None = None
    byte_length: int | None = None


@dataclass(frozen=True, slots=True)
class VerdictGiven:
    """What one agent made of a statement; `operators` are the names of those who answer for the agent.

    `counts` is False where consensus ignores the verdict: the author's own, one that a later one supersedes.
    """

    agent: str
    name: str
    operators: tuple[str, ...]
    verdict: str
    confidence: float
    findings: tuple[dict[str, Any], ...]
    responded_at: str
    machine: bool
    reason: str | None = None
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """A statement as an answer."""

    statement: str
    claim: str
    confidence: float
    consensus_score: float
    verified: bool
    machine_check: str
    agent: str
    agent_name: str
    evidence: tuple[Quotation, ...]
    verifications: tuple[VerdictGiven, ...]
    status: str = "CURRENT"
    retracted_because: str | None = None
    superseded_by: str | None = None

    @property
    def said(self) -> tuple[Quotation, ...]:
        """The passages that the claim rests on most, in the order of the claim; the others say who and what about."""
        most = max((quotation.relevance for quotation in self.evidence), default=0.0)
        return tuple(quotation for quotation in self.evidence if quotation.relevance == most)

    def as_json(self) -> dict[str, Any]:
        """Return the answer as `a2ap demo --json` and `a2ap ask --json` print it."""
        return {
            "statement": self.statement,
            "claim": self.claim,
            "confidence": self.confidence,
            "consensusScore": self.consensus_score,
            "verified": self.verified,
            "status": self.status,
            "agent": self.agent,
            "evidence": [
                {
                    "document": quotation.document,
                    "documentHash": quotation.document_hash,
                    "byteRange": {"start": quotation.start, "end": quotation.end},
                    "timestamp": _span(quotation.timestamp),
                    "quote": quotation.quote,
                }
                for quotation in self.evidence
            ],
            "verifications": [
                {
                    "agent": given.agent,
                    "verdict": given.verdict,
                    "confidence": given.confidence,
                    "findings": list(given.findings),
                    "respondedAt": given.responded_at,
                }
                for given in self.verifications
            ],
        }


def ask(client: Client, question: str, first: int = MAX_ANSWERS) -> tuple[Answer, ...]:
    """Return what is known about the topic of a question, the best answer first; it looks at 100 statements at most."""
    topic = topic_of(question)
    if not topic:
        return ()
    data = client.graphql(_QUERY, {"topic": topic, "first": first})
    answers = [_read_answer(row) for row in data["statementsAbout"]]
    order = rank(topic, [answer.claim for answer in answers], [answer.verified for answer in answers])
    return tuple(answers[place] for place in order)


def answers_about(answers: Sequence[Answer], document_hash: str) -> tuple[Answer, ...]:
    """Return the answers that rest on one document, in their order."""
    return tuple(
        answer for answer in answers if any(quotation.document_hash == document_hash for quotation in answer.evidence)
    )


def _span(timestamp: tuple[str, str] | None) -> dict[str, str] | None:
    return None if timestamp is None else {"start": timestamp[0], "end": timestamp[1]}


def _read_answer(row: dict[str, Any]) -> Answer:
    return Answer(
        statement=row["id"],
        claim=row["claimText"],
        confidence=row["confidence"],
        consensus_score=row["consensusScore"],
        verified=row["verified"],
        machine_check=row["machineCheck"],
        agent=row["generatedBy"]["id"],
        agent_name=row["generatedBy"]["name"],
        evidence=tuple(_read_quotation(citation) for citation in row["citations"]),
        verifications=_read_verdicts(row["verifications"], [one["verifier"] for one in row["consensus"]["ignored"]]),
        status=row["status"],
        retracted_because=row["retraction"]["reason"] if row["retraction"] else None,
        superseded_by=row["supersededBy"]["id"] if row["supersededBy"] else None,
    )


def _read_quotation(row: dict[str, Any]) -> Quotation:
    timestamp, document = row["timestamp"], row["chunk"]["document"]
    return Quotation(
        document=row["sourceDocument"],
        document_hash=document["hash"],
        title=document["title"],
        start=row["byteRange"]["start"],
        end=row["byteRange"]["end"],
        timestamp=None if timestamp is None else (timestamp["start"], timestamp["end"]),
        start_ms=None if timestamp is None else timestamp["startMilliseconds"],
        quote=row["quote"],
        relevance=1.0 if row["relevanceScore"] is None else row["relevanceScore"],
        media_type=document["mediaType"],
        byte_length=document["byteLength"],
    )


def _read_verdicts(rows: Sequence[dict[str, Any]], ignored: Sequence[str]) -> tuple[VerdictGiven, ...]:
    """Return the verdicts in their order; `ignored` has an agent as often as a verdict of it is ignored."""
    left = Counter(ignored)
    without = set()
    # Of one agent's verdicts the retracted ones are ignored, those that bind to nothing, then the oldest ones; rows are
    # oldest first.
    for place in sorted(range(len(rows)), key=lambda place: (rows[place]["retraction"] is None, rows[place]["binds"])):
        agent = rows[place]["agent"]["id"]
        if left[agent] > 0:
            left[agent] -= 1
            without.add(place)
    return tuple(_read_verdict(row, counts=place not in without) for place, row in enumerate(rows))


def _read_verdict(row: dict[str, Any], *, counts: bool) -> VerdictGiven:
    return VerdictGiven(
        agent=row["agent"]["id"],
        name=row["agent"]["name"],
        operators=tuple(operator["name"] for operator in row["agent"]["endorsedBy"]),
        verdict=row["verdict"],
        confidence=row["confidence"],
        findings=tuple(dict(finding) for finding in row["findings"]),
        responded_at=row["verifiedAt"],
        machine=row["machine"],
        reason=row["reason"],
        counts=counts,
    )
