"""Verdicts on statements, and the requests for them."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from a2ap.verification_response import FindingStatus, Verdict
from graph.graphql.agent import Agent
from graph.graphql.context import Info
from graph.graphql.fields import resolved

if TYPE_CHECKING:
    from graph.graphql.statement import Statement

strawberry.enum(Verdict, description="What a verifier concludes (A2AP §4.2).")
strawberry.enum(FindingStatus, description="What a verifier found on one criterion.")

LazyStatement = Annotated["Statement", strawberry.lazy("graph.graphql.statement")]


@strawberry.type(description="What a verifier found on one criterion (A2AP §2.3).")
class Finding:
    """One of a response's findings."""

    criterion: str
    status: FindingStatus
    confidence: float
    evidence: str = strawberry.field(description='In the verifier\'s words, "" where it is withheld.')


@strawberry.type(description="An agent's signed verdict on a statement (A2AP §2.3).")
class Verification:
    """A `:Verification` node with its agent."""

    id: strawberry.ID
    signed_hash: str = strawberry.field(description="The SHA-256 of what its agent signed.")
    document_hash: str = strawberry.field(description="The SHA-256 of the document as received.")
    verdict: Verdict
    confidence: float
    verified_at: datetime = strawberry.field(description="When, as its agent says.")
    received_at: datetime = strawberry.field(description="When, as this node says.")
    log_index: int
    signature: str
    agent: Agent
    machine: bool = strawberry.field(description="Whether this node's own check made it; that is never a vote.")
    binds: bool = strawberry.field(description="Whether it names its target by hash; otherwise it weighs nothing.")
    target_hash: str | None
    label: str | None = strawberry.field(description="RIGHT or WRONG, once that is known.")
    statement_hash: strawberry.Private[str]
    row: strawberry.Private[dict[str, Any]]

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> "Verification":
        """Return the verification that a row with `verification`, `agent` and `statement` describes."""
        found = row["verification"]
        return cls(
            id=found["verification_id"],
            signed_hash=found["signed_hash"],
            document_hash=found["document_hash"],
            verdict=Verdict(found["verdict"]),
            confidence=found["confidence"],
            verified_at=found["verified_at"],
            received_at=found["received_at"],
            log_index=found["log_index"],
            signature=found["signature"],
            agent=Agent.from_row(row["agent"]),
            machine=found["machine"],
            binds=found["binds"],
            target_hash=found.get("target_hash"),
            label=found.get("label"),
            statement_hash=row["statement"],
            row=found,
        )

    @resolved
    async def statement(self, info: Info) -> LazyStatement:
        """The statement that it judges."""
        return await info.context.loaders.statement_with(self.statement_hash)

    @resolved
    async def findings(self, info: Info) -> list[Finding]:
        """Criterion by criterion; a verifier need not answer all that it was asked."""
        hidden = await self.withheld(info) is not None
        columns = ("finding_criteria", "finding_statuses", "finding_confidences", "finding_evidence")
        return [
            Finding(
                criterion=criterion,
                status=FindingStatus(status),
                confidence=confidence,
                evidence="" if hidden else evidence,
            )
            for criterion, status, confidence, evidence in zip(
                *(self.row.get(column) or () for column in columns), strict=True
            )
        ]

    @resolved
    async def reason(self, info: Info) -> str | None:
        """In the verifier's words; absent where there is none or it is withheld."""
        return self.row.get("reason") if await self.withheld(info) is None else None

    @resolved
    async def withheld(self, info: Info) -> str | None:
        """Why the verifier's words are withheld from this reader, where they are."""
        return await info.context.loaders.reason_withheld_of(self.statement_hash)


@strawberry.type(description="An agent's request that a statement be verified (A2AP §2.2).")
class VerificationRequest:
    """A `:VerificationRequest` node."""

    id: strawberry.ID
    signed_hash: str
    criteria: list[str]
    requested_at: datetime
    received_at: datetime
    log_index: int
    agent_id: strawberry.Private[str]
    statement_hash: strawberry.Private[str]

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> "VerificationRequest":
        """Return the request that a row of `requests_of.cypher` describes."""
        request = row["request"]
        return cls(
            id=request["request_id"],
            signed_hash=request["signed_hash"],
            criteria=request["criteria"],
            requested_at=request["requested_at"],
            received_at=request["received_at"],
            log_index=request["log_index"],
            agent_id=row["agent"],
            statement_hash=row["statement"],
        )

    @resolved
    async def agent(self, info: Info) -> Agent:
        """Who asks."""
        (agent,) = await info.context.loaders.agents_with([self.agent_id])
        return agent

    @resolved
    async def statement(self, info: Info) -> LazyStatement:
        """What is to be verified."""
        return await info.context.loaders.statement_with(self.statement_hash)
