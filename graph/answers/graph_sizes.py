"""The number of nodes and relationships of each kind, counted again after a while, for all readers together."""

import asyncio
from collections.abc import Mapping
from time import monotonic

from graph.clearance import Reader
from graph.cypher_text.estimate import Bound
from graph.store import Store

PATIENCE = 60.0
"""Seconds for which counts are reused."""

ROWS_WITHOUT_TOKEN = 200_000
"""Estimated rows that a query of a reader without a token may have at any step."""

ROWS_WITH_TOKEN = 1_000_000
ROWS_OF_OPERATOR = 5_000_000


class GraphSizes:
    """The counts of one graph."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._counts: Mapping[str, int] = {}
        self._until = 0.0
        self._turn = asyncio.Lock()

    async def bound_for(self, reader: Reader) -> Bound:
        """Return the limit of estimated rows for a query of this reader."""
        async with self._turn:
            if monotonic() >= self._until:
                rows = await self._store.read("count_all")
                self._counts = {row["name"]: row["number"] for row in rows}
                self._until = monotonic() + PATIENCE
        return Bound(self._counts, _rows_for(reader))


def _rows_for(reader: Reader) -> int:
    if reader.operator:
        return ROWS_OF_OPERATOR
    return ROWS_WITHOUT_TOKEN if reader.token is None and reader.peer_key is None else ROWS_WITH_TOKEN
