"""Requests that statements be verified."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from a2ap.times import instant_of
from graph.graphql.agent import Agent
from graph.graphql.challenge import VerificationDecline
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.logged import Logged
from graph.graphql.node import Node
from graph.graphql.subscriptions.place import Place, write_place
from graph.graphql.verification import Verification
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.store import Row

if TYPE_CHECKING:
    from graph.graphql.statement import Statement

LazyStatement = Annotated["Statement", strawberry.lazy("graph.graphql.statement")]


@strawberry.type(description="An agent's request that a statement be verified (A2AP §2.2).")
class VerificationRequest(Node, Logged):
    """A `:VerificationRequest` node."""

    id: strawberry.ID = strawberry.field(description="Its id.")
    signed_hash: str = strawberry.field(description="The hash of what is signed of it, by which others name it.")
    criteria: list[str] = strawberry.field(description="What is to be checked.")
    deadline: datetime | None = strawberry.field(description="Until when it waits for verdicts.")
    wanted_verdicts: int | None = strawberry.field(description="How many verdicts it waits for; null for any number.")
    eligible_verifiers: list[strawberry.ID] | None = strawberry.field(
        description="The agents whose verdicts it waits for; null for anybody's."
    )
    requested_at: datetime = strawberry.field(description="When, as its agent says.")
    received_at: datetime = strawberry.field(description="When, as this node says.")
    log_index: int = strawberry.field(description="Its place in the log.")
    agent_id: strawberry.Private[str]
    statement_hash: strawberry.Private[str]

    @classmethod
    def from_row(cls, row: Row) -> "VerificationRequest":
        """Return the request that a row of `requests_of.cypher` describes."""
        return cls(
            id=row["request_id"],
            signed_hash=row["signed_hash"],
            criteria=row["criteria"],
            deadline=None if row["deadline_micros"] is None else instant_of(row["deadline_micros"]),
            wanted_verdicts=row["wanted_verdicts"],
            eligible_verifiers=row["eligible_verifiers"],
            requested_at=instant_of(row["requested_micros"]),
            received_at=instant_of(row["received_micros"]),
            log_index=row["log_index"],
            agent_id=row["agent_id"],
            statement_hash=row["statement"],
        )

    def node_key(self) -> str:
        """Return what tells it from all others."""
        return self.signed_hash

    @resolved
    def cursor(self, info: Info) -> str:
        """The place behind it in the log: the `after` of a subscription that tells what comes next."""
        return write_place(info.context.platform.log.origin, Place(self.log_index + 1))

    @resolved
    async def agent(self, info: Info) -> Agent:
        """Who asks."""
        (agent,) = await info.context.loaders.agents_with([self.agent_id])
        return agent

    @resolved
    async def statement(self, info: Info) -> LazyStatement:
        """What is to be verified."""
        return await info.context.loaders.statement_with(self.statement_hash)

    @resolved
    async def responses(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[Verification]:
        """The verdicts that name it, oldest first."""
        span = Span.asked(Ordering("responses to a request"), first, after, last, before)
        return await info.context.loaders.checking.connect_responses_to(self.signed_hash, span)

    @resolved
    async def declines(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[VerificationDecline]:
        """Who would not answer it, oldest first."""
        span = Span.asked(Ordering("declines of a request"), first, after, last, before)
        return await info.context.loaders.checking.connect_declines_of(self.signed_hash, span)
