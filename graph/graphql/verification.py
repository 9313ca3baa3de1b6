"""Verdicts on statements."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from a2ap.times import instant_of
from a2ap.verification_response import Verdict
from graph.graphql.agent import Agent
from graph.graphql.challenge import ChallengeAnswer, ChallengeState, Pointer
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.fields import resolved
from graph.graphql.finding import Finding
from graph.graphql.key import KeyTrust
from graph.graphql.logged import Logged
from graph.graphql.node import Node
from graph.graphql.record_reference import RecordReference
from graph.graphql.redaction import Redaction
from graph.graphql.retraction import Retraction
from graph.graphql.subscriptions.place import Place, write_place
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.store import Row

if TYPE_CHECKING:
    from graph.graphql.statement import Statement
    from graph.graphql.verification_request import VerificationRequest

show_enum(
    Verdict,
    {
        "VALIDATED": "What it names PASS holds.",
        "CHALLENGED": "Something is wrong with it.",
        "INVALID_SIGNATURE": "It is not its author's.",
        "INSUFFICIENT_EVIDENCE": "What is there decides nothing.",
    },
    description="What a verifier concludes (A2AP §4.2).",
)

LazyStatement = Annotated["Statement", strawberry.lazy("graph.graphql.statement")]
LazyRequest = Annotated["VerificationRequest", strawberry.lazy("graph.graphql.verification_request")]


@strawberry.type(description="An agent's signed verdict on a statement (A2AP §2.3).")
class Verification(Node, Logged):
    """A `:Verification` node with its agent."""

    id: strawberry.ID = strawberry.field(description="Its id.")
    signed_hash: str = strawberry.field(description="The SHA-256 of what its agent signed.")
    document_hash: str = strawberry.field(description="The SHA-256 of the document as received.")
    verdict: Verdict = strawberry.field(description="What the verifier concludes.")
    confidence: float = strawberry.field(description="How sure it is, 0 to 1.")
    verified_at: datetime = strawberry.field(description="When, as its agent says.")
    received_at: datetime = strawberry.field(description="When, as this node says.")
    log_index: int = strawberry.field(description="Its place in the log.")
    signature: str = strawberry.field(description="The signature, in base64.")
    key_id: str = strawberry.field(description="The key that signed it, by its id; see `agent.keys`.")
    key_status: KeyTrust = strawberry.field(
        description="Whether that key is trusted where this stands in the log; where not, it weighs nothing."
    )
    retraction: Retraction | None = strawberry.field(
        description="How its agent took it back, where that is so; it then weighs nothing."
    )
    agent: Agent = strawberry.field(description="Who gave it.")
    machine: bool = strawberry.field(description="Whether this node's own check made it; that is never a vote.")
    binds: bool = strawberry.field(description="Whether it names its target by hash; otherwise it weighs nothing.")
    target_hash: str | None = strawberry.field(
        description="The signedHash of the statement that it is about; absent in A2AP §2.3's own form."
    )
    label: str | None = strawberry.field(description="RIGHT or WRONG, once that is known.")
    reason: str | None = strawberry.field(
        description="In the verifier's words; absent where there is none or it is withheld."
    )
    findings: list[Finding] = strawberry.field(
        description="Criterion by criterion; a verifier need not answer all that it was asked."
    )
    withheld: str | None = strawberry.field(
        description="Why the verifier's words are withheld from this reader, where they are: they may quote the source."
    )
    evidence: list[Pointer] = strawberry.field(description="The passages that it points at.")
    statement_hash: strawberry.Private[str]
    request_hash: strawberry.Private[str | None]
    superseded_hash: strawberry.Private[str | None]
    counter_hash: strawberry.Private[str | None]
    reference_hashes: strawberry.Private[list[str]]
    is_trusted: strawberry.Private[bool]

    @classmethod
    def from_row(cls, row: Row, withheld: str | None) -> "Verification":
        """Return the verification of a row of `verifications_of.cypher`, without words that are withheld."""
        return cls(
            id=row["verification_id"],
            signed_hash=row["signed_hash"],
            document_hash=row["document_hash"],
            verdict=Verdict(row["verdict"]),
            confidence=row["confidence"],
            verified_at=instant_of(row["verified_micros"]),
            received_at=instant_of(row["received_micros"]),
            log_index=row["log_index"],
            signature=row["signature"],
            key_id=row["key_id"],
            key_status=KeyTrust.of(row["key_trusted"]),
            retraction=Retraction.from_row(row, row["statement"]),
            agent=Agent.from_row(row),
            machine=row["machine"],
            binds=row["binds"],
            target_hash=row["target_hash"],
            label=row["label"],
            reason=row["reason"] if withheld is None else None,
            findings=Finding.from_columns(row, hidden=withheld is not None),
            withheld=withheld,
            evidence=Pointer.from_columns(row, hidden=withheld is not None),
            statement_hash=row["statement"],
            request_hash=row["request_hash"],
            superseded_hash=row["supersedes"],
            counter_hash=row["counter_statement"],
            reference_hashes=row["cross_references"] or [],
            is_trusted=row["key_trusted"],
        )

    def node_key(self) -> str:
        """Return what tells it from all others."""
        return self.signed_hash

    @resolved
    def cursor(self, info: Info) -> str:
        """The place behind it in the log: the `after` of a subscription that tells what comes next."""
        return write_place(info.context.platform.log.origin, Place(self.log_index + 1))

    @resolved
    async def redactions(self, info: Info) -> list[Redaction]:
        """What was erased of the document, oldest first; the signature holds all the same."""
        return await info.context.loaders.documents.redactions_of_message(self.document_hash)

    @resolved
    async def statement(self, info: Info) -> LazyStatement:
        """The statement that it judges."""
        return await info.context.loaders.statement_with(self.statement_hash)

    @resolved
    async def request(self, info: Info) -> LazyRequest | None:
        """The request that it says it answers."""
        return await info.context.loaders.checking.request_with(self.request_hash)

    @resolved
    async def supersedes(self, info: Info) -> "Verification | None":
        """The agent's own earlier verdict that it takes the place of."""
        return await info.context.loaders.checking.verdict_with(self.superseded_hash)

    @resolved
    async def superseded_by(self, info: Info) -> "Verification | None":
        """The agent's own later verdict that says it takes its place; the last of several."""
        checking = info.context.loaders.checking
        return await checking.verdict_with(await checking.superseded_by(self.signed_hash))

    @resolved
    async def counter_statement(self, info: Info) -> LazyStatement | None:
        """The agent's own statement that contradicts the one that it challenges."""
        return None if self.counter_hash is None else await info.context.loaders.statement_with(self.counter_hash)

    @resolved
    async def cross_references(self, info: Info) -> list[LazyStatement]:
        """The other statements that the verifier looked at."""
        return await info.context.loaders.statements_with(self.reference_hashes)

    @resolved
    async def records(self, info: Info) -> list[RecordReference]:
        """The records that it came out of: what its verifier did to reach it."""
        return await info.context.loaders.records.of_verification(self.signed_hash)

    @resolved
    async def answers(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[ChallengeAnswer]:
        """What the author of the statement answered, where this challenges it; oldest first."""
        span = Span.asked(Ordering("answers to a challenge"), first, after, last, before)
        return await info.context.loaders.checking.connect_answers_of(self.signed_hash, span)

    @resolved
    async def challenge_state(self, info: Info) -> ChallengeState | None:
        """What became of it, where it is a challenge."""
        if self.verdict is not Verdict.CHALLENGED:
            return None
        return ChallengeState.from_computed(await info.context.loaders.checking.state_of(self))
