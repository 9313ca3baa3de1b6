"""The list of Context Packets, narrowed and ordered as the asker wants."""

from collections.abc import Sequence
from typing import Annotated

import strawberry

from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.ordering import Direction
from graph.graphql.packet import Packet
from graph.lists.records import PacketChoice, PacketOrder, find_packets, key_of, ordering_of
from graph.lists.span import Span
from graph.store import Row

show_enum(
    PacketOrder,
    {
        "LOG_INDEX": "Their places in the log.",
        "CREATED_AT": "When they were made, as they say.",
        "EXPIRES_AT": "Until when they may be acted on, as they say.",
    },
    name="PacketOrderField",
    description="What packets are ordered by; times as the texts that they are, which is their order where all are in "
    "UTC. What is withheld from the reader, says nothing, or says more than 64 characters, has no text.",
)


@strawberry.input(description="An order of packets.")
class PacketOrderBy:
    """By what, and which end first."""

    field: PacketOrder = strawberry.field(default=PacketOrder.LOG_INDEX, description="By what.")
    direction: Direction = strawberry.field(default=Direction.ASC, description="Which end comes first.")


@strawberry.input(
    description="Which packets are meant, by their own word: those for which all holds that is given. What is withheld "
    "from the reader meets no condition."
)
class PacketFilter:
    """The members of `graph.lists.records.PacketChoice`; null is what does not matter."""

    recipient: str | None = strawberry.field(default=None, description="Whom they are for.")
    producer: str | None = strawberry.field(default=None, description="Who assembled them.")
    packet_type: str | None = strawberry.field(default=None, description="What they are for: research, code_build …")
    task: str | None = strawberry.field(default=None, description="The task that they are for, by its reference.")
    level: list[str] | None = strawberry.field(
        default=None, description="The level that this node's validator found: any of these."
    )
    superseded: bool | None = strawberry.field(default=None, description="Whether another packet supersedes them.")

    def choice(self) -> PacketChoice:
        """Return what is chosen."""
        levels = None if self.level is None else tuple(self.level)
        return PacketChoice(self.recipient, self.producer, self.packet_type, self.task, levels, self.superseded)


Which = Annotated[PacketFilter | None, strawberry.argument(description="Which; all without it.")]
OrderBy = Annotated[PacketOrderBy | None, strawberry.argument(description="In which order; oldest first without it.")]


async def resolve_packets(
    info: Info,
    filter: Which = None,
    order_by: OrderBy = None,
    first: FirstOf = None,
    after: AfterOf = None,
    last: LastOf = None,
    before: BeforeOf = None,
) -> Connection[Packet]:
    """Return a page of the packets."""
    order = order_by or PacketOrderBy()
    ordering = ordering_of("packets", order.field, descending=order.direction is Direction.DESC)
    span = Span.asked(ordering, first, after, last, before)
    choice = PacketChoice() if filter is None else filter.choice()

    async def find(span: Span) -> list[Row]:
        return await find_packets(info.context.platform.store, choice, info.context.reader, order.field, span)

    async def show(rows: Sequence[Row]) -> list[Packet]:
        info.context.loaders.spend(len(rows))
        return [Packet.from_row(row, info.context.reader) for row in rows]

    return await connect(span, find, show, lambda row: key_of(order.field, row))
