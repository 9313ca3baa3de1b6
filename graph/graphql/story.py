"""The story of a statement: its origins and its consequences, causes first."""

from datetime import datetime
from typing import TypeVar

import strawberry

from a2ap.times import instant_of
from graph.errors import NotFoundError
from graph.graphql.arguments import StatementName
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect_known, replaced
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.node import Node, encode_global_id
from graph.graphql.packet import Packet
from graph.graphql.passport import Passport
from graph.graphql.statement import Statement
from graph.graphql.thing import AtSize, Nodes, nodes_of, size_at
from graph.lineage.story import Cause, Event, Story, story_of
from graph.lineage.walk import Kind, Relation
from graph.lists.cursor import Ordering
from graph.lists.span import Span
from graph.store import Row

Shown = TypeVar("Shown", bound=Node)

CAUSES_FIRST = Ordering("lineage by CAUSE", (str, str))


@strawberry.type(description="A thing that another thing depends on, with the relation.")
class LineageCause:
    """A `graph.lineage.story.Cause`."""

    relation: Relation = strawberry.field(description="The relation of the dependent to the cause.")
    kind: Kind = strawberry.field(description="The kind of the cause.")
    name: strawberry.ID = strawberry.field(description="The signedHash, or the hash of the bytes.")

    @classmethod
    def from_cause(cls, cause: Cause) -> "LineageCause":
        """Return a cause as the schema shows it."""
        return cls(relation=cause.relation, kind=cause.kind, name=strawberry.ID(cause.name))


@strawberry.type(
    description="A part of the story of a statement: a thing that was made, used, requested, said or retracted."
)
class LineageEvent:
    """A `graph.lineage.story.Event`, with its log entry."""

    kind: Kind = strawberry.field(description="The kind of the thing.")
    name: strawberry.ID = strawberry.field(description="The signedHash, or the hash of the bytes.")
    id: strawberry.ID | None = strawberry.field(description="The id of the message, record or source.")
    log_index: int | None = strawberry.field(description="The log index; null for bytes that a record names.")
    received_at: datetime | None = strawberry.field(description="The time of receipt by this node.")
    agent: strawberry.ID | None = strawberry.field(description="The agent that submitted it under a signature.")
    causes: list[LineageCause] = strawberry.field(
        description="The things that it depends on; all of them come before it."
    )
    position: int = strawberry.field(description="The position in the whole story, from 0.")
    nodes: strawberry.Private[Nodes]

    @resolved
    async def statement(self) -> Statement | None:
        """The statement, if the part is one, as of `asOf` if given."""
        return await self._node(Kind.STATEMENT, Statement)

    @resolved
    async def passport(self) -> Passport | None:
        """The Context Passport, if the part is one, as of `asOf` if given."""
        return await self._node(Kind.PASSPORT, Passport)

    @resolved
    async def packet(self) -> Packet | None:
        """The Context Packet, if the part is one, as of `asOf` if given."""
        return await self._node(Kind.PACKET, Packet)

    async def _node(self, kind: Kind, shown_as: type[Shown]) -> Shown | None:
        if self.kind is not kind:
            return None
        found = await self.nodes.load(encode_global_id(shown_as.__name__, self.name))
        return found if isinstance(found, shown_as) else None

    @classmethod
    def from_event(cls, event: Event, position: int, entry: Row | None, nodes: Nodes) -> "LineageEvent":
        """Return an event as the schema shows it; `entry` is a row of `story_entries.cypher`."""
        return cls(
            kind=event.kind,
            name=strawberry.ID(event.name),
            id=None if event.id is None else strawberry.ID(event.id),
            log_index=event.log_index,
            received_at=None if entry is None else instant_of(entry["received_micros"]),
            agent=None if entry is None else strawberry.ID(entry["agent"]),
            causes=[LineageCause.from_cause(cause) for cause in event.causes],
            position=position,
            nodes=nodes,
        )


@strawberry.type(description="The whole story of a statement; each part comes after all things that it depends on.")
class Lineage:
    """A `graph.lineage.story.Story`."""

    as_of: int = strawberry.field(
        description="The size of the log; pass it as `asOf.logSize` to get further pages of the same story."
    )
    complete: bool = strawberry.field(description="Whether the story is complete; false if a limit cut it off.")
    total: int = strawberry.field(description="The number of parts.")
    story: strawberry.Private[Story]
    nodes: strawberry.Private[Nodes]

    @resolved
    async def events(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[LineageEvent]:
        """The parts, causes first; a cursor is valid for every log size with its part."""
        span = Span.asked(CAUSES_FIRST, first, after, last, before)
        events = self.story.events
        page = connect_known(span, [((one.kind.value, one.name), place) for place, one in enumerate(events)])
        info.context.loaders.spend(len(page.edges))
        shown = {edge.node: events[edge.node] for edge in page.edges}
        places = sorted({event.log_index for event in shown.values() if event.log_index is not None})
        rows = await info.context.platform.store.read("story_entries", places=places)
        entries = {row["log_index"]: row for row in rows}

        def show(place: int) -> LineageEvent:
            event = shown[place]
            entry = None if event.log_index is None else entries.get(event.log_index)
            return LineageEvent.from_event(event, place, entry, self.nodes)

        return replaced(page, show)


async def resolve_lineage(
    info: Info,
    statement_id: StatementName,
    as_of: AtSize = None,
) -> Lineage:
    """Return the story of a statement: its origins back to the first input, and its consequences."""
    loaders, store, reader = info.context.loaders, info.context.platform.store, info.context.reader
    statement = await loaders.statement_with(await loaders.hash_of(statement_id))
    size = await size_at(info, as_of)
    if size is not None and statement.log_index >= size:
        raise NotFoundError(f"no statement {statement_id} is here")
    story = await story_of(store, statement.signed_hash, statement.id, statement.log_index, size, reader)
    nodes = nodes_of(info, as_of)
    return Lineage(as_of=story.as_of, complete=story.complete, total=len(story.events), story=story, nodes=nodes)
