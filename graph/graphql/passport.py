"""Context Passports: what a record says, what of it is proved, and what its chain amounts to."""

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from a2ap.passport.check_chain import check_chain
from a2ap.passport.errors import PassportError
from a2ap.passport.json_text import write_value
from a2ap.passport.replay import replay_chain
from a2ap.times import instant_of
from graph.clearance import boundary_of
from graph.errors import TooLargeError
from graph.graphql.agent import Agent
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.logged import Logged
from graph.graphql.node import Node
from graph.graphql.passport_check import PassportCheck, PassportFinding, PassportState
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.records.passport_chain import PassportChain, is_proved, load_chain
from graph.records.reading import bytes_of_record
from graph.store import Row

if TYPE_CHECKING:
    from graph.graphql.statement import Statement

LazyStatement = Annotated["Statement", strawberry.lazy("graph.graphql.statement")]

_BYTES_OF_AN_OBJECT = 1024
_PLAIN = [
    "schema_version",
    "parent_id",
    "trace_id",
    "branch_key",
    "agent_id",
    "agent_name",
    "role",
    "provider",
    "model",
    "event_type",
    "to_agent_id",
    "target",
    "fork_of",
    "fork_point",
    "lineage_root",
    "payload_hash",
    "parent_hash",
    "integrity_hash",
    "profile",
    "chaining",
    "signing",
    "signed_by",
]

PassportName = Annotated[
    strawberry.ID,
    strawberry.argument(description="The hash of its bytes, or its own id; of several with one id, the first."),
]


@strawberry.type(description="A Context Passport: what an agent did and handed on, in its own words (§03).")
class Passport(Node, Logged):
    """A `:Passport` node; of one that is not here, or was erased, there is the hash alone."""

    record_hash: strawberry.ID = strawberry.field(description="The SHA-256 of its bytes; its name in the graph.")
    log_index: int = strawberry.field(description="Where in the log it was first registered.")
    held: bool = strawberry.field(description="Whether its bytes are here.")
    boundary: str = strawberry.field(description="Who may read its bytes.")
    redacted: str | None = strawberry.field(description="Who erased it, when and why, where that is so.")
    id: str | None = strawberry.field(description="The id that it gives itself; others may have the same.")
    schema_version: str | None = strawberry.field(description="The version of the specification that it follows.")
    parent_id: str | None = strawberry.field(description="What it calls its parent; see `parents`.")
    trace_id: str | None = strawberry.field(description="The run that it belongs to.")
    branch_key: str | None = strawberry.field(description="Its branch.")
    agent_id: str | None = strawberry.field(description="Who made it, as it says itself; see `attributedTo`.")
    agent_name: str | None = strawberry.field(description="What people call its maker.")
    role: str | None = strawberry.field(description="The role of its maker.")
    provider: str | None = strawberry.field(description="Of the model.")
    model: str | None = strawberry.field(description="With which model it was made.")
    event_type: str | None = strawberry.field(description="What kind of event it records.")
    to_agent_id: str | None = strawberry.field(description="To whom it is handed.")
    event_time: datetime | None = strawberry.field(description="When, as it says, where it names a time zone.")
    target: str | None = strawberry.field(description="The record that a revert or redact is about.")
    fork_of: str | None = strawberry.field(description="The record that its branch begins from, by its id.")
    fork_point: str | None = strawberry.field(description="The checkpoint before that, by its id.")
    lineage_root: str | None = strawberry.field(description="The root of the chain, by its id.")
    payload_hash: str | None = strawberry.field(description="The hash of its payload, as it says.")
    parent_hash: str | None = strawberry.field(description="Of its parent, where its own integrity hash holds.")
    integrity_hash: str | None = strawberry.field(description="Where it holds.")
    profile: str | None = strawberry.field(
        description="Under which known form its payload has the hash that it states."
    )
    chaining: str | None = strawberry.field(description="How its hashes are joined: prefixed or bare.")
    signing: str | None = strawberry.field(description="What its signature is worth by itself.")
    signed_by: str | None = strawberry.field(description="The did:key under which its signature holds.")
    proved_agent: strawberry.Private[str | None]
    byte_length: strawberry.Private[int]

    def node_key(self) -> str:
        """Return what tells it from all others."""
        return str(self.record_hash)

    @resolved
    async def attributed_to(self, info: Info) -> Agent | None:
        """The agent that it names, where a trusted key of that agent signed it: its word alone proves nothing."""
        if self.proved_agent is None:
            return None
        return next(iter(await info.context.loaders.agents_with([self.proved_agent])), None)

    @resolved
    async def parents(self, info: Info) -> list["Passport"]:
        """The records that it was derived from, by their hashes; of several with one hash, all."""
        return await info.context.loaders.records.parents_of(self.record_hash)

    @resolved
    async def children(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection["Passport"]:
        """The records that were derived from it, the first in the log first."""
        span = Span.asked(Ordering("children of a passport"), first, after, last, before)
        return await info.context.loaders.records.connect_passport_children(self.record_hash, span)

    @resolved
    async def statements(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[LazyStatement]:
        """The statements that came out of it (prov:wasGeneratedBy), the first in the log first."""
        span = Span.asked(Ordering("statements of a record"), first, after, last, before)
        return await info.context.loaders.records.connect_statements(self.record_hash, span)

    @resolved
    async def document(self, info: Info) -> str | None:
        """Its text as received; null where it is not here or above the clearance of this reader."""
        platform, reader = info.context.platform, info.context.reader
        if not self.held or self.redacted is not None or not reader.may_read(boundary_of(self.boundary)):
            return None
        info.context.loaders.spend_bytes(self.byte_length)
        content = await bytes_of_record(platform.store, platform.content, self.record_hash, "Passport", reader)
        return content.decode("utf-8", "replace")

    @resolved
    async def verification(self, info: Info) -> PassportCheck | None:
        """What is found of it in its chain, worked out now; null where this reader may not have its bytes."""
        found = await self._chain(info)
        position = found.position_of(self.record_hash)
        if position is None:
            return None
        report = await asyncio.to_thread(check_chain, found.chain, known_keys=found.known_keys)
        whole = [PassportFinding.from_finding(finding) for finding in report.findings]
        return PassportCheck.from_report(report.records[position], whole, found)

    @resolved
    async def state(self, info: Info) -> PassportState | None:
        """The state after it on replay of its chain; null where this reader may not have its bytes."""
        found = await self._chain(info)
        position = found.position_of(self.record_hash)
        if position is None:
            return None
        report = await asyncio.to_thread(check_chain, found.chain, known_keys=found.known_keys)
        try:
            steps = await asyncio.to_thread(replay_chain, found.chain, report)
        except PassportError as error:
            raise TooLargeError(str(error)) from error
        step = next(one for one in steps if one.passport.position == position)
        state = step.state
        return PassportState(
            effect=step.effect.value,
            words=step.words,
            status=step.status.value,
            output=_json(state.output),
            memory=_json(state.memory.members()),
            variables=_json(state.variables.members()),
            lacks=_json(state.lacks.members()),
            conflicts=list(step.conflicts),
        )

    async def _chain(self, info: Info) -> PassportChain:
        context = info.context
        found = await load_chain(context.platform.store, context.platform.content, context.reader, self.record_hash)
        # What is read costs more than what is shown.
        context.loaders.spend(len(found.hashes) + len(found.chain.data) // _BYTES_OF_AN_OBJECT)
        return found

    @classmethod
    def from_row(cls, row: Row) -> "Passport":
        """Return the passport that a row of `passports_by_hash.cypher` describes."""
        return cls(
            record_hash=row["record_hash"],
            log_index=row["log_index"],
            held=bool(row["held"]),
            boundary=boundary_of(row["boundary"]).value,
            redacted=row["redacted"],
            id=row["passport_id"],
            byte_length=row["byte_length"] or 0,
            event_time=None if row["event_micros"] is None else instant_of(row["event_micros"]),
            proved_agent=row["proved_agent"] if is_proved(row) else None,
            **{name: row[name] for name in _PLAIN},
        )


async def resolve_passport(info: Info, id: PassportName) -> Passport | None:
    """Return a passport by the hash of its bytes, or the first in the log with that id."""
    names = [str(id)]
    if not id.startswith("sha256:"):
        rows = await info.context.platform.store.read("passports_named", ids=[id], first=1)
        names = [row["record_hash"] for row in rows]
    return next(iter(await info.context.loaders.records.passports_with(names)), None)


def _json(value: object) -> str:
    return write_value(value).decode("utf-8", "replace")
