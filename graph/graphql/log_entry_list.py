"""The log as a list, narrowed and ordered as the asker wants."""

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
        "LOG_INDEX": "Their places in the log.",
        "RECEIVED_AT": "When this node took them in.",
        "ORIGIN_RECEIVED_AT": "When the log that they were first in took them in.",
    },
    name="LogEntryOrderField",
    description="What log entries are ordered by; those of one time by their places.",
)


@strawberry.input(description="An order of log entries.")
class LogEntryOrderBy:
    """By what, and which end first."""

    field: LogEntryOrder = strawberry.field(default=LogEntryOrder.LOG_INDEX, description="By what.")
    direction: Direction = strawberry.field(default=Direction.ASC, description="Which end comes first.")


@strawberry.input(description="Which entries of the log are meant: those for which all holds that is given.")
class LogEntryFilter:
    """The members of `graph.lists.log_entries.LogEntryChoice`; null is what does not matter."""

    agent: strawberry.ID | None = strawberry.field(default=None, description="Who signed it, by the id of an agent.")
    type: list[str] | None = strawberry.field(default=None, description="What the message is: any of these.")
    origin: str | None = strawberry.field(default=None, description="The log that it was first in.")
    log_from: int | None = strawberry.field(default=None, description="At this place or behind it.")
    log_until: int | None = strawberry.field(default=None, description="Before this place.")
    received_from: datetime | None = strawberry.field(default=None, description="Taken in by this node then or later.")
    received_until: datetime | None = strawberry.field(default=None, description="Taken in by this node before then.")

    def choice(self) -> LogEntryChoice:
        """Return what is chosen."""
        types = None if self.type is None else tuple(self.type)
        times = (self.received_from, self.received_until)
        return LogEntryChoice(self.agent, types, self.origin, self.log_from, self.log_until, *times)


Which = Annotated[LogEntryFilter | None, strawberry.argument(description="Which; all without it.")]
OrderBy = Annotated[LogEntryOrderBy | None, strawberry.argument(description="In which order; oldest first without it.")]


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
