"""Gold labels: the operator's answers about statements, their disputes, and verifiers' results on probes."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from a2ap.messages.scoping import origin_of
from graph.gold.probe_record import ProbeRecord, Rate
from graph.gold.standing import Standing
from graph.graphql.agent import Agent
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.fields import resolved
from graph.graphql.interval import Interval
from graph.graphql.logged import Logged
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.store import Row

if TYPE_CHECKING:
    from graph.graphql.statement import Statement

show_enum(
    Standing,
    {
        "IN_FORCE": "The label is the known answer, regardless of the verdicts.",
        "SUSPENDED": "An agent of a seeded operator disputes the label, and the dispute is unanswered.",
        "WITHDRAWN": "The operator has withdrawn the label.",
        "REPLACED": "A later label answers the same criterion.",
        "UNTRUSTED": "The signing key is not trusted.",
        "FOREIGN": "The label is another node's.",
    },
    name="GoldStanding",
    description="The validity of a gold label; only a label IN_FORCE is used as a known answer.",
)


@strawberry.type(description="An agent's claim that a gold label is wrong (a2ap:GoldDispute).")
class GoldDispute(Logged):
    """A `:GoldDispute` node."""

    id: strawberry.ID = strawberry.field(description="The id of the dispute.")
    signed_hash: str = strawberry.field(description="The SHA-256 of the signed bytes.")
    disputed_at: datetime = strawberry.field(description="The time of the dispute, as stated by the agent.")
    reason: str | None = strawberry.field(description="The reason; withheld like a quote.")
    suspends: bool = strawberry.field(
        description="Whether the dispute suspends the label: its agent has a seeded operator, and it is not withdrawn."
    )
    withdrawn: bool = strawberry.field(description="Whether the agent has withdrawn the dispute.")
    log_index: int = strawberry.field(description="The log index of the dispute.")
    disputing_agent: strawberry.Private[str]
    statements: strawberry.Private[tuple[str, ...]]

    @classmethod
    def from_row(cls, row: Row, withheld: str | None) -> "GoldDispute":
        """Return the dispute in a row of `gold_disputes_of.cypher`."""
        return cls(
            id=row["dispute_id"],
            signed_hash=row["signed_hash"],
            disputed_at=row["disputed_at"],
            reason=row["reason"] if withheld is None else None,
            suspends=bool(row["suspends"]),
            withdrawn=bool(row["withdrawn"]),
            log_index=row["log_index"],
            disputing_agent=row["agent_id"],
            statements=tuple(row["evidence"] or ()),
        )

    @resolved
    async def agent(self, info: Info) -> Agent | None:
        """The agent that disputes the label."""
        return next(iter(await info.context.loaders.agents_with([self.disputing_agent])), None)

    @resolved
    async def evidence(self, info: Info) -> list[Annotated["Statement", strawberry.lazy("graph.graphql.statement")]]:
        """The statements that the agent cites as evidence."""
        return await info.context.loaders.statements_with(list(self.statements))


@strawberry.type(description="The answer of a node's operator about a statement under one criterion (a2ap:GoldLabel).")
class GoldLabel(Logged):
    """A `:GoldLabel` node."""

    id: strawberry.ID = strawberry.field(description="The id of the label.")
    signed_hash: str = strawberry.field(description="The SHA-256 of the signed bytes.")
    criterion: str = strawberry.field(description="The criterion that the label answers.")
    label: str = strawberry.field(description="PASS or FAIL.")
    standing: Standing = strawberry.field(description="The current validity of the label.")
    reason: str | None = strawberry.field(description="The reason, if the operator states one; withheld like a quote.")
    labelled_at: datetime = strawberry.field(description="The time of the label, as stated by the operator.")
    log_index: int = strawberry.field(description="The log index of the label.")
    probe: bool = strawberry.field(
        description="Whether the label reveals an answer that the operator committed to in advance."
    )
    commitment: str | None = strawberry.field(description="The signed hash of the a2ap:Probe with the commitment.")
    salt: str | None = strawberry.field(description="The salt of the commitment, in base64.")
    answers: list[str] = strawberry.field(description="The signed hashes of the disputes that the label answers.")
    origin: str | None = strawberry.field(
        description="The log of the peer that the label was taken from; null for a label of this log."
    )
    labelling_agent: strawberry.Private[str]
    statement: strawberry.Private[str]

    @classmethod
    def from_row(cls, row: Row, withheld: str | None) -> "GoldLabel":
        """Return the label in a row of `gold_labels_of.cypher`."""
        return cls(
            id=row["label_id"],
            signed_hash=row["signed_hash"],
            criterion=row["criterion"],
            label="PASS" if row["passes"] else "FAIL",
            standing=Standing(row["standing"]),
            reason=row["reason"] if withheld is None else None,
            labelled_at=row["labelled_at"],
            log_index=row["log_index"],
            probe=row["probe"],
            commitment=row["commitment"],
            salt=row["salt"],
            answers=row["answers"] or [],
            origin=origin_of(row["agent_id"]),
            labelling_agent=row["agent_id"],
            statement=row["statement"],
        )

    @resolved
    async def labelled_by(self, info: Info) -> Agent | None:
        """The node whose operator made the label."""
        return next(iter(await info.context.loaders.agents_with([self.labelling_agent])), None)

    @resolved
    async def disputes(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[GoldDispute]:
        """The disputes of the label, oldest first, whether or not they suspend it."""
        span = Span.asked(Ordering("disputes of a label"), first, after, last, before)
        return await info.context.loaders.gold.connect_disputes_of(self.statement, self.signed_hash, span)


@strawberry.type(description="The number of occurrences of an event, out of the number of opportunities.")
class ProbeRate:
    """A count as a share, with its uncertainty."""

    count: int = strawberry.field(description="The number of occurrences.")
    of: int = strawberry.field(description="The number of opportunities.")
    rate: float | None = strawberry.field(description="The share, 0 to 1; null without any opportunity.")
    interval: Interval = strawberry.field(description="The 95 % interval of the share (Wilson).")
    interval95: Interval = strawberry.field(
        description="The same as `interval`.", deprecation_reason="Use `interval`, as for other scores."
    )

    @classmethod
    def from_computed(cls, rate: Rate) -> "ProbeRate":
        """Return a computed rate as the schema shows it."""
        interval = Interval(low=rate.interval95[0], high=rate.interval95[1])
        return cls(count=rate.count, of=rate.of, rate=rate.value, interval=interval, interval95=interval)


@strawberry.type(
    description="The results of an agent on claims with an answer that the operator committed to in advance."
)
class Probes:
    """The counts of `graph.gold.probe_record`."""

    seen: int = strawberry.field(
        description="The number of revealed probes on which the agent gave a verdict before the answer was revealed."
    )
    abstentions: int = strawberry.field(
        description="The number of these probes on which the agent neither passed nor failed any criterion."
    )
    false_accepts: ProbeRate = strawberry.field(description="Wrong claims that the agent passed.")
    false_refusals: ProbeRate = strawberry.field(description="Right claims that the agent failed.")
    wrong_refused_otherwise: ProbeRate = strawberry.field(
        description="Wrong claims that the agent failed under a criterion other than the probe's."
    )
    right_refused_otherwise: ProbeRate = strawberry.field(
        description="Right claims, under the probe's criterion, that the agent failed under another; this may be no "
        "mistake."
    )

    @classmethod
    def from_computed(cls, record: ProbeRecord) -> "Probes":
        """Return a probe record as the schema shows it."""
        return cls(
            seen=record.seen,
            abstentions=record.abstentions,
            false_accepts=ProbeRate.from_computed(record.false_accepts),
            false_refusals=ProbeRate.from_computed(record.false_refusals),
            wrong_refused_otherwise=ProbeRate.from_computed(record.wrong_refused_otherwise),
            right_refused_otherwise=ProbeRate.from_computed(record.right_refused_otherwise),
        )
