"""Disputes: statements that exclude each other, with both sides."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import strawberry

from a2ap.verification_response import Verdict
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
        "AMOUNT": "Amounts that no value satisfies both.",
        "DATE": "Dates that cannot both be.",
        "DENIAL": "One denies what the other says.",
        "OUTCOME": "Outcomes that exclude each other, such as passed and failed.",
    },
    name="ContradictionGround",
    description="What two claims differ in.",
)
show_enum(
    Nearness,
    {
        "BYTES": "Bytes of one source that overlap.",
        "SOURCE": "One source.",
        "ELSEWHERE": "No source.",
    },
    name="SharedEvidence",
    description="What two statements both cite.",
)
show_enum(
    DisputeState,
    {
        "OPEN": "Neither side is ahead.",
        "DECIDED": "One side is carried or scores clearly more.",
        "WITHDRAWN": "An author has taken its side back.",
    },
    description="Where a dispute stands.",
)


@strawberry.type(description="This node found by their words that two claims exclude each other; nobody claims it.")
class DetectedContradiction:
    """A `graph.disputes.detector.Detected`."""

    ground: Ground = strawberry.field(description="What the two claims differ in.")
    shared_evidence: Nearness = strawberry.field(description="What both cite.")
    reason: str = strawberry.field(description="Why they exclude each other, in a sentence.")

    @classmethod
    def from_detected(cls, found: Detected | None) -> "DetectedContradiction | None":
        """Return what was detected as the schema shows it, None where nothing was."""
        return None if found is None else cls(ground=found.ground, shared_evidence=found.nearness, reason=found.reason)


@strawberry.type(description="One side of a dispute.")
class DisputeSide:
    """A `graph.disputes.disputes.Party`."""

    party: strawberry.Private[Party]
    score: float = strawberry.field(description="What the verdicts amount to, 0 to 1.")
    carried: bool = strawberry.field(description="Whether it would be verified if nothing contradicted it.")
    verified: bool = strawberry.field(description="Whether it is verified as things stand.")
    validated: int = strawberry.field(description="Verdicts VALIDATED that bind and stand.")
    challenged: int = strawberry.field(description="Verdicts CHALLENGED that bind and stand.")
    undecided: int = strawberry.field(description="Other verdicts that bind and stand.")

    @classmethod
    def from_party(cls, party: Party) -> "DisputeSide":
        """Return the side that a party is."""
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
        """What this side says."""
        return await info.context.loaders.statement_with(self.party.side.signed_hash)


@strawberry.type(description="Two statements that exclude each other: at most one of them is verified.")
class Dispute:
    """A `graph.disputes.disputes.Dispute`."""

    dispute: strawberry.Private[FoundDispute]
    id: strawberry.ID = strawberry.field(description="Its id, the same for both sides.")
    sides: list[DisputeSide] = strawberry.field(description="Two, the older first.")
    detected: DetectedContradiction | None = strawberry.field(description="Null where nothing in the words says so.")
    state: DisputeState = strawberry.field(description="Where it stands.")
    reason: str = strawberry.field(description="Why the dispute is in that state.")

    @classmethod
    def from_found(cls, found: FoundDispute) -> "Dispute":
        """Return what was found as the schema shows it."""
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
        """The authors of those sides that say they contradict the other; none where it was only detected."""
        return await info.context.loaders.agents_with(self.dispute.declared_by)

    @resolved
    async def decided_for(self, info: Info) -> LazyStatement | None:
        """The side for which it is decided."""
        name = self.dispute.decided_for
        return None if name is None else await info.context.loaders.statement_with(name)


def connect_disputes(span: Span, found: Sequence[FoundDispute]) -> Connection[Dispute]:
    """Return a page of disputes, the weightiest first."""
    return connect_known(span, [((dispute.id,), Dispute.from_found(dispute)) for dispute in ordered(found)])
