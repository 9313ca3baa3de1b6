"""Requests for the verification of statements."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from a2ap.times import instant_of, micros_of
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
from graph.scoring.draw import DrawnOperator as ComputedOperator
from graph.store import Row

if TYPE_CHECKING:
    from graph.graphql.statement import Statement

LazyStatement = Annotated["Statement", strawberry.lazy("graph.graphql.statement")]


@strawberry.type(description="An operator that is drawn for a statement: its verdicts may complete the quorum.")
class DrawnOperator:
    """One operator of a draw."""

    operator: strawberry.ID = strawberry.field(description="The operator.")
    since: datetime = strawberry.field(description="The time from which on it is drawn.")
    declined: datetime | None = strawberry.field(
        description="The time of its decline, from which on another one takes its place; null if it has not declined."
    )

    @classmethod
    def from_computed(cls, one: ComputedOperator) -> "DrawnOperator":
        """Return a drawn operator as the schema shows it."""
        return cls(
            operator=strawberry.ID(one.operator),
            since=instant_of(one.since),
            declined=None if one.declined is None else instant_of(one.declined),
        )


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
    async def drawn(self, info: Info) -> list[DrawnOperator] | None:
        """The operators drawn for its statement up to now, in order; null if none are drawn for it."""
        draw = await info.context.loaders.checking.draw_of(self.statement_hash)
        if draw is None:
            return None
        found = draw.drawn_until(micros_of(info.context.platform.clock()))
        info.context.loaders.spend(len(found))
        return [DrawnOperator.from_computed(one) for one in found]

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
