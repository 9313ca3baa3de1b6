"""The story of a statement as the schema shows it: what it came out of and what became of it, causes first."""

from datetime import datetime
from typing import Annotated

import strawberry

from graph.graphql.arguments import First, StatementName
from graph.graphql.context import Info, check_first
from graph.graphql.fields import resolved
from graph.graphql.packet import Packet, resolve_packet
from graph.graphql.passport import Passport
from graph.graphql.scalars import time_at
from graph.graphql.statement import Statement
from graph.lineage.story import Cause, Event, story_of
from graph.lineage.walk import Kind, Relation
from graph.store import Row


@strawberry.type(description="One thing that another rests on, and how.")
class LineageCause:
    """A `graph.lineage.story.Cause`."""

    relation: Relation = strawberry.field(description="How it is rested on.")
    kind: Kind = strawberry.field(description="What it is.")
    name: strawberry.ID = strawberry.field(description="Its signedHash, or the hash of its bytes.")

    @classmethod
    def from_cause(cls, cause: Cause) -> "LineageCause":
        """Return a cause as the schema shows it."""
        return cls(relation=cause.relation, kind=cause.kind, name=strawberry.ID(cause.name))


@strawberry.type(description="A part of the story of a statement: something made, used, asked, said or taken back.")
class LineageEvent:
    """A `graph.lineage.story.Event`, with what the log says of it."""

    kind: Kind = strawberry.field(description="What it is.")
    name: strawberry.ID = strawberry.field(description="Its signedHash, or the hash of its bytes.")
    id: strawberry.ID | None = strawberry.field(
        description="The id of the message, or the one that a record or source has."
    )
    log_index: int | None = strawberry.field(description="Its place in the log; null for bytes that a record names.")
    received_at: datetime | None = strawberry.field(description="When this node took it in.")
    agent: strawberry.ID | None = strawberry.field(description="Who handed it in, under a signature.")
    causes: list[LineageCause] = strawberry.field(description="What it rests on; all of it comes before.")
    position: int = strawberry.field(description="Its place in the whole story, for `after`.")

    @resolved
    async def statement(self, info: Info) -> Statement | None:
        """The statement, where it is one."""
        if self.kind is not Kind.STATEMENT:
            return None
        return next(iter(await info.context.loaders.statements_with([self.name])), None)

    @resolved
    async def passport(self, info: Info) -> Passport | None:
        """The Context Passport, where it is one."""
        if self.kind is not Kind.PASSPORT:
            return None
        return next(iter(await info.context.loaders.records.passports_with([self.name])), None)

    @resolved
    async def packet(self, info: Info) -> Packet | None:
        """The Context Packet, where it is one."""
        if self.kind is not Kind.PACKET:
            return None
        return await resolve_packet(info, self.name)

    @classmethod
    def from_event(cls, event: Event, position: int, entry: Row | None) -> "LineageEvent":
        """Return an event as the schema shows it; `entry` is a row of `story_entries.cypher`."""
        return cls(
            kind=event.kind,
            name=strawberry.ID(event.name),
            id=None if event.id is None else strawberry.ID(event.id),
            log_index=event.log_index,
            received_at=None if entry is None else time_at(entry["received_micros"]),
            agent=None if entry is None else strawberry.ID(entry["agent"]),
            causes=[LineageCause.from_cause(cause) for cause in event.causes],
            position=position,
        )


@strawberry.type(description="The whole story of a statement, each part after all that it rests on.")
class Lineage:
    """One page of a `graph.lineage.story.Story`."""

    as_of: int = strawberry.field(description="The size of the log; name it to get more pages of the same story.")
    complete: bool = strawberry.field(description="Whether nothing was left out, for there is a limit.")
    total: int = strawberry.field(description="How many parts there are.")
    has_next_page: bool = strawberry.field(description="Whether parts follow those of this page.")
    events: list[LineageEvent] = strawberry.field(description="Those of this page, causes first.")


async def resolve_lineage(
    info: Info,
    statement_id: StatementName,
    as_of: Annotated[int | None, strawberry.argument(description="A size of the log; without it, now.")] = None,
    first: First = 100,
    after: Annotated[int, strawberry.argument(description="The position of the last part seen.")] = -1,
) -> Lineage:
    """Tell what a statement came out of, back to the first input, and what became of it."""
    loaders, store = info.context.loaders, info.context.platform.store
    statement = await loaders.statement_with(await loaders.hash_of(statement_id))
    story = await story_of(store, statement.signed_hash, statement.id, statement.log_index, as_of)
    start = max(after + 1, 0)
    shown = story.events[start : start + check_first(first)]
    loaders.spend(len(shown))
    places = sorted({event.log_index for event in shown if event.log_index is not None})
    rows = await store.read("story_entries", places=places)
    entries = {row["log_index"]: row for row in rows}
    return Lineage(
        as_of=story.as_of,
        complete=story.complete,
        total=len(story.events),
        has_next_page=start + len(shown) < len(story.events),
        events=[
            LineageEvent.from_event(event, start + number, entries.get(event.log_index))
            for number, event in enumerate(shown)
        ],
    )
