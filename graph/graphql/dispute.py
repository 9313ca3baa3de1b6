"""Disputes: statements that exclude each other, with both sides."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import strawberry

from a2ap.messages.verification_response import Verdict
from graph.disputes.detector import Detected, Ground, Nearness
from graph.disputes.disputes import Dispute as FoundDispute
from graph.disputes.disputes import DisputeState, Party, ordered
from graph.graphql.agent import Agent
from graph.graphql.connection import Connection, connect_known
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.fields import resolved
from graph.lists.cursor import Ordering
from graph.lists.span import Span

if TYPE_CHECKING:
    from graph.graphql.statement import Statement

BY_WEIGHT = Ordering("contradictions by WEIGHT", (str,), descending=True)

LazyStatement = Annotated["Statement", strawberry.lazy("graph.graphql.statement")]

show_enum(
    Ground,
    {
        "AMOUNT": "Amounts that no value can satisfy together.",
        "DATE": "Dates that exclude each other.",
        "DENIAL": "One claim denies the other.",
        "OUTCOME": "Outcomes that exclude each other, such as passed and failed.",
    },
    name="ContradictionGround",
    description="The difference between two claims.",
)
show_enum(
    Nearness,
    {
        "BYTES": "Overlapping bytes of one source.",
        "SOURCE": "The same source.",
        "ELSEWHERE": "No common source.",
    },
    name="SharedEvidence",
    description="The evidence that two statements share.",
)
show_enum(
    DisputeState,
    {
        "OPEN": "Neither side is ahead.",
        "DECIDED": "One side is carried or scores clearly higher.",
        "WITHDRAWN": "An author has retracted its side.",
    },
    description="The state of a dispute.",
)


@strawberry.type(
    description="A contradiction that this node detected in the words of two claims, without a declaration by an "
    "author."
)
class DetectedContradiction:
    """A `graph.disputes.detector.Detected`."""

    ground: Ground = strawberry.field(description="The difference between the two claims.")
    shared_evidence: Nearness = strawberry.field(description="The evidence that both statements share.")
    reason: str = strawberry.field(description="The reason why the claims exclude each other, in a sentence.")

    @classmethod
    def from_detected(cls, found: Detected | None) -> "DetectedContradiction | None":
        """Return a detected contradiction as the schema shows it, None if nothing was detected."""
        return None if found is None else cls(ground=found.ground, shared_evidence=found.nearness, reason=found.reason)


@strawberry.type(description="One side of a dispute.")
class DisputeSide:
    """A `graph.disputes.disputes.Party`."""

    party: strawberry.Private[Party]
    score: float = strawberry.field(description="The consensus score of this side, 0 to 1.")
    carried: bool = strawberry.field(description="Whether this side would be verified if nothing contradicted it.")
    verified: bool = strawberry.field(description="Whether this side is verified.")
    validated: int = strawberry.field(description="The number of binding, current verdicts VALIDATED.")
    challenged: int = strawberry.field(description="The number of binding, current verdicts CHALLENGED.")
    undecided: int = strawberry.field(description="The number of other binding, current verdicts.")

    @classmethod
    def from_party(cls, party: Party) -> "DisputeSide":
        """Return the side of a party."""
        validated, challenged = (party.verdicts.get(one, 0) for one in (Verdict.VALIDATED, Verdict.CHALLENGED))
        return cls(
            party=party,
            score=party.side.score,
            carried=party.side.carried,
            verified=party.verified,
            validated=validated,
            challenged=challenged,
            undecided=sum(party.verdicts.values()) - validated - challenged,
        )

    @resolved
    async def statement(self, info: Info) -> LazyStatement:
        """The statement of this side."""
        return await info.context.loaders.statement_with(self.party.side.signed_hash)


@strawberry.type(description="Two statements that exclude each other; at most one of them is verified.")
class Dispute:
    """A `graph.disputes.disputes.Dispute`."""

    dispute: strawberry.Private[FoundDispute]
    id: strawberry.ID = strawberry.field(description="The id of the dispute, the same for both sides.")
    sides: list[DisputeSide] = strawberry.field(description="The two sides, the older first.")
    detected: DetectedContradiction | None = strawberry.field(
        description="The detected contradiction; null if none was detected in the words."
    )
    state: DisputeState = strawberry.field(description="The state of the dispute.")
    reason: str = strawberry.field(description="The reason for the state.")

    @classmethod
    def from_found(cls, found: FoundDispute) -> "Dispute":
        """Return a dispute as the schema shows it."""
        return cls(
            dispute=found,
            id=strawberry.ID(found.id),
            sides=[DisputeSide.from_party(found.one), DisputeSide.from_party(found.other)],
            detected=DetectedContradiction.from_detected(found.detected),
            state=found.state,
            reason=found.reason,
        )

    @resolved
    async def declared_by(self, info: Info) -> list[Agent]:
        """The authors of the sides that declare the contradiction; empty if it was only detected."""
        return await info.context.loaders.agents_with(self.dispute.declared_by)

    @resolved
    async def decided_for(self, info: Info) -> LazyStatement | None:
        """The side for which the dispute is decided."""
        name = self.dispute.decided_for
        return None if name is None else await info.context.loaders.statement_with(name)


def connect_disputes(span: Span, found: Sequence[FoundDispute]) -> Connection[Dispute]:
    """Return a page of disputes, greatest weight first."""
    return connect_known(span, [((dispute.id,), Dispute.from_found(dispute)) for dispute in ordered(found)])
