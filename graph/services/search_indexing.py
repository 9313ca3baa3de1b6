"""Keeps the vectors of search up to the log while the platform serves."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graph.errors import GraphError
from graph.platform import Platform
from graph.search.indexing import Indexing

logger = logging.getLogger(__name__)

_WAIT = 60.0  # seconds after which the size of the log is asked for at the latest
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 600.0


@asynccontextmanager
async def following(platform: Platform) -> AsyncIterator[None]:
    """Keep the vectors up to the log, if the settings name a model."""
    indexing = indexing_of(platform)
    if indexing is None:
        yield
        return
    task = asyncio.create_task(_follow(platform, indexing), name="a2ap-search")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def indexing_of(platform: Platform) -> Indexing | None:
    """Return the indexing of a platform's vectors, None if its settings name no model."""
    meaning = platform.search.meaning
    if meaning is None:
        return None
    return Indexing(platform.store, platform.content, meaning, platform.node.agent_id)


async def _follow(platform: Platform, indexing: Indexing) -> None:
    size, failures = 0, 0
    while True:
        try:
            async for state in indexing.catch_up():
                size = state.log_size
            failures = 0
            size = max(size, await indexing.log_size())
            await platform.watch.wait_past(size, _WAIT)
        except GraphError as error:
            logger.error("the vectors of search are behind the log: %s", error)
            failures += 1
            await asyncio.sleep(_pause(failures))
        except Exception:
            # Search by words goes on, and so does this.
            logger.exception("the vectors of search are behind the log")
            failures += 1
            await asyncio.sleep(_pause(failures))


def _pause(failures: int) -> float:
    return min(_FIRST_PAUSE * 2.0 ** (failures - 1), _LONGEST_PAUSE)
