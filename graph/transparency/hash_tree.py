"""The log's hashes: the right edge in memory, and the rest in full tiles that are fetched when needed.

A tile of level L holds 256 hashes, each of a full subtree of 256**L leaves (C2SP tlog-tiles). Tiles that are not full
yet are in memory whole; of the others the most recently used are, with the nodes between their hashes and their root,
so that a proof costs look-ups and no hashing. Memory does not grow with the log.
"""

from collections import OrderedDict

from a2ap.log.merkle import HASH_BYTES, hash_children, hash_leaf, tree_root
from a2ap.log.tiles import TILE_HEIGHT, TILE_WIDTH, entries_path, tile_path, write_entry_bundle

FULL_TILE_BYTES = TILE_WIDTH * HASH_BYTES

_CACHED_TILES = 4096  # at most 64 MiB; a log of 1,000,000 entries has as many at its bottom

Tile = tuple[int, int]
"""Level and index of a full tile."""


class MissingTileError(LookupError):
    """A full tile is needed that is not in memory."""

    def __init__(self, level: int, index: int) -> None:
        super().__init__(f"tile {level}/{index}")
        self.level = level
        self.index = index


class HashTree:
    """A tree that grows at its right edge.

    `full` holds the tiles and entry bundles that became full, by their paths, until `take_full`; `entries` the entries
    of the bundle that is not full yet.
    """

    def __init__(self, cached_tiles: int = _CACHED_TILES) -> None:
        self.size = 0
        self.full: dict[str, bytes] = {}
        self.entries: list[bytes] = []
        # For each level of tiles the rows of the unfinished one: its hashes, then the nodes above them.
        self._edge: list[list[list[bytes]]] = []
        self._cached: OrderedDict[Tile, tuple[bytes, ...]] = OrderedDict()
        self._cached_tiles = cached_tiles

    def append(self, entry: bytes) -> bytes:
        """Add an entry at the right, and return its leaf hash."""
        leaf_hash = hash_leaf(entry)
        self.entries.append(entry)
        if len(self.entries) == TILE_WIDTH:
            self.full[entries_path(self.size // TILE_WIDTH)] = write_entry_bundle(self.entries)
            self.entries.clear()
        self._add(0, leaf_hash)
        self.size += 1
        return leaf_hash

    def take_full(self) -> dict[str, bytes]:
        """Return the tiles and bundles that became full, and forget them."""
        full, self.full = self.full, {}
        return full

    def count(self, level: int) -> int:
        """Return the number of hashes that the tiles of a level hold."""
        return self.size >> (TILE_HEIGHT * level)

    def unfinished(self, level: int) -> list[bytes]:
        """Return the hashes of the tile of a level that is not full yet; none if it is empty."""
        return self._edge[level][0] if level < len(self._edge) else []

    def tile(self, level: int, index: int) -> bytes:
        """Return a full tile; raises `MissingTileError` if it has to be offered first."""
        return self._rows(level, index)[0]

    def hash_at(self, level: int, index: int) -> bytes:
        """Return the hash of the full subtree of 2**level leaves that begins at leaf index * 2**level.

        Raises `MissingTileError` if its tile has to be offered first, `LookupError` beyond the tree.
        """
        tile_level, row = divmod(level, TILE_HEIGHT)
        tile, place = divmod(index, TILE_WIDTH >> row)
        current = self.count(tile_level) // TILE_WIDTH
        if tile < current:
            start = place * HASH_BYTES
            return self._rows(tile_level, tile)[row][start : start + HASH_BYTES]
        if tile == current and tile_level < len(self._edge) and place < len(self._edge[tile_level][row]):
            return self._edge[tile_level][row][place]
        raise LookupError(f"a tree of {self.size} leaves has no full subtree {level}/{index}")

    def root_at(self, size: int) -> bytes:
        """Return the root hash of the first `size` leaves; raises as `hash_at` does."""
        if size > self.size:
            raise LookupError(f"a tree of {self.size} leaves has no root at {size}")
        return tree_root(size, self.hash_at)

    def offer(self, level: int, index: int, data: bytes, root: bytes) -> bool:
        """Keep a full tile in memory for a while if it has this root hash; return whether it has."""
        # The nodes that lead to the root are those that proofs need: they are hashed once for both.
        nodes = nodes_of(data) if len(data) == FULL_TILE_BYTES else ()
        if not nodes or _row_above(nodes[-1]) != root:
            return False
        self._remember(level, index, nodes)
        return True

    def _add(self, level: int, hash_: bytes) -> None:
        if level == len(self._edge):
            self._edge.append([[] for _ in range(TILE_HEIGHT)])
        rows = self._edge[level]
        rows[0].append(hash_)
        for row in range(TILE_HEIGHT - 1):
            if len(rows[row]) % 2:
                return
            rows[row + 1].append(hash_children(rows[row][-2], rows[row][-1]))
        if len(rows[0]) < TILE_WIDTH:
            return
        index = self.count(level) // TILE_WIDTH
        nodes = tuple(b"".join(row) for row in rows)
        self.full[tile_path(level, index)] = nodes[0]
        self._remember(level, index, nodes)
        root = hash_children(*rows[-1])
        for row_hashes in rows:
            row_hashes.clear()
        self._add(level + 1, root)

    def _rows(self, level: int, index: int) -> tuple[bytes, ...]:
        rows = self._cached.get((level, index))
        if rows is None:
            raise MissingTileError(level, index)
        self._cached.move_to_end((level, index))
        return rows

    def _remember(self, level: int, index: int, nodes: tuple[bytes, ...]) -> None:
        self._cached[level, index] = nodes
        self._cached.move_to_end((level, index))
        while len(self._cached) > self._cached_tiles:
            self._cached.popitem(last=False)


def nodes_of(data: bytes) -> tuple[bytes, ...]:
    """Return the rows of a full tile: its hashes, then the nodes above them, without the root."""
    rows = [data]
    while len(rows) < TILE_HEIGHT:
        rows.append(_row_above(rows[-1]))
    return tuple(rows)


def root_of_tile(data: bytes) -> bytes:
    """Return the root hash of a full tile: its hash in the level above."""
    return _row_above(nodes_of(data)[-1])


def _row_above(row: bytes) -> bytes:
    pair = 2 * HASH_BYTES
    return b"".join(
        [
            hash_children(row[place : place + HASH_BYTES], row[place + HASH_BYTES : place + pair])
            for place in range(0, len(row), pair)
        ]
    )
