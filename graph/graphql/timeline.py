"""The history of a statement's consensus: each verdict on it, and what it led to."""

from datetime import datetime

import strawberry

from graph.graphql.arguments import First, StatementName
from graph.graphql.context import MAX_PAGE, Info, check_first
from graph.graphql.verification import Verification
from graph.scoring.on_demand import consensus_over_time


@strawberry.type(description="A verdict in the history of a statement, and the consensus that it led to.")
class ConsensusEvent:
    """One row of Appendix B's consensus timeline."""

    verified_at: datetime = strawberry.field(description="When the verdict was given, as its agent says.")
    verdict: str = strawberry.field(description="The verdict.")
    confidence: float = strawberry.field(description="How sure its verifier is, 0 to 1.")
    verification: Verification = strawberry.field(description="The verdict with all that it says.")
    score: float = strawberry.field(description="The consensus of all verdicts up to this one's place in the log.")
    verified: bool = strawberry.field(description="Whether the statement was verified with it.")


async def resolve_timeline(info: Info, statement_id: StatementName, first: First = MAX_PAGE) -> list[ConsensusEvent]:
    """Return the verdicts on a statement by their times, each with the consensus that it led to."""
    signed_hash = await info.context.loaders.hash_of(statement_id)
    verdicts = await info.context.loaders.verifications_of(signed_hash, check_first(first))
    store = info.context.platform.store
    scores = await consensus_over_time(store, signed_hash, {verdict.signed_hash for verdict in verdicts})
    return [
        ConsensusEvent(
            verified_at=verdict.verified_at,
            verdict=verdict.verdict,
            confidence=verdict.confidence,
            verification=verdict,
            score=scores[verdict.signed_hash].score,
            verified=scores[verdict.signed_hash].verified,
        )
        for verdict in sorted(verdicts, key=lambda verdict: (verdict.verified_at, verdict.log_index))
    ]
