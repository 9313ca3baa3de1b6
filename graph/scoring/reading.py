"""A store as scoring reads it, outside of any transaction."""

from dataclasses import dataclass
from typing import Any

from graph.store import Store


@dataclass(frozen=True, slots=True)
class StoreReader:
    """Runs named queries of a store, each by itself; `graph.scoring.knowledge.Reader` says what it stands for."""

    store: Store

    async def run(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Run a named query outside of any transaction."""
        return await self.store.read(name, **parameters)
