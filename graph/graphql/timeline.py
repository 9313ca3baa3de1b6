"""The history of a statement's consensus: each verdict on it, with the resulting consensus."""

from collections.abc import Sequence
from datetime import datetime

import strawberry

from graph.graphql.arguments import StatementName
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect
from graph.graphql.context import Info
from graph.graphql.ordering import Direction, OldestFirst
from graph.graphql.verification import Verification
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.lists.verifications import VerificationChoice, VerificationOrder, find_verifications, key_of
from graph.scores.on_demand import consensus_over_time
from graph.scoring.consensus import Consensus
from graph.store import Row


@strawberry.type(description="A verdict in the history of a statement, with the resulting consensus.")
class ConsensusEvent:
    """One row of Appendix B's consensus timeline."""

    verified_at: datetime = strawberry.field(description="The time of the verdict, as stated by its agent.")
    verdict: str = strawberry.field(description="The verdict.")
    confidence: float = strawberry.field(description="The confidence of the verifier, 0 to 1.")
    verification: Verification = strawberry.field(description="The full verdict.")
    score: float = strawberry.field(description="The consensus score of all verdicts up to the log index of this one.")
    judged: bool = strawberry.field(description="Whether a verdict counted, or the answer to a criterion was known.")
    verified: bool = strawberry.field(description="Whether the statement was verified by these verdicts.")

    @classmethod
    def of(cls, verdict: Verification, consensus: Consensus) -> "ConsensusEvent":
        """Return the event of a verdict."""
        return cls(
            verified_at=verdict.verified_at,
            verdict=verdict.verdict,
            confidence=verdict.confidence,
            verification=verdict,
            score=consensus.score,
            judged=consensus.is_judged,
            verified=consensus.verified,
        )


async def resolve_timeline(
    info: Info,
    statement_id: StatementName,
    direction: OldestFirst = Direction.ASC,
    first: FirstOf = None,
    after: AfterOf = None,
    last: LastOf = None,
    before: BeforeOf = None,
) -> Connection[ConsensusEvent]:
    """Return a page of the verdicts on a statement by their times, each with the resulting consensus."""
    ordering = Ordering("consensusTimeline by VERIFIED_AT", (float, int), direction is Direction.DESC)
    span = Span.asked(ordering, first, after, last, before)
    store, loaders = info.context.platform.store, info.context.loaders
    signed_hash = await loaders.hash_of(statement_id)

    async def find(span: Span) -> list[Row]:
        choice = VerificationChoice(statement=signed_hash)
        return await find_verifications(store, choice, VerificationOrder.VERIFIED_AT, span)

    async def show(rows: Sequence[Row]) -> list[ConsensusEvent | None]:
        names = [row["name"] for row in rows]
        whole = await store.read("verifications_by_hash", hashes=names) if names else []
        verdicts = {one.signed_hash: one for one in await loaders.take_verifications(whole)}
        scores = await consensus_over_time(store, signed_hash, verdicts, loaders.spend_judgements) if verdicts else {}
        return [ConsensusEvent.of(verdicts[name], scores[name]) if name in scores else None for name in names]

    return await connect(span, find, show, lambda row: key_of(VerificationOrder.VERIFIED_AT, row))
