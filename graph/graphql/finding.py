"""What a verifier found on one criterion, as the schema shows it."""

import strawberry

from a2ap.finding import FindingStatus
from graph.graphql.enums import show_enum
from graph.store import Row

show_enum(
    FindingStatus,
    {
        "PASS": "It is met.",
        "FAIL": "It is not met.",
        "INCONCLUSIVE": "No telling.",
    },
    description="What a verifier found on one criterion.",
)


@strawberry.type(description="What a verifier found on one criterion (A2AP §2.3).")
class Finding:
    """One of a response's findings."""

    criterion: str = strawberry.field(description="The criterion.")
    status: FindingStatus = strawberry.field(description="What was found.")
    confidence: float = strawberry.field(description="How sure the verifier is of it, 0 to 1.")
    evidence: str = strawberry.field(description='In the verifier\'s words, "" where it is withheld.')

    @classmethod
    def from_columns(cls, row: Row, *, hidden: bool) -> "list[Finding]":
        """Return the findings of a row of `verifications_of.cypher`, without the verifier's words where hidden."""
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
