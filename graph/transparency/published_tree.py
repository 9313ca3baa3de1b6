"""The public part of a log under its newest checkpoint: proofs, root hashes, tiles and entry bundles."""

from functools import partial

from a2ap.log.checkpoint import Checkpoint
from a2ap.log.merkle import HASH_BYTES, consistency_proof, inclusion_proof
from a2ap.log.tiles import (
    TILE_HEIGHT,
    TILE_WIDTH,
    entries_path,
    read_entry_bundle,
    tile_path,
    write_entry_bundle,
)
from graph.errors import NotFoundError, NotReadyError
from graph.transparency.hash_tree import HashTree
from graph.transparency.kept_tiles import KeptTiles


class PublishedTree:
    """The tree of a log as far as it is signed; the unsigned rest is not given out."""

    def __init__(self, tree: HashTree, tiles: KeptTiles) -> None:
        self._tree = tree
        self._tiles = tiles
        self._signed: tuple[Checkpoint, str] | None = None

    @property
    def checkpoint(self) -> Checkpoint:
        """Return the newest checkpoint that this process knows; raises `NotReadyError` before the first."""
        return self._newest[0]

    @property
    def checkpoint_note(self) -> str:
        """Return that checkpoint as it was signed."""
        return self._newest[1]

    @property
    def _newest(self) -> tuple[Checkpoint, str]:
        if self._signed is None:
            raise NotReadyError("this log has signed nothing yet")
        return self._signed

    async def inclusion_proof(self, log_index: int, tree_size: int | None = None) -> tuple[bytes, ...]:
        """Return the proof that an entry is in the tree of that size, the newest signed one if none is given."""
        size = self._published(tree_size)
        if not 0 <= log_index < size:
            raise NotFoundError(f"a log of {size} entries has no entry {log_index}")
        return await self._tiles.compute(partial(inclusion_proof, log_index, size, self._tree.hash_at))

    async def consistency_proof(self, old_size: int, new_size: int | None = None) -> tuple[bytes, ...]:
        """Return the proof that the tree of the new size, the newest if none is given, continues the old one."""
        size = self._published(new_size)
        if not 0 <= old_size <= size:
            raise NotFoundError(f"a log of {size} entries continues none of {old_size}")
        return await self._tiles.compute(partial(consistency_proof, old_size, size, self._tree.hash_at))

    async def root_at(self, size: int) -> bytes:
        """Return the root hash of the first `size` entries."""
        return await self._tiles.compute(partial(self._tree.root_at, self._published(size)))

    async def tile(self, level: int, index: int, width: int = TILE_WIDTH) -> bytes:
        """Return a tile, full or partial, as far as the newest checkpoint reaches; raises `NotFoundError`."""
        self._check_reached(level, index, width, tile_path(level, index, width))
        if index < self._tree.count(level) // TILE_WIDTH:
            return (await self._tiles.tile(level, index))[: width * HASH_BYTES]
        return b"".join(self._tree.unfinished(level)[:width])

    async def entry_bundle(self, index: int, width: int = TILE_WIDTH) -> bytes:
        """Return an entry bundle, full or partial, as far as the newest checkpoint reaches; raises `NotFoundError`."""
        self._check_reached(0, index, width, entries_path(index, width))
        if index == self._tree.count(0) // TILE_WIDTH:
            return write_entry_bundle(self._tree.entries[:width])
        data = await self._tiles.bundle(index)
        return data if width == TILE_WIDTH else write_entry_bundle(read_entry_bundle(data)[:width])

    def _published(self, size: int | None) -> int:
        newest = self.checkpoint.tree_size
        if size is not None and not 0 <= size <= newest:
            raise NotFoundError(f"the log has {newest} entries, not {size}")
        return newest if size is None else size

    def _check_reached(self, level: int, index: int, width: int, path: str) -> None:
        if index * TILE_WIDTH + width > self.checkpoint.tree_size >> (TILE_HEIGHT * level):
            raise NotFoundError(f"a log of {self.checkpoint.tree_size} entries has no {path}")
