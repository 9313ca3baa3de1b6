"""The list of Context Packets, with filter and order."""

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
        "LOG_INDEX": "Order by log index.",
        "CREATED_AT": "Order by the stated time of creation.",
        "EXPIRES_AT": "Order by the stated time of expiry.",
    },
    name="PacketOrderField",
    description="The sort key of packets. Times are compared as texts, which is the order of time if all are in UTC. "
    "A time counts as absent if it is withheld from the reader, missing, or longer than 64 characters.",
)


@strawberry.input(description="An order of packets.")
class PacketOrderBy:
    """A sort key and a direction."""

    field: PacketOrder = strawberry.field(default=PacketOrder.LOG_INDEX, description="The sort key.")
    direction: Direction = strawberry.field(default=Direction.ASC, description="The direction of the order.")


@strawberry.input(
    description="A filter of packets by their stated members; a packet must meet every condition given. A packet "
    "that is withheld from the reader meets no condition."
)
class PacketFilter:
    """The members of `graph.lists.records.PacketChoice`; null is no condition."""

    recipient: str | None = strawberry.field(default=None, description="Only packets for this recipient.")
    producer: str | None = strawberry.field(default=None, description="Only packets assembled by this producer.")
    packet_type: str | None = strawberry.field(
        default=None, description="Only packets of this type: research, code_build …"
    )
    task: str | None = strawberry.field(default=None, description="Only packets for this task, by its reference.")
    level: list[str] | None = strawberry.field(
        default=None, description="Only packets at any of these levels, as found by this node's validator."
    )
    superseded: bool | None = strawberry.field(default=None, description="Whether another packet supersedes it.")

    def choice(self) -> PacketChoice:
        """Return the filter as the query's conditions."""
        levels = None if self.level is None else tuple(self.level)
        return PacketChoice(self.recipient, self.producer, self.packet_type, self.task, levels, self.superseded)


Which = Annotated[PacketFilter | None, strawberry.argument(description="Filter; omit to return all.")]
OrderBy = Annotated[PacketOrderBy | None, strawberry.argument(description="Order; oldest first if omitted.")]


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
