"""The list of log entries, with filter and order."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import strawberry

from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.log_entry import LogEntry
from graph.graphql.ordering import Direction
from graph.lists.log_entries import LogEntryChoice, LogEntryOrder, find_log_entries, key_of, ordering_of
from graph.lists.span import Span
from graph.store import Row

show_enum(
    LogEntryOrder,
    {
        "LOG_INDEX": "Order by log index.",
        "RECEIVED_AT": "Order by time of receipt by this node.",
        "ORIGIN_RECEIVED_AT": "Order by time of receipt by the log that first had the message.",
    },
    name="LogEntryOrderField",
    description="The sort key of log entries; ties are broken by log index.",
)


@strawberry.input(description="An order of log entries.")
class LogEntryOrderBy:
    """A sort key and a direction."""

    field: LogEntryOrder = strawberry.field(default=LogEntryOrder.LOG_INDEX, description="The sort key.")
    direction: Direction = strawberry.field(default=Direction.ASC, description="The direction of the order.")


@strawberry.input(description="A filter of log entries; an entry must meet every condition given.")
class LogEntryFilter:
    """The members of `graph.lists.log_entries.LogEntryChoice`; null is no condition."""

    agent: strawberry.ID | None = strawberry.field(
        default=None, description="Only messages signed by this agent, by its id."
    )
    type: list[str] | None = strawberry.field(default=None, description="Only messages of any of these types.")
    origin: str | None = strawberry.field(
        default=None, description="Only messages that were first in the log of this origin."
    )
    log_from: int | None = strawberry.field(default=None, description="Only entries at this log index or later.")
    log_until: int | None = strawberry.field(default=None, description="Only entries before this log index.")
    received_from: datetime | None = strawberry.field(
        default=None, description="Only entries that this node received at this time or later."
    )
    received_until: datetime | None = strawberry.field(
        default=None, description="Only entries that this node received before this time."
    )

    def choice(self) -> LogEntryChoice:
        """Return the filter as the query's conditions."""
        types = None if self.type is None else tuple(self.type)
        times = (self.received_from, self.received_until)
        return LogEntryChoice(self.agent, types, self.origin, self.log_from, self.log_until, *times)


Which = Annotated[LogEntryFilter | None, strawberry.argument(description="Filter; omit to return all.")]
OrderBy = Annotated[LogEntryOrderBy | None, strawberry.argument(description="Order; oldest first if omitted.")]


async def resolve_log_entries(
    info: Info,
    filter: Which = None,
    order_by: OrderBy = None,
    first: FirstOf = None,
    after: AfterOf = None,
    last: LastOf = None,
    before: BeforeOf = None,
) -> Connection[LogEntry]:
    """Return a page of the log."""
    order = order_by or LogEntryOrderBy()
    ordering = ordering_of(order.field, descending=order.direction is Direction.DESC)
    span = Span.asked(ordering, first, after, last, before)
    choice = LogEntryChoice() if filter is None else filter.choice()

    async def find(span: Span) -> list[Row]:
        return await find_log_entries(info.context.platform.store, choice, order.field, span)

    async def show(rows: Sequence[Row]) -> list[LogEntry]:
        info.context.loaders.spend(len(rows))
        return [LogEntry.from_row({name: row[name] for name in row if name != "rank"}) for row in rows]

    return await connect(span, find, show, lambda row: key_of(order.field, row))
