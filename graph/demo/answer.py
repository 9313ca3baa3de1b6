"""Answers to a question: the statements about its topic, with their evidence and the history of their verification."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graph.scoring.result import Interval
from graph.scoring.standing import ClaimKind, interval_members, standing_of, standing_sentence


@dataclass(frozen=True, slots=True)
class Quotation:
    """A cited passage: half-open byte range, cue times as `HH:MM:SS`, and the words; `quote` is "" if withheld.

    `withheld` says whether the words are withheld; `media_type` and `byte_length` are of the whole document, None if it
    is not registered.
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
    withheld: bool = False


@dataclass(frozen=True, slots=True)
class VerdictGiven:
    """One agent's verdict on a statement; `operators` are the names of the agent's operators.

    `counts` is False if consensus ignores the verdict: the author's own, or one that a later verdict supersedes.
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
    """A statement as an answer: `accepted`, or with the missing conditions in `missing`.

    `claim_kind` is None if the reader may not see it; `interval` and `operators` are those of the score.
    """

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
    claim_kind: ClaimKind | None
    interval: Interval | None
    operators: int
    status: str = "CURRENT"
    retracted_because: str | None = None
    superseded_by: str | None = None
    accepted: bool = False
    missing: tuple[str, ...] = ()

    @property
    def said(self) -> tuple[Quotation, ...]:
        """The passages that the claim rests on most, in the order of the claim; the others give speaker and topic."""
        most = max((quotation.relevance for quotation in self.evidence), default=0.0)
        return tuple(quotation for quotation in self.evidence if quotation.relevance == most)

    @property
    def standing(self) -> str:
        """The words for the standing of the statement."""
        return standing_of(self.claim_kind, verified=self.verified)

    def as_json(self) -> dict[str, Any]:
        """Return the answer as `a2ap demo --json` and `a2ap ask --json` print it."""
        return {
            "statement": self.statement,
            "claim": self.claim,
            "claimKind": self.claim_kind,
            "standing": standing_sentence(self.claim_kind, verified=self.verified),
            "confidence": self.confidence,
            "consensusScore": self.consensus_score,
            "interval": interval_members(self.interval),
            "operators": self.operators,
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


def answers_about(answers: Sequence[Answer], document_hash: str) -> tuple[Answer, ...]:
    """Return the answers that cite one document, in their order."""
    return tuple(
        answer for answer in answers if any(quotation.document_hash == document_hash for quotation in answer.evidence)
    )


def _span(timestamp: tuple[str, str] | None) -> dict[str, str] | None:
    return None if timestamp is None else {"start": timestamp[0], "end": timestamp[1]}
