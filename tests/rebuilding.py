"""Empties the graph of a platform and rebuilds it from its log and stored bytes."""

from graph_contents import run_raw

from graph.log.entry import entry_from_row
from graph.platform import Platform
from graph.retention.standing import redacted_messages
from graph.submission.rebuild import rebuild


async def rebuilt(platform: Platform) -> None:
    """Rebuild the graph of a platform in its place."""
    entries = [entry_from_row(row) for row in await platform.store.read("log_entries_from", start=0, first=1_000)]
    await run_raw(platform.store, "MATCH (n) DETACH DELETE n")
    redacted = await redacted_messages(platform.content, entries)
    async for _ in rebuild(platform.store, platform.content, entries, redacted=redacted):
        pass
