"""Orders of Context Packets through GraphQL, with the same members as `POST /packets/assemble`."""

from dataclasses import asdict
from typing import Annotated

import strawberry

from a2ap.boundary import Boundary, Use
from graph.errors import ForbiddenError
from graph.graphql.context import Info
from graph.packets import order as orders
from graph.services.packet_assembly import assemble_packet


@strawberry.input(name="PacketOrder", description="An order of a packet: its recipient, purpose, content and limits.")
class PacketOrderInput:
    """The members of `graph.packets.order.PacketOrder`; null is an unstated member."""

    recipient: strawberry.ID = strawberry.field(description="The agent that receives the packet.")
    purpose: str = strawberry.field(description="The purpose, in words.")
    ceiling: str = strawberry.field(description=f"The highest boundary class to include: {', '.join(Boundary)}.")
    statements: list[strawberry.ID] | None = strawberry.field(
        default=None, description="Statements to include first, by id or signedHash."
    )
    topics: list[str] | None = strawberry.field(default=None, description="Words; statements about them are included.")
    recipient_type: str | None = strawberry.field(
        default=None, description=f"The type of the recipient: {', '.join(orders.RECIPIENT_TYPES)}; agent if omitted."
    )
    session: str | None = strawberry.field(default=None, description="The session of the recipient.")
    task: str | None = strawberry.field(default=None, description="A machine-readable reference to the task.")
    packet_type: str | None = strawberry.field(default=None, description="The type of the packet; research if omitted.")
    workspace: str | None = strawberry.field(default=None, description="The workspace; this node if omitted.")
    project: str | None = strawberry.field(default=None, description="The project.")
    use: str | None = strawberry.field(
        default=None,
        description=f"The most far-reaching use that the packet allows: {', '.join(Use)}; draft_only if omitted.",
    )
    stakes: str | None = strawberry.field(
        default=None, description="The stakes: low, medium or high; medium if omitted."
    )
    max_items: int | None = strawberry.field(
        default=None, description=f"The maximum number of items; {orders.DEFAULT_ITEMS} if omitted."
    )
    max_tokens: int | None = strawberry.field(
        default=None, description=f"The approximate maximum number of tokens; {orders.DEFAULT_TOKENS} if omitted."
    )
    seconds: int | None = strawberry.field(default=None, description="The number of seconds until the packet expires.")
    supersedes: str | None = strawberry.field(default=None, description="The id of the packet that it supersedes.")
    audited: bool | None = strawberry.field(default=None, description="Whether the packet must reach CP-Audited.")
    signed: bool | None = strawberry.field(default=None, description="Whether this node signs the packet.")
    requires_review: bool | None = strawberry.field(
        default=None, description="Whether a person reviews the returns; true if omitted."
    )
    promoters: list[strawberry.ID] | None = strawberry.field(
        default=None, description="The agents that may decide on the returns, in addition to this node and its seeds."
    )

    def to_order(self) -> orders.PacketOrder:
        """Return the order. Raises `InputError`."""
        return orders.PacketOrder.from_members({orders.wire_name(name): value for name, value in asdict(self).items()})


Order = Annotated[PacketOrderInput, strawberry.argument(description="The order of the packet.")]


async def resolve_assembled_packet(info: Info, order: Order) -> str:
    """Assemble a packet; only the delivery of an audited packet is registered, and not over GET."""
    context, now = info.context, info.context.platform.clock()
    if order.audited and context.request is not None and context.request.scope.get("method") == "GET":
        # A page of another origin may open a link to here.
        raise ForbiddenError("an audited packet is ordered with POST: its delivery is put on record")
    content = await assemble_packet(context.platform, context.reader, order.to_order(), now, context.caller)
    return content.decode("utf-8")
