"""Requests for the verification of statements."""

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

    id: strawberry.ID = strawberry.field(description="The id of the request.")
    signed_hash: str = strawberry.field(
        description="The hash of the signed bytes, by which other messages name the request."
    )
    criteria: list[str] = strawberry.field(description="The criteria to check.")
    deadline: datetime | None = strawberry.field(description="The deadline for verdicts.")
    wanted_verdicts: int | None = strawberry.field(description="The number of verdicts requested; null for any number.")
    eligible_verifiers: list[strawberry.ID] | None = strawberry.field(
        description="The agents whose verdicts are requested; null for any agent."
    )
    requested_at: datetime = strawberry.field(description="The time of the request, as stated by its agent.")
    received_at: datetime = strawberry.field(description="The time of receipt by this node.")
    log_index: int = strawberry.field(description="The log index of the request.")
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
        """Return the key that is unique to this request."""
        return self.signed_hash

    @resolved
    def cursor(self, info: Info) -> str:
        """The cursor after its log entry, for the `after` of a subscription to later events."""
        return write_place(info.context.platform.log.origin, Place(self.log_index + 1))

    @resolved
    async def agent(self, info: Info) -> Agent:
        """The agent that makes the request."""
        (agent,) = await info.context.loaders.agents_with([self.agent_id])
        return agent

    @resolved
    async def statement(self, info: Info) -> LazyStatement:
        """The statement to verify."""
        return await info.context.loaders.statement_with(self.statement_hash)

    @resolved
    async def responses(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[Verification]:
        """The verdicts that name the request, oldest first."""
        span = Span.asked(Ordering("responses to a request"), first, after, last, before)
        return await info.context.loaders.checking.connect_responses_to(self.signed_hash, span)

    @resolved
    async def declines(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[VerificationDecline]:
        """The declines of the request, oldest first."""
        span = Span.asked(Ordering("declines of a request"), first, after, last, before)
        return await info.context.loaders.checking.connect_declines_of(self.signed_hash, span)
