"""Whether a statement's evidence can still be compared with what it cites."""

from datetime import datetime
from enum import StrEnum

import strawberry

from a2ap.times import instant_of
from graph.graphql.enums import show_enum
from graph.store import Row


class EvidenceState(StrEnum):
    """What the machine's checks of a statement, the latest and those before, amount to."""

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
        "HELD": "This node has compared it, and it holds.",
        "FAILED": "It is not as stated.",
        "UNCHECKED": "This node has not compared it with public bytes.",
        "DECAYED": "It held, and what it cites has been erased or lost since.",
    },
    description="What the machine found of what a statement cites.",
)


@strawberry.type(description="Evidence that held once and can be compared no more.")
class EvidenceDecay:
    """Since when, and why."""

    since: datetime = strawberry.field(description="When this node found that.")
    reason: str | None = strawberry.field(description="What cannot be compared, and who erased it, if anybody.")

    @classmethod
    def from_row(cls, row: Row) -> "EvidenceDecay | None":
        """Return the decay of the statement in a row, None where there is none."""
        if EvidenceState.of(row) is not EvidenceState.DECAYED:
            return None
        return cls(since=instant_of(row["machine_checked_micros"]), reason=row["machine_reason"])
