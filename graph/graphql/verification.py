"""Verdicts on statements."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from a2ap.messages.finding import FindingStatus
from a2ap.messages.verification_response import Verdict
from a2ap.times import instant_of
from graph.graphql.agent import Agent
from graph.graphql.challenge import ChallengeAnswer, ChallengeState, Pointer
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.fields import resolved
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
    FindingStatus,
    {
        "PASS": "The criterion is met.",
        "FAIL": "The criterion is not met.",
        "INCONCLUSIVE": "The verifier cannot decide.",
    },
    description="The outcome of a verifier's check of one criterion.",
)


@strawberry.type(description="The result of a verifier's check of one criterion (A2AP §2.3).")
class Finding:
    """One finding of a verification response."""

    criterion: str = strawberry.field(description="The criterion.")
    status: FindingStatus = strawberry.field(description="The outcome.")
    confidence: float = strawberry.field(description="The confidence of the verifier in the finding, 0 to 1.")
    evidence: str = strawberry.field(description='The evidence in the verifier\'s words, "" if withheld.')

    @classmethod
    def from_columns(cls, row: Row, *, hidden: bool) -> "list[Finding]":
        """Return the findings of a row of `verifications_of.cypher`, without the verifier's words if `hidden`."""
        columns = zip(
            row["finding_criteria"],
            row["finding_statuses"],
            row["finding_confidences"],
            row["finding_evidence"],
            strict=True,
        )
        return [
            cls(
                criterion=criterion,
                status=FindingStatus(status),
                confidence=confidence,
                evidence="" if hidden else evidence,
            )
            for criterion, status, confidence, evidence in columns
        ]


show_enum(
    Verdict,
    {
        "VALIDATED": "The criteria with finding PASS are met.",
        "CHALLENGED": "The statement is wrong in some respect.",
        "INVALID_SIGNATURE": "The statement is not signed by its author.",
        "INSUFFICIENT_EVIDENCE": "The evidence is not sufficient to decide.",
    },
    description="The conclusion of a verifier (A2AP §4.2).",
)

LazyStatement = Annotated["Statement", strawberry.lazy("graph.graphql.statement")]
LazyRequest = Annotated["VerificationRequest", strawberry.lazy("graph.graphql.verification_request")]


@strawberry.type(description="An agent's signed verdict on a statement (A2AP §2.3).")
class Verification(Node, Logged):
    """A `:Verification` node with its agent."""

    id: strawberry.ID = strawberry.field(description="The id of the verdict.")
    signed_hash: str = strawberry.field(description="The SHA-256 of the signed bytes.")
    document_hash: str = strawberry.field(description="The SHA-256 of the document as received.")
    verdict: Verdict = strawberry.field(description="The conclusion of the verifier.")
    confidence: float = strawberry.field(description="The confidence of the verifier, 0 to 1.")
    verified_at: datetime = strawberry.field(description="The time of the verdict, as stated by its agent.")
    received_at: datetime = strawberry.field(description="The time of receipt by this node.")
    log_index: int = strawberry.field(description="The log index of the verdict.")
    signature: str = strawberry.field(description="The signature, in base64.")
    key_id: str = strawberry.field(description="The id of the signing key; see `agent.keys`.")
    key_status: KeyTrust = strawberry.field(
        description="Whether that key is trusted at the verdict's log index; if not, the verdict has no weight."
    )
    retraction: Retraction | None = strawberry.field(
        description="The retraction by its agent; null if not retracted. A retracted verdict has no weight."
    )
    agent: Agent = strawberry.field(description="The agent that gave the verdict.")
    machine: bool = strawberry.field(
        description="Whether this node's own check made it; such a verdict is never a vote."
    )
    binds: bool = strawberry.field(
        description="Whether the verdict names its target by hash; otherwise it has no weight."
    )
    target_hash: str | None = strawberry.field(
        description="The signedHash of the target statement; null in the form of A2AP §2.3."
    )
    label: str | None = strawberry.field(description="The known outcome, RIGHT or WRONG; null if unknown.")
    reason: str | None = strawberry.field(
        description="The reason in the verifier's words; null if there is none or it is withheld."
    )
    findings: list[Finding] = strawberry.field(
        description="The findings, criterion by criterion; a verifier may leave requested criteria unanswered."
    )
    withheld: str | None = strawberry.field(
        description="The reason if the verifier's words are withheld from this reader, otherwise null; they may "
        "quote the source."
    )
    evidence: list[Pointer] = strawberry.field(description="The passages that the verdict cites.")
    statement_hash: strawberry.Private[str]
    request_hash: strawberry.Private[str | None]
    superseded_hash: strawberry.Private[str | None]
    counter_hash: strawberry.Private[str | None]
    reference_hashes: strawberry.Private[list[str]]
    is_trusted: strawberry.Private[bool]

    @classmethod
    def from_row(cls, row: Row, withheld: str | None) -> "Verification":
        """Return the verification of a row of `verifications_of.cypher`, without text that is withheld."""
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
        """Return the key that is unique to this verdict."""
        return self.signed_hash

    @resolved
    def cursor(self, info: Info) -> str:
        """The cursor after its log entry, for the `after` of a subscription to later events."""
        return write_place(info.context.platform.log.origin, Place(self.log_index + 1))

    @resolved
    async def redactions(self, info: Info) -> list[Redaction]:
        """The redactions of the document, oldest first; the signature remains valid."""
        return await info.context.loaders.documents.redactions_of_message(self.document_hash)

    @resolved
    async def statement(self, info: Info) -> LazyStatement:
        """The statement judged."""
        return await info.context.loaders.statement_with(self.statement_hash)

    @resolved
    async def request(self, info: Info) -> LazyRequest | None:
        """The request that the verdict answers, as stated by its agent."""
        return await info.context.loaders.checking.request_with(self.request_hash)

    @resolved
    async def supersedes(self, info: Info) -> "Verification | None":
        """The agent's own earlier verdict that this verdict replaces."""
        return await info.context.loaders.checking.verdict_with(self.superseded_hash)

    @resolved
    async def superseded_by(self, info: Info) -> "Verification | None":
        """The agent's own later verdict that replaces this one, as stated by it; the last of several."""
        checking = info.context.loaders.checking
        return await checking.verdict_with(await checking.superseded_by(self.signed_hash))

    @resolved
    async def counter_statement(self, info: Info) -> LazyStatement | None:
        """The agent's own statement that contradicts the challenged one."""
        return None if self.counter_hash is None else await info.context.loaders.statement_with(self.counter_hash)

    @resolved
    async def cross_references(self, info: Info) -> list[LazyStatement]:
        """The other statements that the verifier examined."""
        return await info.context.loaders.statements_with(self.reference_hashes)

    @resolved
    async def records(self, info: Info) -> list[RecordReference]:
        """The records that the verdict was generated by: the runs of its verifier."""
        return await info.context.loaders.records.of_verification(self.signed_hash)

    @resolved
    async def answers(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[ChallengeAnswer]:
        """The answers of the statement's author to a challenge, oldest first."""
        span = Span.asked(Ordering("answers to a challenge"), first, after, last, before)
        return await info.context.loaders.checking.connect_answers_of(self.signed_hash, span)

    @resolved
    async def challenge_state(self, info: Info) -> ChallengeState | None:
        """The state of the challenge; null if the verdict is no challenge."""
        if self.verdict is not Verdict.CHALLENGED:
            return None
        return ChallengeState.from_computed(await info.context.loaders.checking.state_of(self))
