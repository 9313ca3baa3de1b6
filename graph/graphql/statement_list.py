"""The list of statements, with filter and order."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import strawberry

from graph.disputes.keys import subject_key
from graph.errors import InputError
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect, page_of
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.ordering import Direction
from graph.graphql.retraction import StatementStatus
from graph.graphql.statement import Statement
from graph.lists.ordered import numbers_of
from graph.lists.span import Span
from graph.lists.statements import StatementChoice, StatementOrder, find_statements, key_of, ordering_of
from graph.search.statements import search_statements
from graph.store import Row

MOST_OF_A_TOPIC = 1_000
"""The maximum number of statements from a search for a topic, best match first."""

NOTHING = "none"
"""The subject key of a text too short for a subject; no statement has it."""

show_enum(
    StatementOrder,
    {
        "LOG_INDEX": "Order by log index.",
        "GENERATED_AT": "Order by time of making, as stated by the author.",
        "SCORE": "Order by consensus score.",
        "CONFIDENCE": "Order by confidence of the author.",
    },
    name="StatementOrderField",
    description="The sort key of statements; ties are broken by log index.",
)


@strawberry.input(description="An order of statements.")
class StatementOrderBy:
    """A sort key and a direction."""

    field: StatementOrder = strawberry.field(default=StatementOrder.LOG_INDEX, description="The sort key.")
    direction: Direction = strawberry.field(default=Direction.DESC, description="The direction of the order.")


@strawberry.input(description="A filter of statements; a statement must meet every condition given.")
class StatementFilter:
    """The members of `graph.lists.statements.StatementChoice`; null is no condition."""

    agent: strawberry.ID | None = strawberry.field(
        default=None, description="Only statements of this agent, by its id."
    )
    topic: str | None = strawberry.field(
        default=None,
        description=f"Words in the claim, passages or title; only the {MOST_OF_A_TOPIC:,} statements that match best.",
    )
    subject: str | None = strawberry.field(
        default=None, description="A claim; only statements about the same subject, regardless of their claim about it."
    )
    source: str | None = strawberry.field(
        default=None, description="Only statements that cite this document, by its hash or by one of its names."
    )
    verified: bool | None = strawberry.field(default=None, description="Whether they are verified.")
    min_score: float | None = strawberry.field(default=None, description="The lowest score, 0 to 1.")
    max_score: float | None = strawberry.field(default=None, description="The highest score, 0 to 1.")
    generated_from: datetime | None = strawberry.field(
        default=None, description="Only statements made at this time or later, as stated by the author."
    )
    generated_until: datetime | None = strawberry.field(
        default=None, description="Only statements made before this time, as stated by the author."
    )
    log_from: int | None = strawberry.field(default=None, description="Only statements at this log index or later.")
    log_until: int | None = strawberry.field(default=None, description="Only statements before this log index.")
    status: list[StatementStatus] | None = strawberry.field(
        default=None, description="Only statements with any of these statuses."
    )

    async def choice(self, info: Info) -> StatementChoice:
        """Return the filter as the query's conditions, after a search for the topic. Raises `InputError`."""
        for name, score in (("minScore", self.min_score), ("maxScore", self.max_score)):
            if score is not None and not 0 <= score <= 1:
                raise InputError(f"{name} is {score}, not from 0 to 1", name)
        hashes = None
        if self.topic is not None:
            context = info.context
            hashes = tuple(
                await search_statements(context.platform.store, context.reader, self.topic, first=MOST_OF_A_TOPIC)
            )
        return StatementChoice(
            agent=self.agent,
            hashes=hashes,
            document=self.source,
            subject_key=None if self.subject is None else subject_key(self.subject) or NOTHING,
            verified=self.verified,
            min_score=self.min_score,
            max_score=self.max_score,
            generated_from=self.generated_from,
            generated_until=self.generated_until,
            log_from=self.log_from,
            log_until=self.log_until,
            statuses=None if self.status is None else tuple(one.value for one in self.status),
        )


Which = Annotated[StatementFilter | None, strawberry.argument(description="Filter; omit to return all.")]
OrderBy = Annotated[StatementOrderBy | None, strawberry.argument(description="Order; newest first if omitted.")]


async def resolve_statements(
    info: Info,
    filter: Which = None,
    order_by: OrderBy = None,
    first: FirstOf = None,
    after: AfterOf = None,
    last: LastOf = None,
    before: BeforeOf = None,
) -> Connection[Statement]:
    """Return a page of the statements."""
    order = order_by or StatementOrderBy()
    ordering = ordering_of(order.field, descending=order.direction is Direction.DESC)
    span = Span.asked(ordering, first, after, last, before)
    choice = StatementChoice() if filter is None else await filter.choice(info)
    if choice.is_everything and order.field is StatementOrder.LOG_INDEX:
        return await _everything(info, span)
    store, loaders = info.context.platform.store, info.context.loaders

    async def find(span: Span) -> list[Row]:
        return await find_statements(store, choice, order.field, span)

    async def show(rows: Sequence[Row]) -> list[Statement | None]:
        found = {one.signed_hash: one for one in await loaders.statements_with([row["name"] for row in rows])}
        return [found.get(row["name"]) for row in rows]

    return await connect(span, find, show, lambda row: key_of(order.field, row))


async def _everything(info: Info, span: Span) -> Connection[Statement]:
    """Return a page of all statements in log order, found by their gapless numbers."""
    store = info.context.platform.store
    start, end = numbers_of(span)
    rows = await store.read("list_statements", low=start, high=end, sign=span.sign, limit=span.limit)
    statements = info.context.loaders.take_statements(rows[: span.count])

    async def count() -> int:
        return int((await store.read("statement_count"))[0]["statements"])

    entries = [((row["number"],), one) for row, one in zip(rows, statements, strict=False)]
    return page_of(span, entries, len(rows) > span.count, count)
