"""Adapts a store, or one transaction of it, to the reader that scoring uses."""

from dataclasses import dataclass
from typing import Any

from graph.store import Reads


@dataclass(frozen=True, slots=True)
class StoreReader:
    """Runs named queries of a store, or of one transaction of it; implements `graph.scoring.knowledge.Reader`."""

    store: Reads

    async def run(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Run a named query."""
        return await self.store.read(name, **parameters)
