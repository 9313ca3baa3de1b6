"""The peers of this node: the agreement with each, and the progress through its log."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from graph.federation.agreements import Agreement, list_agreements
from graph.federation.peer_folder import Progress, folder_of, read_progress
from graph.store import Store


@dataclass(frozen=True, slots=True)
class PeerState:
    """The agreement with a peer, and the progress through its log."""

    agreement: Agreement
    progress: Progress

    @property
    def waiting(self) -> int:
        """Return the number of entries whose messages may be taken later."""
        return len(self.progress.waiting) + len(self.progress.withheld)


async def peer_states(store: Store, data: Path) -> list[PeerState]:
    """Return the state of each peer, by the data folder of this node."""
    agreements = await list_agreements(store)
    return [PeerState(one, await asyncio.to_thread(read_progress, folder_of(data, one.origin))) for one in agreements]
