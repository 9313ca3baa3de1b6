"""Platforms that share a graph, for tests with more servers than one, and a look at the log that they leave."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from a2ap.log.entry import LogEntry
from graph.content.content_store import ContentStore, open_content_store
from graph.database.endpoint import Endpoint
from graph.log.entry import Receipt, entry_from_row
from graph.node import load_node
from graph.platform import Platform, platform_on
from graph.settings import Settings
from graph.store import Store, connect_store


@asynccontextmanager
async def server_on(
    store: Store, data: Path, *, content: ContentStore | None = None, settings: Settings | None = None
) -> AsyncIterator[Platform]:
    """Run a platform on a store, with the key and the content of a data folder."""
    settings = settings or Settings(data=data)
    content = content or open_content_store(settings)
    async with platform_on(store, content, load_node(data / "node.key"), settings) as platform:
        yield platform


@asynccontextmanager
async def server(endpoint: Endpoint, data: Path) -> AsyncIterator[Platform]:
    """Run a platform on a database, with a connection of its own."""
    async with connect_store(endpoint) as store, server_on(store, data) as platform:
        yield platform


async def log_of(store: Store) -> list[LogEntry]:
    """Return the log, which has neither a gap nor a message twice, and is as long as its head says."""
    (head,) = await store.read("log_size")
    entries = [entry_from_row(row) for row in await store.read("log_entries_from", start=0, first=head["size"])]
    assert not await store.read("log_entry_beyond", start=head["size"])
    assert [entry.log_index for entry in entries] == list(range(len(entries)))
    assert len({(entry.signed_hash, entry.agent) for entry in entries}) == len(entries)
    assert head["size"] == len(entries)
    return entries


def receipts_of(outcomes: Iterable[Receipt | Exception]) -> list[Receipt]:
    """Return the receipts, of which there must be one for each."""
    receipts = []
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome
        receipts.append(outcome)
    return receipts
