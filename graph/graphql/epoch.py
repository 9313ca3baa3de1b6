"""Epochs as the schema shows them: when reliabilities were estimated, and under which policy."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import strawberry

from a2ap.times import instant_of, micros_of
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect
from graph.graphql.context import Info
from graph.graphql.logged import Logged
from graph.graphql.ordering import Direction, NewestFirst
from graph.graphql.reputation import CalibrationPoint
from graph.lists.cursor import Ordering
from graph.lists.ordered import find_numbered
from graph.lists.span import Span
from graph.lists.verifications import between_of
from graph.store import Row


@strawberry.type(description="The estimate of all verifiers' reliabilities at one size of the log (a2ap:Epoch).")
class Epoch(Logged):
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
            issued_at=instant_of(row["issued_micros"]),
            calibration=[CalibrationPoint(confidence=sure, weight=weight) for sure, weight in points],
        )


@strawberry.input(description="Which epochs are meant: those for which all holds that is given.")
class EpochFilter:
    """The parameters of `list_epochs.cypher`; null is what does not matter."""

    policy: strawberry.ID | None = strawberry.field(
        default=None, description="Under this policy, by the hash of its signed bytes."
    )
    method: str | None = strawberry.field(default=None, description="Of this method.")
    min_log_size: int | None = strawberry.field(default=None, description="From so many entries of the log or more.")
    max_log_size: int | None = strawberry.field(default=None, description="From so many entries of the log or fewer.")
    issued_from: datetime | None = strawberry.field(default=None, description="Issued then or later, as the node says.")
    issued_until: datetime | None = strawberry.field(default=None, description="Issued before then, as the node says.")
    log_from: int | None = strawberry.field(default=None, description="At this place of the log or behind it.")
    log_until: int | None = strawberry.field(default=None, description="Before this place of the log.")

    def parameters(self) -> dict[str, object]:
        """Return what is chosen, but for the places, as the query has it."""
        return {
            "policy": self.policy,
            "method": self.method,
            "min_size": self.min_log_size,
            "max_size": self.max_log_size,
            "issued_from": None if self.issued_from is None else micros_of(self.issued_from),
            "issued_until": None if self.issued_until is None else micros_of(self.issued_until),
        }


Which = Annotated[EpochFilter | None, strawberry.argument(description="Which; all without it.")]


async def resolve_epochs(
    info: Info,
    filter: Which = None,
    direction: NewestFirst = Direction.DESC,
    first: FirstOf = None,
    after: AfterOf = None,
    last: LastOf = None,
    before: BeforeOf = None,
) -> Connection[Epoch]:
    """Return a page of the epochs of this log."""
    ordering = Ordering("epochs by LOG_INDEX", (int,), direction is Direction.DESC)
    asked, store = filter or EpochFilter(), info.context.platform.store
    parameters, between = asked.parameters(), between_of(asked.log_from, asked.log_until)

    async def find(span: Span) -> list[Row]:
        return await find_numbered(store, "list_epochs", span, parameters, between=between)

    async def show(rows: Sequence[Row]) -> list[Epoch]:
        return [Epoch.from_row(row) for row in rows]

    return await connect(Span.asked(ordering, first, after, last, before), find, show)
