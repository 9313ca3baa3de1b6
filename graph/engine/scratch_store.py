"""A store on an embedded engine of its own, for a graph that is written to be compared or asked, and then removed."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from graph.engine.engine import embedded_engine
from graph.store import Store, connect_store


@asynccontextmanager
async def scratch_store(
    folder: Path, *, heap: str = "512m", timeout: float = 300.0, brief: bool = False
) -> AsyncIterator[Store]:
    """Yield a store on an empty embedded engine in a folder of its own; `brief` if it has little to do."""
    async with (
        embedded_engine(folder, heap=heap, timeout=timeout, brief=brief) as endpoint,
        connect_store(endpoint, timeout=timeout) as store,
    ):
        yield store
