"""The list of verdicts, narrowed and ordered as the asker wants."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import strawberry

from a2ap.verification_response import Verdict
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
        "LOG_INDEX": "Their places in the log.",
        "VERIFIED_AT": "When they were given, as their agents say.",
        "CONFIDENCE": "How sure their agents are.",
    },
    name="VerificationOrderField",
    description="What verdicts are ordered by; those of one rank by their places in the log.",
)


@strawberry.input(description="An order of verdicts.")
class VerificationOrderBy:
    """By what, and which end first."""

    field: VerificationOrder = strawberry.field(default=VerificationOrder.LOG_INDEX, description="By what.")
    direction: Direction = strawberry.field(default=Direction.DESC, description="Which end comes first.")


@strawberry.input(description="Which verdicts are meant: those for which all holds that is given.")
class VerificationFilter:
    """The members of `graph.lists.verifications.VerificationChoice`; null is what does not matter."""

    agent: strawberry.ID | None = strawberry.field(default=None, description="Whose, by the id of an agent.")
    statement: strawberry.ID | None = strawberry.field(
        default=None, description="On which statement, by its id or its signedHash; of several with one id, the first."
    )
    verdict: list[Verdict] | None = strawberry.field(default=None, description="That conclude any of these.")
    criterion: str | None = strawberry.field(default=None, description="That have a finding on it.")
    machine: bool | None = strawberry.field(default=None, description="Whether this node's own check made them.")
    verified_from: datetime | None = strawberry.field(default=None, description="Given then or later, by their agent.")
    verified_until: datetime | None = strawberry.field(default=None, description="Given before then, by their agent.")
    log_from: int | None = strawberry.field(default=None, description="At this place of the log or behind it.")
    log_until: int | None = strawberry.field(default=None, description="Before this place of the log.")

    async def choice(self, info: Info) -> VerificationChoice:
        """Return what is chosen. Raises `NotFoundError` where the statement is not here."""
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


Which = Annotated[VerificationFilter | None, strawberry.argument(description="Which; all without it.")]
OrderBy = Annotated[
    VerificationOrderBy | None, strawberry.argument(description="In which order; newest first without it.")
]


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
