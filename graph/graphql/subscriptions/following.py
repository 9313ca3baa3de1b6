"""Follows the log for one subscription: from the subscriber's start, each entry once, each event with a cursor."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import Annotated

import strawberry

from a2ap.log.entry import LogEntry
from a2ap.messages.message import MessageType
from graph.graphql.context import Info
from graph.graphql.subscriptions.place import Place, read_place, write_place
from graph.requests.following import new_entries
from graph.store import Row

After = Annotated[
    str | None,
    strawberry.argument(description="The cursor of an event, or of the log, after which to resume; omit to start now."),
]
StatementOf = Annotated[
    strawberry.ID | None, strawberry.argument(description="A statement by its id or its signedHash.")
]

_LAST_EVENT = "Last-Event-ID"


async def beginning(info: Info, after: str | None) -> Place:
    """Return the place at which a subscription begins: that of a cursor, or the end of the log.

    After a lost connection, an EventSource requests the same address and adds the last event's id, which therefore
    takes precedence over `after`. Raises `InputError` for a cursor that is not of this log, or beyond it.
    """
    platform, resuming = info.context.platform, info.context.resuming
    size = await platform.watch.size()
    argument, cursor = (_LAST_EVENT, resuming.last_event) if resuming.last_event else ("after", after)
    place = Place(size) if cursor is None else read_place(platform.log.origin, size, cursor, argument)
    _pass(info, place)
    return place


@asynccontextmanager
async def following(info: Info, after: str | None) -> AsyncIterator[AsyncIterator[list[LogEntry]]]:
    """Count a subscriber, and yield the entries from its start, a page at a time."""
    platform = info.context.platform
    place = await beginning(info, after)
    with platform.subscribers.one_more(info.context.share):
        async with aclosing(_pages(info, place.size)) as pages:
            yield pages


@asynccontextmanager
async def telling(info: Info, place: Place) -> AsyncIterator[None]:
    """Run the delivery of an event with the cursor of a place, and note the place once the event is taken.

    It waits for the reader's turn, and then identifies the reader again.
    """
    await info.context.platform.subscribers.take_turn(info.context.share, info.context.cost)
    await info.context.renew()
    info.context.resuming.cursor = cursor_of(info, place)
    yield
    _pass(info, place)


def cursor_of(info: Info, place: Place) -> str:
    """Return the cursor of a place in this log."""
    return write_place(info.context.platform.log.origin, place)


async def rows_of(info: Info, query: str, entries: Sequence[LogEntry], message_type: MessageType) -> list[Row]:
    """Return the rows of the entries of this type, in log order."""
    hashes = [entry.signed_hash for entry in entries if entry.type == message_type.value]
    rows = await info.context.platform.store.read(query, hashes=hashes) if hashes else []
    return sorted(rows, key=lambda row: row["log_index"])


async def _pages(info: Info, size: int) -> AsyncGenerator[list[LogEntry], None]:
    platform = info.context.platform
    async with aclosing(new_entries(platform.store, platform.watch, size)) as pages:
        async for entries in pages:
            await platform.subscribers.take_turn(info.context.share, len(entries))
            yield entries
            # A request for the next page means that every event of this one was delivered.
            _pass(info, Place(entries[-1].log_index + 1))


def _pass(info: Info, place: Place) -> None:
    info.context.resuming.passed = cursor_of(info, place)
