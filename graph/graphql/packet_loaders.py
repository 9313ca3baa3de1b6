"""Loads items and records of Context Packets, batched and cached for one request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from graph.clearance import Reader
from graph.graphql.batches import Entry, Parts
from graph.graphql.connection import Connection
from graph.lists.span import Span
from graph.store import Row, Store

if TYPE_CHECKING:
    from graph.graphql.loaders import Loaders


class PacketLoaders:
    """The loaders of packets, for one request; their lists leave out records that the reader may not have."""

    def __init__(self, store: Store, reader: Reader, loaders: Loaders) -> None:
        self._loaders = loaders
        self._items = Parts(store, "items_of_packets", "hashes", "packet")
        self._records = Parts(store, "packet_records_of", "hashes", "packet", readable=list(reader.readable))

    async def connect_items(self, record_hash: str, span: Span, show: Callable[[Row], Entry]) -> Connection[Entry]:
        """Return a page of the items of a packet."""
        return await self._items.connect(record_hash, span, self._counted(show))

    async def connect_records(self, record_hash: str, span: Span, show: Callable[[Row], Entry]) -> Connection[Entry]:
        """Return a page of the receipts, returns and dispositions of a packet."""
        return await self._records.connect(record_hash, span, self._counted(show))

    def _counted(self, show: Callable[[Row], Entry]) -> Callable[[Sequence[Row]], Awaitable[list[Entry]]]:
        async def shown(rows: Sequence[Row]) -> list[Entry]:
            self._loaders.spend(len(rows))
            return [show(row) for row in rows]

        return shown
