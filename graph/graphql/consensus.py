"""Consensus as the schema shows it: the score of a statement, and what it was computed from."""

from datetime import datetime

import strawberry

from graph.graphql.verification import Verification
from graph.scoring.consensus import Consensus as ComputedConsensus


@strawberry.type(description="The consensus on one criterion.")
class CriterionConsensus:
    """One criterion of the policy."""

    criterion: str
    score: float
    quorum_met: bool
    operators_for: list[strawberry.ID] = strawberry.field(description="Whose verifiers passed it.")
    operators_against: list[strawberry.ID] = strawberry.field(description="Whose verifiers failed it.")


@strawberry.type(description="A verdict that does not count.")
class IgnoredVerdict:
    """A verifier and why its verdict weighs nothing."""

    verifier: strawberry.ID
    reason: str


@strawberry.type(description="What the verdicts on a statement amount to.")
class Consensus:
    """What `graph.scoring.consensus` computes."""

    score: float
    verified: bool
    method: str
    reasons: list[str] = strawberry.field(description="Why it is not verified, or what is odd about the score.")
    per_criterion: list[CriterionConsensus]
    counted: list[strawberry.ID] = strawberry.field(description="The verifiers whose verdicts count.")
    ignored: list[IgnoredVerdict]

    @classmethod
    def from_computed(cls, computed: ComputedConsensus) -> "Consensus":
        """Return what was computed as the schema shows it."""
        return cls(
            score=computed.score,
            verified=computed.verified,
            method=computed.method.value,
            reasons=list(computed.reasons),
            per_criterion=[
                CriterionConsensus(
                    criterion=entry.criterion,
                    score=entry.score,
                    quorum_met=entry.quorum_met,
                    operators_for=[strawberry.ID(name) for name in entry.operators_for],
                    operators_against=[strawberry.ID(name) for name in entry.operators_against],
                )
                for entry in computed.per_criterion
            ],
            counted=[strawberry.ID(name) for name in computed.counted],
            ignored=[IgnoredVerdict(verifier=strawberry.ID(name), reason=why) for name, why in computed.ignored],
        )


@strawberry.type(description="A verdict in the history of a statement, and the consensus that it led to.")
class ConsensusEvent:
    """One row of Appendix B's consensus timeline."""

    verified_at: datetime
    verdict: str
    confidence: float
    verification: Verification
    score: float = strawberry.field(description="The consensus of all verdicts up to this one's place in the log.")
    verified: bool
