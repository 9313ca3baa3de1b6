"""The lists of Context Passports, Packs and Packets, narrowed and ordered as the asker wants."""

from collections.abc import Sequence
from typing import Annotated

import strawberry

from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.ordering import Direction
from graph.graphql.pack import Pack
from graph.graphql.packet import Packet
from graph.graphql.passport import Passport
from graph.lists.records import (
    PackChoice,
    PacketChoice,
    PacketOrder,
    PackOrder,
    PassportChoice,
    PassportOrder,
    find_packets,
    find_packs,
    find_passports,
    key_of,
    ordering_of,
)
from graph.lists.span import Span
from graph.store import Row

show_enum(
    PassportOrder,
    {
        "LOG_INDEX": "Their places in the log.",
        "EVENT_TIME": "When their events were, as they say; what names no zone has no time.",
    },
    name="PassportOrderField",
    description="What passports are ordered by; what has no time counts as the oldest, and those of one time are by "
    "their places in the log.",
)


@strawberry.input(description="An order of passports.")
class PassportOrderBy:
    """By what, and which end first."""

    field: PassportOrder = strawberry.field(default=PassportOrder.LOG_INDEX, description="By what.")
    direction: Direction = strawberry.field(default=Direction.DESC, description="Which end comes first.")


show_enum(
    PackOrder,
    {
        "LOG_INDEX": "Their places in the log.",
        "CREATED": "When they were made, as they say, to the second.",
    },
    name="PackOrderField",
    description="What packs are ordered by; those of one time by their places in the log.",
)


@strawberry.input(description="An order of packs.")
class PackOrderBy:
    """By what, and which end first."""

    field: PackOrder = strawberry.field(default=PackOrder.LOG_INDEX, description="By what.")
    direction: Direction = strawberry.field(default=Direction.DESC, description="Which end comes first.")


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


@strawberry.input(description="Which passports are meant, by their own word: those for which all holds that is given.")
class PassportFilter:
    """The members of `graph.lists.records.PassportChoice`; null is what does not matter."""

    agent: str | None = strawberry.field(default=None, description="The agent that they name as their maker.")
    trace: str | None = strawberry.field(default=None, description="The run, trc_ and more.")
    event: str | None = strawberry.field(default=None, description="The type of the event, such as fork.")
    branch: str | None = strawberry.field(default=None, description="The branch, such as main.")


@strawberry.input(description="Which packs are meant: those for which all holds that is given.")
class PackFilter:
    """The members of `graph.lists.records.PackChoice`; null is what does not matter."""

    model: str | None = strawberry.field(default=None, description="The model that ran.")
    content: str | None = strawberry.field(default=None, description="Content that they used or generated, by hash.")
    parent: strawberry.ID | None = strawberry.field(default=None, description="The pack that they follow, by hash.")


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


WhichPassports = Annotated[PassportFilter | None, strawberry.argument(description="Which; all without it.")]
WhichPacks = Annotated[PackFilter | None, strawberry.argument(description="Which; all without it.")]
WhichPackets = Annotated[PacketFilter | None, strawberry.argument(description="Which; all without it.")]
ByPassport = Annotated[
    PassportOrderBy | None, strawberry.argument(description="In which order; newest first without it.")
]
ByPack = Annotated[PackOrderBy | None, strawberry.argument(description="In which order; newest first without it.")]
ByPacket = Annotated[PacketOrderBy | None, strawberry.argument(description="In which order; oldest first without it.")]


async def resolve_passports(
    info: Info,
    filter: WhichPassports = None,
    order_by: ByPassport = None,
    first: FirstOf = None,
    after: AfterOf = None,
    last: LastOf = None,
    before: BeforeOf = None,
) -> Connection[Passport]:
    """Return a page of the passports."""
    order = order_by or PassportOrderBy()
    ordering = ordering_of("passports", order.field, descending=order.direction is Direction.DESC)
    span = Span.asked(ordering, first, after, last, before)
    asked = filter or PassportFilter()
    choice = PassportChoice(asked.agent, asked.trace, asked.event, asked.branch)

    async def find(span: Span) -> list[Row]:
        return await find_passports(info.context.platform.store, choice, order.field, span)

    async def show(rows: Sequence[Row]) -> list[Passport | None]:
        found = await info.context.loaders.records.passports_with([row["record_hash"] for row in rows])
        by_hash = {one.record_hash: one for one in found}
        return [by_hash.get(row["record_hash"]) for row in rows]

    return await connect(span, find, show, lambda row: key_of(order.field, row))


async def resolve_packs(
    info: Info,
    filter: WhichPacks = None,
    order_by: ByPack = None,
    first: FirstOf = None,
    after: AfterOf = None,
    last: LastOf = None,
    before: BeforeOf = None,
) -> Connection[Pack]:
    """Return a page of the packs."""
    order = order_by or PackOrderBy()
    ordering = ordering_of("packs", order.field, descending=order.direction is Direction.DESC)
    span = Span.asked(ordering, first, after, last, before)
    asked = filter or PackFilter()
    choice = PackChoice(asked.model, asked.content, asked.parent)

    async def find(span: Span) -> list[Row]:
        return await find_packs(info.context.platform.store, choice, order.field, span)

    async def show(rows: Sequence[Row]) -> list[Pack | None]:
        found = await info.context.loaders.records.packs_with([row["record_hash"] for row in rows])
        by_hash = {one.record_hash: one for one in found}
        return [by_hash.get(row["record_hash"]) for row in rows]

    return await connect(span, find, show, lambda row: key_of(order.field, row))


async def resolve_packets(
    info: Info,
    filter: WhichPackets = None,
    order_by: ByPacket = None,
    first: FirstOf = None,
    after: AfterOf = None,
    last: LastOf = None,
    before: BeforeOf = None,
) -> Connection[Packet]:
    """Return a page of the packets."""
    order = order_by or PacketOrderBy()
    ordering = ordering_of("packets", order.field, descending=order.direction is Direction.DESC)
    span = Span.asked(ordering, first, after, last, before)
    asked = filter or PacketFilter()
    levels = None if asked.level is None else tuple(asked.level)
    choice = PacketChoice(asked.recipient, asked.producer, asked.packet_type, asked.task, levels, asked.superseded)

    async def find(span: Span) -> list[Row]:
        return await find_packets(info.context.platform.store, choice, info.context.reader, order.field, span)

    async def show(rows: Sequence[Row]) -> list[Packet]:
        info.context.loaders.spend(len(rows))
        return [Packet.from_row(row, info.context.reader) for row in rows]

    return await connect(span, find, show, lambda row: key_of(order.field, row))
