"""The facts in the graph about the statements that go into a packet: plain values, before any wording."""

from dataclasses import dataclass
from datetime import datetime

from a2ap.boundary import Boundary
from graph.requests.challenge_state import ChallengeStatus
from graph.scoring.standing import ClaimKind


@dataclass(frozen=True, slots=True)
class StatementFacts:
    """A statement in its present state; `boundary` is the class of the strictest document that it cites."""

    signed_hash: str
    statement_id: str
    author: str
    claim: str
    stated_confidence: float
    method: str | None
    generated_at: datetime
    received_at: datetime
    log_index: int
    origin: str | None
    boundary: Boundary
    score: float
    verified: bool
    machine_check: str | None
    key_trusted: bool
    retracted: bool
    superseded_by: str | None
    conflicted: bool
    probe: bool
    revises: tuple[str, str] | None = None
    """The id and signed hash of the author's own statement that it replaces."""
    claim_kind: ClaimKind | None = None
    """The kind of its claim; None if words of its evidence that it follows from were erased or are not here."""
    words_erased: bool = False
    """Whether a passage that it cites was erased, so that no verifier's words about it are repeated."""


@dataclass(frozen=True, slots=True)
class VerdictFacts:
    """A verdict that stands and counts: it binds its statement, and its key is trusted."""

    signed_hash: str
    verification_id: str
    statement: str
    agent: str
    machine: bool
    verdict: str
    confidence: float
    reason: str | None
    findings: tuple[tuple[str, str], ...]
    verified_at: datetime
    received_at: datetime
    log_index: int
    reputation: float


@dataclass(frozen=True, slots=True)
class PassageFacts:
    """A passage that a statement cites; `text` is None if it is not held, erased, or no text."""

    chunk_key: str
    statement: str
    document: str
    document_hash: str | None
    name: str
    media_type: str | None
    boundary: Boundary
    held: bool
    recorded_at: datetime
    byte_start: int
    byte_end: int
    text: str | None
    retain_until: datetime | None


@dataclass(frozen=True, slots=True)
class RequestFacts:
    """A verification request that still waits; `answered` is the number of operators that have given their verdicts."""

    signed_hash: str
    request_id: str
    statement: str
    agent: str
    answered: int
    wanted: int | None
    last_movement: datetime


@dataclass(frozen=True, slots=True)
class ChallengeFacts:
    """A challenge of a statement, and its status."""

    signed_hash: str
    verification_id: str
    statement: str
    agent: str
    status: ChallengeStatus
    last_movement: datetime


@dataclass(frozen=True, slots=True)
class DisputeFacts:
    """An open dispute of a selected statement with another, which may be outside of the packet."""

    dispute_id: str
    statement: str
    other: str
    other_id: str


@dataclass(frozen=True, slots=True)
class StateFacts:
    """The state that the facts were read from: the log's size, root hash and signed checkpoint, and the policy."""

    origin: str
    size: int
    root_hash: bytes
    checkpoint: str
    policy_hash: str
    policy_version: str
    threshold: float

    @property
    def reference(self) -> str:
        """Return the reference by which packets name this state; a later one has the same origin and a larger size."""
        return f"a2ap-log:{self.origin}@{self.size}#{self.root_hash.hex()}"


@dataclass(frozen=True, slots=True)
class Selection:
    """All facts for a packet: statements in the order in which they were requested, and the rest.

    `verdicts_not_read` counts verdicts beyond the latest ones of each statement.
    """

    state: StateFacts
    statements: tuple[StatementFacts, ...] = ()
    verdicts: tuple[VerdictFacts, ...] = ()
    passages: tuple[PassageFacts, ...] = ()
    requests: tuple[RequestFacts, ...] = ()
    challenges: tuple[ChallengeFacts, ...] = ()
    disputes: tuple[DisputeFacts, ...] = ()
    verdicts_not_read: int = 0
