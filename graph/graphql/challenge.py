"""Challenges: what became of them, what the challenged authors answered, and the passages that both point at."""

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
        "OPEN": "Nothing decides it yet.",
        "ANSWERED": "The author has answered, and nothing decides it.",
        "UPHELD": "It was right, by what is known.",
        "DISMISSED": "It was wrong, or taken back.",
    },
    description="What became of a challenge.",
)


@strawberry.type(description="What became of a challenge, derived from what is known now.")
class ChallengeState:
    """The state that `graph.requests.challenge_state` derives."""

    status: ChallengeStatus = strawberry.field(description="What became of it.")
    reason: str = strawberry.field(description="Why, in a sentence.")

    @classmethod
    def from_computed(cls, state: ComputedState) -> "ChallengeState":
        """Return the state as the schema shows it."""
        return cls(status=state.status, reason=state.reason)


@strawberry.type(description="A passage that a verdict, or the answer to one, points at.")
class Pointer:
    """One of the passages, without its words."""

    source_document: strawberry.ID = strawberry.field(description="The name of the source, as cited.")
    document_hash: str | None = strawberry.field(description="The SHA-256 of the source, where it is stated.")
    chunk_id: strawberry.ID = strawberry.field(description="The id of the passage.")
    byte_start: int = strawberry.field(description="The first byte.")
    byte_end: int = strawberry.field(description="The byte after the last one.")
    content_hash: str | None = strawberry.field(
        description="The SHA-256 of the passage, where it is stated; null where words about it are withheld."
    )

    @classmethod
    def from_columns(cls, row: Row, *, hidden: bool) -> list["Pointer"]:
        """Return the passages in the parallel lists of a row, without their hashes if the words are `hidden`."""
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


@strawberry.type(description="What the author of a statement answers to a challenge (a2ap:ChallengeAnswer).")
class ChallengeAnswer(Logged):
    """A `:ChallengeAnswer` node."""

    id: strawberry.ID = strawberry.field(description="Its id.")
    signed_hash: str = strawberry.field(description="The hash of what is signed of it, by which others name it.")
    document_hash: str = strawberry.field(description="The hash of its bytes as they were received.")
    text: str = strawberry.field(description='In the author\'s words, "" where they are withheld.')
    withheld: str | None = strawberry.field(description="Why the words are withheld from this reader, where they are.")
    evidence: list[Pointer] = strawberry.field(description="The passages that it points at.")
    answered_at: datetime = strawberry.field(description="When, as its agent says.")
    received_at: datetime = strawberry.field(description="When, as this node says.")
    log_index: int = strawberry.field(description="Its place in the log.")
    key_status: KeyTrust = strawberry.field(description="Whether the key that signed it is trusted there.")
    agent_id: strawberry.Private[str]

    @classmethod
    def from_row(cls, row: Row, withheld: str | None) -> "ChallengeAnswer":
        """Return the answer in a row of `answers_of.cypher`, without words that are withheld."""
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


@strawberry.type(description="A verifier will not answer a request, and says why (a2ap:VerificationDecline).")
class VerificationDecline(Logged):
    """A `:VerificationDecline` node."""

    id: strawberry.ID = strawberry.field(description="Its id.")
    signed_hash: str = strawberry.field(description="The hash of what is signed of it, by which others name it.")
    reason: str = strawberry.field(description='In the verifier\'s words, "" where they are withheld.')
    withheld: str | None = strawberry.field(description="Why the words are withheld from this reader, where they are.")
    declined_at: datetime = strawberry.field(description="When, as its agent says.")
    log_index: int = strawberry.field(description="Its place in the log.")
    agent_id: strawberry.Private[str]

    @classmethod
    def from_row(cls, row: Row, withheld: str | None) -> "VerificationDecline":
        """Return the decline in a row of `declines_of.cypher`, without words that are withheld."""
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
        """Who declines."""
        (agent,) = await info.context.loaders.agents_with([self.agent_id])
        return agent
