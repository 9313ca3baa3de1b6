"""Adapts a store to the reader that scoring uses, outside of any transaction."""

from dataclasses import dataclass
from typing import Any

from graph.store import Store


@dataclass(frozen=True, slots=True)
class StoreReader:
    """Runs named queries of a store, each by itself; implements `graph.scoring.knowledge.Reader`."""

    store: Store

    async def run(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Run a named query outside of any transaction."""
        return await self.store.read(name, **parameters)
