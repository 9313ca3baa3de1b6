"""The list of disputes about a topic or of one statement, with filter and order."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import strawberry

from graph.disputes.detector import Ground
from graph.disputes.disputes import Dispute as FoundDispute
from graph.disputes.disputes import DisputeState, ordered
from graph.errors import InputError
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect_known
from graph.graphql.context import MAX_PAGE, Info
from graph.graphql.dispute import Dispute
from graph.graphql.enums import show_enum
from graph.graphql.ordering import Direction
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.search.statements import search_statements

_NEWEST = 1_000
"""The number of statements whose disputes are listed if neither a topic nor a statement is given."""


class DisputeOrder(StrEnum):
    """The sort keys of disputes."""

    WEIGHT = "WEIGHT"
    LOG_INDEX = "LOG_INDEX"


show_enum(
    DisputeOrder,
    {
        "WEIGHT": "Order by the number of sides that would be verified if nothing contradicted them, then by the "
        "higher score.",
        "LOG_INDEX": "Order by the log index of the later side.",
    },
    name="DisputeOrderField",
    description="The sort key of disputes.",
)


@strawberry.input(description="An order of disputes.")
class DisputeOrderBy:
    """A sort key and a direction."""

    field: DisputeOrder = strawberry.field(default=DisputeOrder.WEIGHT, description="The sort key.")
    direction: Direction = strawberry.field(default=Direction.DESC, description="The direction of the order.")

    def arrange(self, found: Sequence[FoundDispute]) -> list[FoundDispute]:
        """Return each dispute once, in this order."""
        disputes = ordered(found)
        if self.field is DisputeOrder.LOG_INDEX:
            disputes.sort(key=lambda one: (one.other.log_index, one.one.log_index), reverse=True)
        return disputes if self.direction is Direction.DESC else disputes[::-1]


@strawberry.input(description="A filter of disputes; a dispute must meet every condition given.")
class DisputeFilter:
    """The conditions; null is no condition."""

    state: list[DisputeState] | None = strawberry.field(
        default=None, description="Only disputes in any of these states."
    )
    ground: list[Ground] | None = strawberry.field(
        default=None, description="Only disputes in which this node detected any of these grounds."
    )
    declared: bool | None = strawberry.field(
        default=None, description="Whether an author of either side declared the contradiction."
    )

    def holds(self, one: FoundDispute) -> bool:
        """Say whether a dispute meets the conditions."""
        return (
            (self.state is None or one.state in self.state)
            and (self.ground is None or (one.detected is not None and one.detected.ground in self.ground))
            and (self.declared is None or bool(one.declared_by) == self.declared)
        )


Which = Annotated[DisputeFilter | None, strawberry.argument(description="Filter; omit to return all.")]
OrderBy = Annotated[DisputeOrderBy | None, strawberry.argument(description="Order; greatest weight first if omitted.")]


async def resolve_contradictions(
    info: Info,
    topic: Annotated[
        str | None,
        strawberry.argument(
            description="Words to search for; disputes of the statements that match best. If topic and statement are "
            f"omitted, disputes of the newest {_NEWEST} statements."
        ),
    ] = None,
    statement: Annotated[
        strawberry.ID | None, strawberry.argument(description="A statement, by its id or its signedHash.")
    ] = None,
    filter: Which = None,
    order_by: OrderBy = None,
    first: FirstOf = None,
    after: AfterOf = None,
    last: LastOf = None,
    before: BeforeOf = None,
) -> Connection[Dispute]:
    """Return a page of the disputes of a topic's best matches, of one statement, or of the newest statements."""
    context = info.context
    if topic is not None and statement is not None:
        raise InputError("both of topic and statement given, not one")
    order, which = order_by or DisputeOrderBy(), filter or DisputeFilter()
    ordering = Ordering(f"contradictions by {order.field}", (str,), order.direction is Direction.DESC)
    span = Span.asked(ordering, first, after, last, before)
    if statement is not None:
        names = [await context.loaders.hash_of(statement)]
    elif topic is not None:
        names = await search_statements(context.platform.store, context.reader, topic, first=MAX_PAGE)
    else:
        names = [row["signed_hash"] for row in await context.platform.store.read("claims_newest", first=_NEWEST)]
    found = [one for one in order.arrange(await context.loaders.disputes_of(names)) if which.holds(one)]
    return connect_known(span, [((one.id,), Dispute.from_found(one)) for one in found])
