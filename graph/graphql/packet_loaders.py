"""Loads items and records of Context Packets, batched and remembered for one request."""

from typing import TYPE_CHECKING

from graph.graphql.batches import Row, pages_by
from graph.store import Store

if TYPE_CHECKING:
    from graph.graphql.loaders import Loaders


class PacketLoaders:
    """Part of the loaders of one request; what the reader may see is asked of the types."""

    def __init__(self, store: Store, loaders: "Loaders") -> None:
        self._loaders = loaders
        self._items = pages_by(store, "items_of_packets", "hashes", "packet")
        self._records = pages_by(store, "packet_records_of", "hashes", "packet")

    async def items_of(self, record_hash: str, first: int) -> list[Row]:
        """Return the rows of the first items of a packet."""
        rows = await self._items.load((record_hash, first, None))
        self._loaders.spend(len(rows))
        return rows

    async def records_of(self, record_hash: str, first: int) -> list[Row]:
        """Return the rows of the first receipts, returns and dispositions of a packet."""
        rows = await self._records.load((record_hash, first, None))
        self._loaders.spend(len(rows))
        return rows
