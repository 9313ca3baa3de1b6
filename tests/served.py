"""A platform behind a real socket, for clients that speak HTTP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graph.app import create_app
from graph.cli.server import bind, listening
from graph.platform import Platform


@asynccontextmanager
async def served(platform: Platform) -> AsyncIterator[str]:
    """Serve a platform on a free port; yield its address."""
    app, ended = create_app(platform, platform.settings), platform.subscribers.ended
    ended.clear()  # a platform is served several times in one test
    async with listening(app, bind("127.0.0.1", 0), ended.set, platform.settings) as address:
        yield address
