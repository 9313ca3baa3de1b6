"""All places of the readers of one network taken, and as many of them waiting as may wait."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from graph.requests.query_budget import Places, QueryBudget
from graph.requests.share import Share

HERE = Share("127.0.0.1", has_token=False)
"""The share of a test's clients without a token."""


@asynccontextmanager
async def full(budget: QueryBudget, places: Places, *, room: int = 0) -> AsyncIterator[None]:
    """Have no place free in the share of this machine, and `room` for so many more to wait."""
    number = places.waiting - room
    async with AsyncExitStack() as stack:
        for _ in range(places.of_share):
            await stack.enter_async_context(budget.place(HERE, 1))
        tasks = [asyncio.create_task(budget.place(HERE, 60).__aenter__()) for _ in range(number)]
        while budget.waiting < number:
            await asyncio.sleep(0.01)
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
