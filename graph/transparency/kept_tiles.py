"""The log's full tiles and entry bundles in the content store, and computations on them.

A tile that is read back is trusted only if it leads to the hash above it in the tree, and so to the right edge, which
is in memory; otherwise it is made again from the graph's entries, if these are the signed ones.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from a2ap.errors import LogError
from a2ap.log.merkle import hash_leaf
from a2ap.log.tiles import (
    TILE_HEIGHT,
    TILE_WIDTH,
    entries_path,
    parse_tile_path,
    read_entry_bundle,
    tile_path,
    write_entry_bundle,
)
from graph.content.content_store import Objects
from graph.errors import ContentNotFoundError, LogMismatchError
from graph.store import Reads
from graph.transparency.graph_entries import entries_between, leaf_of
from graph.transparency.hash_tree import FULL_TILE_BYTES, HashTree, MissingTileError, root_of_tile

T = TypeVar("T")

PREFIX = "log/"

logger = logging.getLogger(__name__)


async def kept_object(objects: Objects, path: str) -> bytes | None:
    """Return a tile or bundle of the log as it is kept, or None; `path` is below the log's prefix."""
    try:
        return await objects.read(PREFIX + path, 0, None)
    except ContentNotFoundError:
        return None


class KeptTiles:
    """The full tiles of a tree that grows."""

    def __init__(self, store: Reads, objects: Objects, tree: HashTree) -> None:
        self._store = store
        self._objects = objects
        self._tree = tree
        self._unwritten: dict[str, bytes] = {}

    async def write_full(self) -> None:
        """Write the tiles and bundles that became full since; if that fails, the next call tries again."""
        self._unwritten.update(self._tree.take_full())
        if self._unwritten:
            # Not flushed: after a crash the start compares them with the graph and writes them again.
            named = {PREFIX + path: data for path, data in self._unwritten.items()}
            await self._objects.write_many(named, durable=False)
            self._unwritten = {}

    async def compute(self, work: Callable[[], T]) -> T:
        """Return the result of `work` on the tree; it is called again for each tile that has to be fetched."""
        while True:
            try:
                return work()
            except MissingTileError as missing:
                await self._fetch(missing.level, missing.index)

    async def tile(self, level: int, index: int) -> bytes:
        """Return a full tile."""
        return await self.compute(partial(self._tree.tile, level, index))

    async def bundle(self, index: int) -> bytes:
        """Return a full entry bundle."""
        data = await self._kept(entries_path(index))
        return data if _leaf_hashes(data) == await self.tile(0, index) else await self._make_bundle(index)

    async def write_again(self, path: str) -> None:
        """Make a full tile or bundle anew from the graph and write it."""
        tile = parse_tile_path(path)
        if tile.level is None:
            await self._make_bundle(tile.index)
        else:
            await self._make_tile(tile.level, tile.index)

    async def _fetch(self, level: int, index: int) -> None:
        root = await self._root_of(level, index)
        if not self._tree.offer(level, index, await self._kept(tile_path(level, index)), root):
            self._tree.offer(level, index, await self._make_tile(level, index), root)

    async def _root_of(self, level: int, index: int) -> bytes:
        return await self.compute(partial(self._tree.hash_at, TILE_HEIGHT * (level + 1), index))

    async def _kept(self, path: str) -> bytes:
        return self._unwritten.get(path) or await kept_object(self._objects, path) or b""

    async def _make_tile(self, level: int, index: int) -> bytes:
        if level == 0:
            hashes = [hash_leaf(leaf) for leaf in await self._leaves(index)]
        else:
            places = range(index * TILE_WIDTH, (index + 1) * TILE_WIDTH)
            hashes = [await self.compute(partial(self._tree.hash_at, TILE_HEIGHT * level, place)) for place in places]
        data = b"".join(hashes)
        if len(data) != FULL_TILE_BYTES or root_of_tile(data) != await self._root_of(level, index):
            raise _mismatch(level, index)
        await self._keep_again(tile_path(level, index), data)
        return data

    async def _make_bundle(self, index: int) -> bytes:
        leaves = await self._leaves(index)
        if b"".join(hash_leaf(leaf) for leaf in leaves) != await self.tile(0, index):
            raise _mismatch(0, index)
        data = write_entry_bundle(leaves)
        await self._keep_again(entries_path(index), data)
        return data

    async def _leaves(self, index: int) -> list[bytes]:
        entries = await entries_between(self._store, index * TILE_WIDTH, (index + 1) * TILE_WIDTH)
        return [leaf_of(entry) for entry in entries]

    async def _keep_again(self, path: str, data: bytes) -> None:
        logger.info("%s%s was made again from the graph, which has the root of the log", PREFIX, path)
        await self._objects.write_many({PREFIX + path: data}, durable=False)


def _mismatch(level: int, index: int) -> LogMismatchError:
    first, end = (place * TILE_WIDTH ** (level + 1) for place in (index, index + 1))
    return LogMismatchError(f"entries {first} to {end - 1} of the graph are not those that were signed", first)


def _leaf_hashes(bundle: bytes) -> bytes:
    try:
        return b"".join(hash_leaf(entry) for entry in read_entry_bundle(bundle))
    except LogError:
        return b""
