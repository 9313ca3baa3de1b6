"""A platform on the store of the test, for modules that name it: `from platform_fixture import platform`."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from graph.content.content_store import open_content_store
from graph.node import load_node
from graph.past.engine import PastEngine
from graph.platform import Platform, platform_on
from graph.settings import Settings
from graph.store import Store


@pytest_asyncio.fixture
async def platform(store: Store, tmp_path: Path, past_engine: PastEngine) -> AsyncIterator[Platform]:
    """Yield a new node's platform on an empty graph."""
    settings = Settings(data=tmp_path)
    node = load_node(tmp_path / "node.key")
    async with platform_on(store, open_content_store(settings), node, settings, past_engine=past_engine) as running:
        yield running
