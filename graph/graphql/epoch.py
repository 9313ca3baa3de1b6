"""Epochs as the schema shows them: when reliabilities were estimated, and under which policy."""

from datetime import datetime

import strawberry

from graph.graphql.agent import FAR_FUTURE, CalibrationPoint
from graph.graphql.arguments import First, Seen
from graph.graphql.context import Info, check_first
from graph.graphql.scalars import time_at
from graph.store import Row


@strawberry.type(description="The estimate of all verifiers' reliabilities at one size of the log (a2ap:Epoch).")
class Epoch:
    """A row of `list_epochs.cypher`; `Agent.reputationDetails` has what the last one says of an agent."""

    id: strawberry.ID = strawberry.field(description="The id of its last message.")
    signed_hash: str = strawberry.field(description="Its last part, by the hash of its signed bytes.")
    log_size: int = strawberry.field(description="The entries that it was estimated from.")
    log_index: int = strawberry.field(description="Where its last part is; it holds from there on.")
    parts: int = strawberry.field(description="In how many messages it is.")
    policy_hash: str = strawberry.field(description="The policy that was in force.")
    method: str = strawberry.field(description="The method of the policy that it was made under.")
    issued_at: datetime = strawberry.field(description="When, as the node says.")
    calibration: list[CalibrationPoint] = strawberry.field(description="What a verdict weighs by its confidence.")

    @classmethod
    def from_row(cls, row: Row) -> "Epoch":
        """Return the epoch of a row."""
        points = zip(row["calibration_confidences"], row["calibration_weights"], strict=True)
        return cls(
            id=row["epoch_id"],
            signed_hash=row["signed_hash"],
            log_size=row["log_size"],
            log_index=row["log_index"],
            parts=row["parts"],
            policy_hash=row["policy"],
            method=row["method"],
            issued_at=time_at(row["issued_micros"]),
            calibration=[CalibrationPoint(confidence=sure, weight=weight) for sure, weight in points],
        )


async def resolve_epochs(info: Info, first: First = 20, before: Seen = None) -> list[Epoch]:
    """Return the epochs of this log, newest first; `before` is the logIndex of the last one seen."""
    store = info.context.platform.store
    rows = await store.read("list_epochs", before=FAR_FUTURE if before is None else before, first=check_first(first))
    return [Epoch.from_row(row) for row in rows]
