"""Orders of Context Packets through GraphQL: the same members as `POST /packets/assemble` has."""

from dataclasses import asdict
from typing import Annotated

import strawberry

from a2ap.boundary import Boundary, Use
from graph.errors import ForbiddenError
from graph.graphql.context import Info
from graph.packets import order as orders
from graph.packets.ordered_packet import assemble_packet


@strawberry.input(
    name="PacketOrder", description="For whom a packet is assembled, for what, about what and within which limits."
)
class PacketOrderInput:
    """The members of `graph.packets.order.PacketOrder`; null is what is not said."""

    recipient: strawberry.ID = strawberry.field(description="The agent that it is for.")
    purpose: str = strawberry.field(description="What it is for, in words.")
    ceiling: str = strawberry.field(description=f"The highest class that goes in: {', '.join(Boundary)}.")
    statements: list[strawberry.ID] | None = strawberry.field(
        default=None, description="Statements that go in first, by id or signedHash."
    )
    topics: list[str] | None = strawberry.field(default=None, description="Words; statements about them go in.")
    recipient_type: str | None = strawberry.field(
        default=None, description=f"{', '.join(orders.RECIPIENT_TYPES)}; agent where nothing is said."
    )
    session: str | None = strawberry.field(default=None, description="The recipient's session.")
    task: str | None = strawberry.field(default=None, description="A reference to the task, for machines.")
    packet_type: str | None = strawberry.field(default=None, description="research where nothing is said.")
    workspace: str | None = strawberry.field(default=None, description="The workspace; this node without it.")
    project: str | None = strawberry.field(default=None, description="The project.")
    use: str | None = strawberry.field(
        default=None, description=f"The worst use that it allows: {', '.join(Use)}; draft_only without it."
    )
    stakes: str | None = strawberry.field(default=None, description="low, medium or high; medium without it.")
    max_items: int | None = strawberry.field(default=None, description=f"{orders.DEFAULT_ITEMS} without it.")
    max_tokens: int | None = strawberry.field(default=None, description=f"About; {orders.DEFAULT_TOKENS} without it.")
    seconds: int | None = strawberry.field(default=None, description="For how long it may be acted on.")
    supersedes: str | None = strawberry.field(default=None, description="The id of the packet that it supersedes.")
    audited: bool | None = strawberry.field(default=None, description="Whether it is to reach CP-Audited.")
    signed: bool | None = strawberry.field(default=None, description="Whether this node signs it.")
    requires_review: bool | None = strawberry.field(
        default=None, description="Whether a person looks at what comes back; true without it."
    )
    promoters: list[strawberry.ID] | None = strawberry.field(
        default=None, description="The agents that may decide about what comes back, beside this node and its seeds."
    )

    def to_order(self) -> orders.PacketOrder:
        """Return the order. Raises `InputError`."""
        return orders.PacketOrder.from_members({orders.wire_name(name): value for name, value in asdict(self).items()})


Order = Annotated[PacketOrderInput, strawberry.argument(description="What is asked for.")]


async def resolve_assembled_packet(info: Info, order: Order) -> str:
    """Assemble a packet; only the delivery of an audited one is registered, and GET registers nothing."""
    context, now = info.context, info.context.platform.clock()
    if order.audited and context.request is not None and context.request.scope.get("method") == "GET":
        # A page of another origin may open a link to here.
        raise ForbiddenError("an audited packet is ordered with POST: its delivery is put on record")
    content = await assemble_packet(context.platform, context.reader, order.to_order(), now, context.caller)
    return content.decode("utf-8")
