"""The state of a statement's evidence: whether it holds, and whether it can still be compared with its source."""

from datetime import datetime
from enum import StrEnum

import strawberry

from a2ap.times import instant_of
from graph.graphql.enums import show_enum
from graph.store import Row


class EvidenceState(StrEnum):
    """The state that follows from the latest and the earlier checks of a statement by this node."""

    HELD = "HELD"
    FAILED = "FAILED"
    UNCHECKED = "UNCHECKED"
    DECAYED = "DECAYED"

    @classmethod
    def of(cls, row: Row) -> "EvidenceState":
        """Return the state of the evidence of the statement in a row."""
        match row["machine_check"]:
            case "PASS":
                return cls.HELD
            case "FAIL":
                return cls.FAILED
            case _:
                return cls.DECAYED if row["evidence_passed"] else cls.UNCHECKED


show_enum(
    EvidenceState,
    {
        "HELD": "This node compared the evidence with its source, and it holds.",
        "FAILED": "The evidence is not as stated.",
        "UNCHECKED": "This node has not compared the evidence with public bytes.",
        "DECAYED": "The evidence held in an earlier check; its source has since been erased or lost.",
    },
    description="The result of this node's check of a statement's evidence.",
)


@strawberry.type(description="The loss of evidence that once held and can no longer be compared.")
class EvidenceDecay:
    """The time and the reason of a loss."""

    since: datetime = strawberry.field(description="The time at which this node found the loss.")
    reason: str | None = strawberry.field(
        description="The evidence that can no longer be compared, and the agent that erased it, if any."
    )

    @classmethod
    def from_row(cls, row: Row) -> "EvidenceDecay | None":
        """Return the loss of evidence of the statement in a row, None if there is none."""
        if EvidenceState.of(row) is not EvidenceState.DECAYED:
            return None
        return cls(since=instant_of(row["machine_checked_micros"]), reason=row["machine_reason"])
