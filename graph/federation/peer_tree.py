"""Checks a peer's log against its earlier state: one tree that grows, or a contradiction that can be proven.

The hashes for a check come from the peer's own tiles, so none of them is trusted: a proof that holds leads from a known
root hash to one that the peer has signed.
"""

from a2ap.errors import EquivocationError, ProofError
from a2ap.log.checkpoint import Checkpoint
from a2ap.log.equivocation import verify_equivocation
from a2ap.log.log_key import LogKeys
from a2ap.log.merkle import HASH_BYTES, HashAt, consistency_proof, tree_root, verify_consistency
from a2ap.log.tiles import Tile, subtree_hash, tile_of_hash
from graph.federation.errors import PeerAnswerError, PeerFaultError
from graph.federation.peer_client import PeerClient
from graph.federation.peer_folder import PeerFolder

Contradiction = tuple[tuple[str, str], tuple[bytes, ...]]


class PeerTree:
    """The hashes of a peer's tree of one size, from its tiles."""

    def __init__(self, client: PeerClient, tree_size: int) -> None:
        self._client = client
        self._size = tree_size
        self._tiles: dict[Tile, tuple[bytes, ...]] = {}

    async def prefix(self, old_size: int) -> tuple[bytes, tuple[bytes, ...]]:
        """Return the root hash of the first leaves, and the consistency proof from it, from the peer's tiles."""
        await self._fetch(old_size)
        return tree_root(old_size, self._hash_at), consistency_proof(old_size, self._size, self._hash_at)

    async def _fetch(self, old_size: int) -> None:
        # Which hashes are needed does not depend on the hashes.
        needed: dict[Tile, None] = {}

        def note(level: int, index: int) -> bytes:
            needed[tile_of_hash(level, index, self._size)] = None
            return bytes(HASH_BYTES)

        tree_root(old_size, note)
        consistency_proof(old_size, self._size, note)
        for tile in needed:
            if tile not in self._tiles:
                self._tiles[tile] = await self._client.tile(tile)

    def _hash_at(self, level: int, index: int) -> bytes:
        return subtree_hash(self._tiles[tile_of_hash(level, index, self._size)], level, index)


async def check_grown(
    client: PeerClient, old: tuple[Checkpoint, str], new: tuple[Checkpoint, str], keys: LogKeys
) -> None:
    """Raise `PeerFaultError` unless the new checkpoint's tree begins with the old one's."""
    (before, old_note), (now, new_note) = old, new
    if before.tree_size == 0:
        return
    if before.tree_size == now.tree_size:
        if before.root_hash != now.root_hash:
            raise PeerFaultError(
                f"{now.origin} has signed two trees of {now.tree_size} leaves", ((old_note, new_note), ())
            )
        return
    root, proof = await PeerTree(client, now.tree_size).prefix(before.tree_size)
    check_prefix(before.tree_size, before.root_hash, now, root, proof, ((old_note, new_note), keys))


def check_prefix(
    old_size: int,
    old_root: bytes,
    now: Checkpoint,
    root: bytes,
    proof: tuple[bytes, ...],
    signed: tuple[tuple[str, str], LogKeys] | None = None,
) -> None:
    """Raise `PeerFaultError` unless the proof leads from `old_root` to the checkpoint; `signed` has both notes."""
    if root == old_root:
        try:
            verify_consistency(old_size, now.tree_size, old_root, now.root_hash, proof)
        except ProofError as error:
            raise PeerFaultError(f"the tiles of {now.origin} are not those of its checkpoint: {error}") from error
        return
    fault = f"the tree of {now.tree_size} leaves of {now.origin} does not begin with the {old_size} that it had"
    raise PeerFaultError(fault, None if signed is None else shown(*signed, (root, *proof)))


def check_not_shrunk(
    folder: PeerFolder, kept: tuple[Checkpoint, str], now: tuple[Checkpoint, str], keys: LogKeys
) -> None:
    """Raise if a log that had more leaves shows fewer.

    `PeerAnswerError` if they are the leaves that it had: a cache, or a copy that lags, shows an old checkpoint, and
    that is no lie. `PeerFaultError` if they are others, with the proof.
    """
    (before, old_note), (after, new_note) = kept, now
    if after.tree_size >= before.tree_size:
        return
    said = f"{after.origin} has {before.tree_size} leaves and shows a checkpoint of {after.tree_size}"
    known = folder.progress.size
    if after.tree_size == 0 or known < after.tree_size:
        raise PeerAnswerError(said)
    hash_at: HashAt = folder.hash_at
    root = tree_root(after.tree_size, hash_at)
    if root == after.root_hash:
        raise PeerAnswerError(said)
    found = None
    if before.tree_size <= known:
        hashes = consistency_proof(after.tree_size, before.tree_size, hash_at)
        found = shown((new_note, old_note), keys, (root, *hashes))
    raise PeerFaultError(f"{said} leaves that are others", found)


def shown(notes: tuple[str, str], keys: LogKeys, hashes: tuple[bytes, ...]) -> Contradiction | None:
    """Return the contradiction between two checkpoints, None if these hashes do not prove one."""
    try:
        verify_equivocation(*notes, keys, hashes)
    except EquivocationError:
        return None
    return notes, hashes
