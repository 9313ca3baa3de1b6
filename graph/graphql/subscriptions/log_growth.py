"""The growth of the log: its size, its root and the signed checkpoint, and the new entries if requested.

Growth is coalesced: an event leads from the previous event's size to the newest checkpoint, regardless of the number of
checkpoints in between. With entries, it leads to the end of its page of entries, and the next event follows at once, so
that no entry is missed. Entries hold names and hashes only (docs/reference/log.md), so every reader may see them.
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
"""The minimum number of seconds between two events; the pages of one growth follow each other without a pause."""

FirstOf = Annotated[
    int,
    strawberry.argument(description=f"Maximum number of entries of an event, up to {MAX_PAGE}; 0 for none."),
]


@strawberry.type(description="A growth of the log.")
class LogGrowth:
    """The entries added to the log between two sizes, both under signed checkpoints."""

    size_before: int = strawberry.field(description="The size of the log at the end of the previous event.")
    size: int = strawberry.field(description="The size of the log at the end of this event; `cursor` points there.")
    checkpoint: str = strawberry.field(
        description="The newest checkpoint, a signed note: of this size, or of a larger size whose entries follow in "
        "later events."
    )
    cursor: str = strawberry.field(description="The cursor after this event, for the `after` of a subscription.")
    entries: list[LogEntry] = strawberry.field(description="The new entries in order, if `first` requests entries.")

    @resolved
    async def root_hash(self, info: Info) -> str:
        """The root hash of the tree of the first `size` entries, in base64 as in a checkpoint."""
        return _text(await info.context.platform.log.root_at(self.size))

    @resolved
    async def consistency_proof(self, info: Info) -> list[str]:
        """The consistency proof between `sizeBefore` and `size`: hashes in base64."""
        return [_text(one) for one in await info.context.platform.log.consistency_proof(self.size_before, self.size)]


async def follow_log(info: Info, first: FirstOf = 0, after: After = None) -> AsyncGenerator[LogGrowth, None]:
    """Yield the growth of the log."""
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
    """Return the size of the newest checkpoint, once it is greater than `size`."""
    log, watch = info.context.platform.log, info.context.platform.watch
    while True:
        if await watch.wait_past(size, PATIENCE) > size:
            # This server signs entries of other servers too.
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
