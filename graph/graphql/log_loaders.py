"""Loads entries of the log and their inclusion proofs, batched and cached for one request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strawberry.dataloader import DataLoader

from graph.errors import NotFoundError
from graph.graphql.batches import rows_by
from graph.graphql.log_entry import Receipt
from graph.log.entry import entry_from_row
from graph.store import Store
from graph.transparency.log import Log

if TYPE_CHECKING:
    from graph.graphql.loaders import Loaders


class LogLoaders:
    """The loaders of log entries, for one request; `loaders` count the objects returned."""

    def __init__(self, store: Store, loaders: Loaders) -> None:
        self._loaders = loaders
        self._entries = rows_by(store, "log_entries_at", "places", "log_index")
        self._messages = rows_by(store, "log_entries_by_hash", "hashes", "signed_hash")
        self._registrations = rows_by(store, "registrations_of", "keys", "document")
        self._proofs: DataLoader[tuple[Log, int], str] = DataLoader(load_fn=_proofs_of)

    async def receipt_at(self, place: int) -> Receipt:
        """Return the receipt of the message at a log index, with `created` false."""
        self._loaders.spend(1)
        row = (await self._entries.load(place))[0]
        return Receipt.from_entry(entry_from_row(row), created=False)

    async def proof_at(self, log: Log, place: int) -> str:
        """Return the inclusion proof of the entry at a log index, under the log's newest checkpoint."""
        self._loaders.spend(1)
        return await self._proofs.load((log, place))

    async def place_of(self, signed_hash: str) -> int:
        """Return the log index of the message with this hash; raise `NotFoundError`."""
        rows = await self._messages.load(signed_hash)
        if not rows:
            raise NotFoundError(f"no message {signed_hash} is in the log")
        place: int = rows[0]["log_index"]
        return place

    async def place_of_document(self, document_key: str) -> int | None:
        """Return the log index of the first registration of a document; None if it was only cited."""
        rows = await self._registrations.load(document_key)
        return await self.place_of(rows[0]["registration"]) if rows else None


async def _proofs_of(keys: list[tuple[Log, int]]) -> list[str]:
    """Return the proofs of these entries, computed in log order so that they share reads of the tree."""
    found = {}
    for log, place in sorted(keys, key=lambda key: key[1]):
        found[log, place] = (await log.proof_of(place)).text
    return [found[key] for key in keys]
