"""The list of verdicts, with filter and order."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import strawberry

from a2ap.messages.verification_response import Verdict
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.ordering import Direction
from graph.graphql.verification import Verification
from graph.lists.span import Span
from graph.lists.verifications import VerificationChoice, VerificationOrder, find_verifications, key_of, ordering_of
from graph.store import Row

show_enum(
    VerificationOrder,
    {
        "LOG_INDEX": "Order by log index.",
        "VERIFIED_AT": "Order by time of the verdict, as stated by its agent.",
        "CONFIDENCE": "Order by confidence of the agent.",
    },
    name="VerificationOrderField",
    description="The sort key of verdicts; ties are broken by log index.",
)


@strawberry.input(description="An order of verdicts.")
class VerificationOrderBy:
    """A sort key and a direction."""

    field: VerificationOrder = strawberry.field(default=VerificationOrder.LOG_INDEX, description="The sort key.")
    direction: Direction = strawberry.field(default=Direction.DESC, description="The direction of the order.")


@strawberry.input(description="A filter of verdicts; a verdict must meet every condition given.")
class VerificationFilter:
    """The members of `graph.lists.verifications.VerificationChoice`; null is no condition."""

    agent: strawberry.ID | None = strawberry.field(default=None, description="Only verdicts of this agent, by its id.")
    statement: strawberry.ID | None = strawberry.field(
        default=None,
        description="Only verdicts on this statement, by its id or its signedHash; an id shared by several names the "
        "first in the log.",
    )
    verdict: list[Verdict] | None = strawberry.field(
        default=None, description="Only verdicts with any of these conclusions."
    )
    criterion: str | None = strawberry.field(
        default=None, description="Only verdicts with a finding on this criterion."
    )
    machine: bool | None = strawberry.field(default=None, description="Whether this node's own check made it.")
    verified_from: datetime | None = strawberry.field(
        default=None, description="Only verdicts given at this time or later, as stated by their agent."
    )
    verified_until: datetime | None = strawberry.field(
        default=None, description="Only verdicts given before this time, as stated by their agent."
    )
    log_from: int | None = strawberry.field(default=None, description="Only verdicts at this log index or later.")
    log_until: int | None = strawberry.field(default=None, description="Only verdicts before this log index.")

    async def choice(self, info: Info) -> VerificationChoice:
        """Return the filter as the query's conditions. Raises `NotFoundError` for an unknown statement."""
        statement = None if self.statement is None else await info.context.loaders.hash_of(self.statement)
        return VerificationChoice(
            agent=self.agent,
            statement=statement,
            verdicts=None if self.verdict is None else tuple(one.value for one in self.verdict),
            criterion=self.criterion,
            machine=self.machine,
            verified_from=self.verified_from,
            verified_until=self.verified_until,
            log_from=self.log_from,
            log_until=self.log_until,
        )


Which = Annotated[VerificationFilter | None, strawberry.argument(description="Filter; omit to return all.")]
OrderBy = Annotated[VerificationOrderBy | None, strawberry.argument(description="Order; newest first if omitted.")]


async def resolve_verifications(
    info: Info,
    filter: Which = None,
    order_by: OrderBy = None,
    first: FirstOf = None,
    after: AfterOf = None,
    last: LastOf = None,
    before: BeforeOf = None,
) -> Connection[Verification]:
    """Return a page of the verdicts."""
    order = order_by or VerificationOrderBy()
    ordering = ordering_of(order.field, descending=order.direction is Direction.DESC)
    span = Span.asked(ordering, first, after, last, before)
    choice = VerificationChoice() if filter is None else await filter.choice(info)
    store, loaders = info.context.platform.store, info.context.loaders

    async def find(span: Span) -> list[Row]:
        return await find_verifications(store, choice, order.field, span)

    async def show(rows: Sequence[Row]) -> list[Verification | None]:
        whole = await store.read("verifications_by_hash", hashes=[row["name"] for row in rows]) if rows else []
        found = {one.signed_hash: one for one in await loaders.take_verifications(whole)}
        return [found.get(row["name"]) for row in rows]

    return await connect(span, find, show, lambda row: key_of(order.field, row))
