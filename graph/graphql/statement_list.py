"""The list of statements, narrowed and ordered as the asker wants."""

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
"""So many statements a search for a topic gives at most, the best."""

NOTHING = "none"
"""The subject of what says too little to have one: no statement has it."""

show_enum(
    StatementOrder,
    {
        "LOG_INDEX": "Their places in the log.",
        "GENERATED_AT": "When they were made, as their authors say.",
        "SCORE": "What the verdicts on them amount to.",
        "CONFIDENCE": "How sure their authors are.",
    },
    name="StatementOrderField",
    description="What statements are ordered by; those of one rank by their places in the log.",
)


@strawberry.input(description="An order of statements.")
class StatementOrderBy:
    """By what, and which end first."""

    field: StatementOrder = strawberry.field(default=StatementOrder.LOG_INDEX, description="By what.")
    direction: Direction = strawberry.field(default=Direction.DESC, description="Which end comes first.")


@strawberry.input(description="Which statements are meant: those for which all holds that is given.")
class StatementFilter:
    """The members of `graph.lists.statements.StatementChoice`; null is what does not matter."""

    agent: strawberry.ID | None = strawberry.field(default=None, description="Whose, by the id of an agent.")
    topic: str | None = strawberry.field(
        default=None, description=f"Words that claim, passages or title have; of the {MOST_OF_A_TOPIC:,} that fit best."
    )
    subject: str | None = strawberry.field(
        default=None, description="A claim: those that are about the same, whatever they say of it."
    )
    source: str | None = strawberry.field(
        default=None, description="A document that they cite, by its hash or by a name that it has."
    )
    verified: bool | None = strawberry.field(default=None, description="Whether they are verified.")
    min_score: float | None = strawberry.field(default=None, description="The least score, 0 to 1.")
    max_score: float | None = strawberry.field(default=None, description="The highest score, 0 to 1.")
    generated_from: datetime | None = strawberry.field(default=None, description="Made then or later, by their author.")
    generated_until: datetime | None = strawberry.field(default=None, description="Made before then, by their author.")
    log_from: int | None = strawberry.field(default=None, description="At this place of the log or behind it.")
    log_until: int | None = strawberry.field(default=None, description="Before this place of the log.")
    status: list[StatementStatus] | None = strawberry.field(
        default=None, description="Whether they stand, or were superseded or retracted: any of these."
    )

    async def choice(self, info: Info) -> StatementChoice:
        """Return what is chosen, with what a search for the topic finds. Raises `InputError`."""
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


Which = Annotated[StatementFilter | None, strawberry.argument(description="Which; all without it.")]
OrderBy = Annotated[
    StatementOrderBy | None, strawberry.argument(description="In which order; newest first without it.")
]


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
    """Return a page of all statements in log order: they are numbered without a gap, and found by their numbers."""
    store = info.context.platform.store
    start, end = numbers_of(span)
    rows = await store.read("list_statements", low=start, high=end, sign=span.sign, limit=span.limit)
    statements = info.context.loaders.take_statements(rows[: span.count])

    async def count() -> int:
        return int((await store.read("statement_count"))[0]["statements"])

    entries = [((row["number"],), one) for row, one in zip(rows, statements, strict=False)]
    return page_of(span, entries, len(rows) > span.count, count)
