"""A platform on the store of the test, for modules that name it: `from platform_fixture import platform`."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from graph.content.content_store import open_content_store
from graph.node import load_node
from graph.platform import Platform, platform_on
from graph.settings import Settings
from graph.store import Store


@pytest_asyncio.fixture
async def platform(store: Store, tmp_path: Path) -> AsyncIterator[Platform]:
    """Yield a new node's platform on an empty graph."""
    settings = Settings(data=tmp_path)
    async with platform_on(store, open_content_store(settings), load_node(tmp_path / "node.key"), settings) as running:
        yield running
