"""Challenges: their state, the authors' answers, the declines of verifiers, and the passages that these cite."""

from datetime import datetime

import strawberry

from a2ap.times import instant_of
from graph.graphql.agent import Agent
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.fields import resolved
from graph.graphql.key import KeyTrust
from graph.graphql.logged import Logged
from graph.requests.challenge_state import ChallengeState as ComputedState
from graph.requests.challenge_state import ChallengeStatus
from graph.store import Row

show_enum(
    ChallengeStatus,
    {
        "OPEN": "The challenge is undecided and unanswered.",
        "ANSWERED": "The author has answered; the challenge is undecided.",
        "UPHELD": "The challenge is right, by current knowledge.",
        "DISMISSED": "The challenge is wrong, or the verifier has withdrawn it.",
    },
    description="The state of a challenge.",
)


@strawberry.type(description="The state of a challenge, derived from current knowledge.")
class ChallengeState:
    """The state that `graph.requests.challenge_state` derives."""

    status: ChallengeStatus = strawberry.field(description="The state.")
    reason: str = strawberry.field(description="The reason for the state, in a sentence.")

    @classmethod
    def from_computed(cls, state: ComputedState) -> "ChallengeState":
        """Return a computed state as the schema shows it."""
        return cls(status=state.status, reason=state.reason)


@strawberry.type(description="A passage that a verdict, or the answer to a challenge, cites.")
class Pointer:
    """A cited passage, without its text."""

    source_document: strawberry.ID = strawberry.field(description="The name of the source, as cited.")
    document_hash: str | None = strawberry.field(description="The SHA-256 of the source, if stated.")
    chunk_id: strawberry.ID = strawberry.field(description="The id of the passage.")
    byte_start: int = strawberry.field(description="The first byte.")
    byte_end: int = strawberry.field(description="The byte after the last one.")
    content_hash: str | None = strawberry.field(
        description="The SHA-256 of the passage, if stated; null if text about the passage is withheld."
    )

    @classmethod
    def from_columns(cls, row: Row, *, hidden: bool) -> list["Pointer"]:
        """Return the passages in the parallel lists of a row, without their hashes if `hidden`."""
        if row["evidence_sources"] is None:
            return []
        names = ("sources", "documents", "chunks", "starts", "ends", "hashes")
        columns = zip(*(row[f"evidence_{name}"] for name in names), strict=True)
        return [
            cls(
                source_document=source,
                document_hash=document or None,
                chunk_id=chunk,
                byte_start=start,
                byte_end=end,
                content_hash=None if hidden else content_hash or None,
            )
            for source, document, chunk, start, end, content_hash in columns
        ]


@strawberry.type(description="The answer of a statement's author to a challenge (a2ap:ChallengeAnswer).")
class ChallengeAnswer(Logged):
    """A `:ChallengeAnswer` node."""

    id: strawberry.ID = strawberry.field(description="The id of the answer.")
    signed_hash: str = strawberry.field(
        description="The hash of the signed bytes, by which other messages name the answer."
    )
    document_hash: str = strawberry.field(description="The SHA-256 of the document as received.")
    text: str = strawberry.field(description='The text of the answer, in the author\'s words; "" if withheld.')
    withheld: str | None = strawberry.field(
        description="The reason if the text is withheld from this reader, otherwise null."
    )
    evidence: list[Pointer] = strawberry.field(description="The passages that the answer cites.")
    answered_at: datetime = strawberry.field(description="The time of the answer, as stated by its agent.")
    received_at: datetime = strawberry.field(description="The time of receipt by this node.")
    log_index: int = strawberry.field(description="The log index of the answer.")
    key_status: KeyTrust = strawberry.field(description="Whether the signing key is trusted at that log index.")
    agent_id: strawberry.Private[str]

    @classmethod
    def from_row(cls, row: Row, withheld: str | None) -> "ChallengeAnswer":
        """Return the answer in a row of `answers_of.cypher`, without text that is withheld."""
        return cls(
            id=row["answer_id"],
            signed_hash=row["signed_hash"],
            document_hash=row["document_hash"],
            text=row["text"] if withheld is None else "",
            withheld=withheld,
            evidence=Pointer.from_columns(row, hidden=withheld is not None),
            answered_at=instant_of(row["answered_micros"]),
            received_at=instant_of(row["received_micros"]),
            log_index=row["log_index"],
            key_status=KeyTrust.of(row["key_trusted"]),
            agent_id=row["agent_id"],
        )

    @resolved
    async def agent(self, info: Info) -> Agent:
        """The author of the challenged statement."""
        (agent,) = await info.context.loaders.agents_with([self.agent_id])
        return agent


@strawberry.type(
    description="The refusal of a verifier to answer a request, with its reason (a2ap:VerificationDecline)."
)
class VerificationDecline(Logged):
    """A `:VerificationDecline` node."""

    id: strawberry.ID = strawberry.field(description="The id of the decline.")
    signed_hash: str = strawberry.field(
        description="The hash of the signed bytes, by which other messages name the decline."
    )
    reason: str = strawberry.field(description='The reason, in the verifier\'s words; "" if withheld.')
    withheld: str | None = strawberry.field(
        description="The reason if the verifier's words are withheld from this reader, otherwise null."
    )
    declined_at: datetime = strawberry.field(description="The time of the decline, as stated by its agent.")
    log_index: int = strawberry.field(description="The log index of the decline.")
    agent_id: strawberry.Private[str]

    @classmethod
    def from_row(cls, row: Row, withheld: str | None) -> "VerificationDecline":
        """Return the decline in a row of `declines_of.cypher`, without text that is withheld."""
        return cls(
            id=row["decline_id"],
            signed_hash=row["signed_hash"],
            reason=row["reason"] if withheld is None else "",
            withheld=withheld,
            declined_at=instant_of(row["declined_micros"]),
            log_index=row["log_index"],
            agent_id=row["agent_id"],
        )

    @resolved
    async def agent(self, info: Info) -> Agent:
        """The verifier that declines."""
        (agent,) = await info.context.loaders.agents_with([self.agent_id])
        return agent
