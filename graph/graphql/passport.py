"""Context Passports: the members of a record, their proof, and the verification of its chain."""

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
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect_known
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.logged import Logged
from graph.graphql.node import Node
from graph.graphql.passport_check import PassportCheck, PassportFinding, PassportState
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.records.passport_chain import PassportChain, connected_records, is_proved, load_chain
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
    strawberry.argument(
        description="The hash of the passport's bytes, or its own id; an id shared by several passports names the "
        "first in the log."
    ),
]


@strawberry.type(description="A Context Passport: an agent's own record of an action and its handover (§03).")
class Passport(Node, Logged):
    """A `:Passport` node; a passport that was erased, or whose bytes are not stored, has its hash only."""

    record_hash: strawberry.ID = strawberry.field(
        description="The SHA-256 of the passport's bytes, by which the graph names it."
    )
    log_index: int = strawberry.field(description="The log index of the first registration.")
    held: bool = strawberry.field(description="Whether this node has the bytes.")
    boundary: str = strawberry.field(description="The boundary class of the bytes.")
    redacted: str | None = strawberry.field(
        description="The agent, time and reason of its erasure; null if it was not erased."
    )
    id: str | None = strawberry.field(description="The id that the passport states, which may not be unique.")
    schema_version: str | None = strawberry.field(description="The version of the specification that it follows.")
    parent_id: str | None = strawberry.field(description="The id of the parent, as stated; see `parents`.")
    trace_id: str | None = strawberry.field(description="The run that it belongs to.")
    branch_key: str | None = strawberry.field(description="The branch.")
    agent_id: str | None = strawberry.field(description="The agent that made it, as stated; see `attributedTo`.")
    agent_name: str | None = strawberry.field(description="The display name of that agent.")
    role: str | None = strawberry.field(description="The role of that agent.")
    provider: str | None = strawberry.field(description="The provider of the model.")
    model: str | None = strawberry.field(description="The model that made it.")
    event_type: str | None = strawberry.field(description="The type of event that it records.")
    to_agent_id: str | None = strawberry.field(description="The agent that it is handed to.")
    event_time: datetime | None = strawberry.field(
        description="The time of the event, as stated, if it names a time zone."
    )
    target: str | None = strawberry.field(description="The record that a revert or redact is about.")
    fork_of: str | None = strawberry.field(description="The id of the record that its branch starts from.")
    fork_point: str | None = strawberry.field(description="The id of the checkpoint before that record.")
    lineage_root: str | None = strawberry.field(description="The id of the root of the chain.")
    payload_hash: str | None = strawberry.field(description="The hash of the payload, as stated.")
    parent_hash: str | None = strawberry.field(
        description="The hash of the parent, if the passport's own integrity hash is correct."
    )
    integrity_hash: str | None = strawberry.field(description="The integrity hash, if it is correct.")
    profile: str | None = strawberry.field(description="The known form under which the payload has the stated hash.")
    chaining: str | None = strawberry.field(description="The way in which its hashes are joined: prefixed or bare.")
    signing: str | None = strawberry.field(description="The result of the check of the signature by itself.")
    signed_by: str | None = strawberry.field(description="The did:key for which the signature is valid.")
    proved_agent: strawberry.Private[str | None]
    byte_length: strawberry.Private[int]

    def node_key(self) -> str:
        """Return the key that is unique to this passport."""
        return str(self.record_hash)

    @resolved
    async def attributed_to(self, info: Info) -> Agent | None:
        """The agent that it names, if a trusted key of that agent signed it; the name alone proves nothing."""
        if self.proved_agent is None:
            return None
        return next(iter(await info.context.loaders.agents_with([self.proved_agent])), None)

    @resolved
    async def parents(self, info: Info) -> list["Passport"]:
        """The records that it was derived from, by their hashes; all records if several share a hash."""
        return await info.context.loaders.records.parents_of(self.record_hash)

    @resolved
    async def children(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection["Passport"]:
        """The records that were derived from it, in log order."""
        span = Span.asked(Ordering("children of a passport"), first, after, last, before)
        return await info.context.loaders.records.connect_passport_children(self.record_hash, span)

    @resolved
    async def chain(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection["Passport"]:
        """All records connected with it by derivation, itself among them, in log order; the nearest 500 at most."""
        span = Span.asked(Ordering("chain of a passport"), first, after, last, before)
        names, _ = await connected_records(info.context.platform.store, self.record_hash)
        found = await info.context.loaders.records.passports_with(names)
        return connect_known(span, sorted((((one.log_index,), one) for one in found), key=lambda entry: entry[0]))

    @resolved
    async def statements(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[LazyStatement]:
        """The statements generated by it (prov:wasGeneratedBy), in log order."""
        span = Span.asked(Ordering("statements of a record"), first, after, last, before)
        return await info.context.loaders.records.connect_statements(self.record_hash, span)

    @resolved
    async def document(self, info: Info) -> str | None:
        """The text as received; null if it is not stored or is above the clearance of this reader."""
        platform, reader = info.context.platform, info.context.reader
        if not self.held or self.redacted is not None or not reader.may_read(boundary_of(self.boundary)):
            return None
        info.context.loaders.spend_bytes(self.byte_length)
        content = await bytes_of_record(platform.store, platform.content, self.record_hash, "Passport", reader)
        return content.decode("utf-8", "replace")

    @resolved
    async def verification(self, info: Info) -> PassportCheck | None:
        """The result of verification within its chain, computed now; null if this reader may not have the bytes."""
        found = await self._chain(info)
        position = found.position_of(self.record_hash)
        if position is None:
            return None
        report = await asyncio.to_thread(check_chain, found.chain, known_keys=found.known_keys)
        whole = [PassportFinding.from_finding(finding) for finding in report.findings]
        return PassportCheck.from_report(report.records[position], whole, found)

    @resolved
    async def state(self, info: Info) -> PassportState | None:
        """The state after it on replay of its chain; null if this reader may not have the bytes."""
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
        # The bytes read cost more than the members shown.
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
