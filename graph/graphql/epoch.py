"""Epochs: the estimates of reliabilities, with their times and policies."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import strawberry

from a2ap.messages.epoch import CriterionModel as StatedModel
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
from graph.scoring.knowledge import models_of
from graph.store import Row


@strawberry.type(description="The shares of claims under one criterion, as an epoch estimated them.")
class CriterionModel:
    """A model of an `a2ap:Epoch`."""

    criterion: str = strawberry.field(description="The criterion.")
    right: list[float] = strawberry.field(description="The share of right claims at each level of difficulty.")
    wrong: list[float] = strawberry.field(description="The share of wrong claims at each level of difficulty.")
    common_error: float = strawberry.field(description="The rate of claims about which all verifiers err together.")
    newcomer: float = strawberry.field(description="The accuracy that an agent without a record has at most.")

    @classmethod
    def from_stated(cls, one: StatedModel) -> "CriterionModel":
        """Return a stated model as the schema shows it."""
        return cls(
            criterion=one.criterion,
            right=list(one.right),
            wrong=list(one.wrong),
            common_error=one.common_error,
            newcomer=one.newcomer,
        )


@strawberry.type(description="The estimate of all verifiers' reliabilities at one size of the log (a2ap:Epoch).")
class Epoch(Logged):
    """A row of `list_epochs.cypher`; `Agent.reputationDetails` has the last estimate for an agent."""

    id: strawberry.ID = strawberry.field(description="The id of the epoch's last message.")
    signed_hash: str = strawberry.field(description="The hash of the signed bytes of the epoch's last part.")
    log_size: int = strawberry.field(description="The number of log entries that the estimate is based on.")
    log_index: int = strawberry.field(description="The log index of the last part; the epoch applies from there on.")
    parts: int = strawberry.field(description="The number of messages that make up the epoch.")
    policy_hash: str = strawberry.field(description="The signed hash of the policy in force.")
    method: str = strawberry.field(description="The method of that policy.")
    issued_at: datetime = strawberry.field(description="The time of issue, as stated by the node.")
    calibration: list[CalibrationPoint] = strawberry.field(description="The weight of a verdict by its confidence.")
    models: list[CriterionModel] = strawberry.field(
        description="The model of each criterion; empty for an epoch of an earlier node."
    )

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
            models=[CriterionModel.from_stated(one) for one in models_of(row).values()],
        )


@strawberry.input(description="A filter of epochs; an epoch must meet every condition given.")
class EpochFilter:
    """The parameters of `list_epochs.cypher`; null is no condition."""

    policy: strawberry.ID | None = strawberry.field(
        default=None, description="Only epochs under this policy, by the hash of its signed bytes."
    )
    method: str | None = strawberry.field(default=None, description="Only epochs of this method.")
    min_log_size: int | None = strawberry.field(
        default=None, description="Only epochs based on at least this number of log entries."
    )
    max_log_size: int | None = strawberry.field(
        default=None, description="Only epochs based on at most this number of log entries."
    )
    issued_from: datetime | None = strawberry.field(
        default=None, description="Only epochs issued at this time or later, as stated by the node."
    )
    issued_until: datetime | None = strawberry.field(
        default=None, description="Only epochs issued before this time, as stated by the node."
    )
    log_from: int | None = strawberry.field(default=None, description="Only epochs at this log index or later.")
    log_until: int | None = strawberry.field(default=None, description="Only epochs before this log index.")

    def parameters(self) -> dict[str, object]:
        """Return the conditions, except the log indices, as parameters of the query."""
        return {
            "policy": self.policy,
            "method": self.method,
            "min_size": self.min_log_size,
            "max_size": self.max_log_size,
            "issued_from": None if self.issued_from is None else micros_of(self.issued_from),
            "issued_until": None if self.issued_until is None else micros_of(self.issued_until),
        }


Which = Annotated[EpochFilter | None, strawberry.argument(description="Filter; omit to return all.")]


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
