"""The log as it grows: its size, its root and the checkpoint that signs it, and the new entries where they are wanted.

Growth is coalesced: an event leads from what was told before to the newest checkpoint, however many were signed in
between. With entries, it leads as far as its page of entries does, and the next event follows at once, so that nobody
misses one. Names and hashes are all that entries hold (docs/log.md): every reader may see them.
"""

import asyncio
import base64
from collections.abc import AsyncGenerator
from typing import Annotated

import strawberry

from graph.errors import InputError
from graph.graphql.context import MAX_PAGE, Info
from graph.graphql.fields import resolved
from graph.graphql.log_entry import LogEntry
from graph.graphql.subscriptions.following import After, beginning, cursor_of, telling
from graph.graphql.subscriptions.place import Place
from graph.requests.following import PATIENCE

PAUSE = 0.25
"""Seconds between two events at least; those of one growth, a page of entries each, follow one another at once."""

FirstOf = Annotated[
    int,
    strawberry.argument(description=f"How many entries an event has at most, up to {MAX_PAGE}; 0 is none at all."),
]


@strawberry.type(description="The log has grown.")
class LogGrowth:
    """What came to the log between two sizes, both of which are signed."""

    size_before: int = strawberry.field(description="How many entries the events before have told of.")
    size: int = strawberry.field(description="How many entries this one has told of: `cursor` is behind them.")
    checkpoint: str = strawberry.field(
        description="The newest checkpoint, a signed note: of this size, or of a larger whose entries are yet to come."
    )
    cursor: str = strawberry.field(description="Where to go on behind this event: the `after` of a subscription.")
    entries: list[LogEntry] = strawberry.field(description="What is new, in order, where `first` asks for entries.")

    @resolved
    async def root_hash(self, info: Info) -> str:
        """The root of the tree of the first `size` entries, in base64 as in a checkpoint."""
        return _text(await info.context.platform.log.root_at(self.size))

    @resolved
    async def consistency_proof(self, info: Info) -> list[str]:
        """The hashes, in base64, by which the log of `size` continues that of `sizeBefore`."""
        return [_text(one) for one in await info.context.platform.log.consistency_proof(self.size_before, self.size)]


async def follow_log(info: Info, first: FirstOf = 0, after: After = None) -> AsyncGenerator[LogGrowth, None]:
    """Yield what comes to the log."""
    if not 0 <= first <= MAX_PAGE:
        raise InputError(f"first is {first}, not from 0 to {MAX_PAGE}", "first")
    size = (await beginning(info, after)).size
    with info.context.platform.subscribers.one_more(info.context.share):
        while True:
            signed = await _signed_past(info, size)
            while size < signed:
                growth = await _growth(info, size, signed, first)
                size = growth.size
                async with telling(info, Place(size)):
                    yield growth
            await asyncio.sleep(PAUSE)


async def _signed_past(info: Info, size: int) -> int:
    """Return the size that is signed, once that is more than `size`."""
    log, watch = info.context.platform.log, info.context.platform.watch
    while True:
        if await watch.wait_past(size, PATIENCE) > size:
            # What another server has written is signed here too.
            await log.refresh()
            if log.checkpoint.tree_size > size:
                return log.checkpoint.tree_size
            await asyncio.sleep(PAUSE)


async def _growth(info: Info, size: int, signed: int, first: int) -> LogGrowth:
    page = min(first, signed - size)
    rows = await info.context.platform.store.read("log_entries_from", start=size, first=page) if page else []
    entries = [LogEntry.from_row(row) for row in rows]
    end = entries[-1].log_index + 1 if entries else signed
    return LogGrowth(
        size_before=size,
        size=end,
        checkpoint=info.context.platform.log.checkpoint_note,
        cursor=cursor_of(info, Place(end)),
        entries=entries,
    )


def _text(hash_: bytes) -> str:
    return base64.b64encode(hash_).decode("ascii")
