"""The finding of a verifier on one criterion."""

import strawberry

from a2ap.messages.finding import FindingStatus
from graph.graphql.enums import show_enum
from graph.store import Row

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
