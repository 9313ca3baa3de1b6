"""A peer's log, fetched and checked: its checkpoint, its earlier checkpoints, and its entries as leaves of its tree."""

from collections.abc import Sequence

from a2ap.errors import LogError, LogFormatError, NoteError
from a2ap.log.checkpoint import Checkpoint, open_checkpoint, read_checkpoint
from a2ap.log.entry import read_entry
from a2ap.log.log_key import LogKeys, follow_successions
from a2ap.log.merkle import Frontier, hash_leaf
from a2ap.log.signed_note import read_note
from a2ap.log.tiles import TILE_WIDTH
from graph.federation.agreements import Agreement
from graph.federation.errors import PeerAnswerError, PeerFaultError
from graph.federation.peer_client import PeerClient
from graph.federation.peer_folder import PeerFolder
from graph.federation.peer_tree import PeerTree, check_grown, check_not_shrunk, check_prefix

PIECE = 16 * TILE_WIDTH
"""Maximum entries that are fetched, checked and kept together."""

MAX_PIECE_BYTES = 2**24
"""Maximum bytes of them, and one bundle more: an entry may have 64 KiB."""


class PeerLog:
    """The log of a peer at the checkpoint that `fetch` has found."""

    def __init__(self, agreement: Agreement, folder: PeerFolder, client: PeerClient) -> None:
        self._agreement = agreement
        self._origin = agreement.origin
        self._folder = folder
        self._client = client
        self.checkpoint = Checkpoint(self._origin, 0, b"")
        self.note = ""

    async def fetch(self, noted: Sequence[str]) -> None:
        """Fetch the checkpoint and compare it with those that were checked before: the kept and the `noted` ones."""
        self.note = await self._client.checkpoint()
        keys = await self._open()
        kept = self._folder.checkpoint
        for note in dict.fromkeys([*noted, *([kept] if kept is not None else [])]):
            # Its signature was checked when it came; the key that made it may have handed the log on since.
            before = read_checkpoint(read_note(note).text)
            check_not_shrunk(self._folder, (before, note), (self.checkpoint, self.note), keys)
            await check_grown(self._client, (before, note), (self.checkpoint, self.note), keys)
        self._folder.keep_checkpoint(self.note)

    async def extend(self) -> None:
        """Fetch the entries after the kept ones, as many as agreed, and keep them once they are checked."""
        progress = self._folder.progress
        end = min(self.checkpoint.tree_size, progress.size + self._agreement.quota.entries_per_pull)
        while progress.size < end:
            await self._extend_to(min(end, progress.size + PIECE))

    async def _open(self) -> LogKeys:
        progress = self._folder.progress
        try:
            keys = follow_successions(self._agreement.log_key, progress.successions)
            try:
                self.checkpoint = open_checkpoint(self.note, keys)
            except NoteError:
                # The log may have another key by now: then the one before it has said so.
                successions = await self._client.successions()
                keys = follow_successions(self._agreement.log_key, successions)
                self.checkpoint = open_checkpoint(self.note, keys)
                progress.successions = successions
        except LogFormatError as error:
            # A proxy, or another server at this address: nobody's log has signed it.
            raise PeerAnswerError(f"{self._origin} gives no checkpoint: {error}") from error
        except LogError as error:
            raise PeerFaultError(f"the checkpoint of {self._origin} is not by the agreed key: {error}") from error
        return keys

    async def _extend_to(self, end: int) -> None:
        start, size = self._folder.progress.size, self.checkpoint.tree_size
        added: list[bytes] = []
        for index in range(start // TILE_WIDTH, -(-end // TILE_WIDTH)):
            if sum(map(len, added)) > MAX_PIECE_BYTES:
                break
            first = index * TILE_WIDTH
            bundle = await self._client.entries(index, min(TILE_WIDTH, size - first))
            added += bundle[max(start - first, 0) : end - first]
        frontier = self._folder.progress.frontier
        for leaf in added:
            frontier.append(hash_leaf(leaf))
        await self._check_leaves(frontier)
        for place, leaf in enumerate(added, start):
            self._check_entry(leaf, place)
        self._folder.keep_entries(added, frontier)

    async def _check_leaves(self, frontier: Frontier) -> None:
        size = self.checkpoint.tree_size
        if frontier.size < size:
            root, proof = await PeerTree(self._client, size).prefix(frontier.size)
            check_prefix(frontier.size, frontier.root, self.checkpoint, root, proof)
        elif frontier.root != self.checkpoint.root_hash:
            raise PeerFaultError(f"the entries of {self._origin} are not those of its checkpoint")

    def _check_entry(self, leaf: bytes, place: int) -> None:
        try:
            entry = read_entry(leaf, place)
        except LogFormatError as error:
            raise PeerFaultError(f"the log of {self._origin} has a leaf that is no entry: {error}") from error
        if (entry.origin == self._origin) != (entry.origin_index is None):
            raise PeerFaultError(f"entry {place} of {self._origin} does not say whose it is")
