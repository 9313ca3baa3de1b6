"""Tiles: the tree and the entries of a log cut into files that never change (C2SP tlog-tiles).

A tile of level n holds up to 256 consecutive hashes of level 8·n of the tree; an entry bundle holds the entries
of a tile of level 0. A tile or bundle of fewer than 256 is partial and has `.p/<width>` in its path.
"""

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from a2ap.errors import LogFormatError
from a2ap.log.entry import MAX_ENTRY_BYTES
from a2ap.log.merkle import HASH_BYTES, MAX_TREE_SIZE, root_hash

TILE_HEIGHT = 8
TILE_WIDTH = 1 << TILE_HEIGHT
MAX_LEVEL = 63

_PATH = re.compile(
    r"tile/(?:entries|(?P<level>0|[1-9][0-9]?))/(?P<index>(?:x[0-9]{3}/){0,6}[0-9]{3})(?:\.p/(?P<width>[1-9][0-9]{0,2}))?"
)


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile of the tree, or the entry bundle of a level 0 tile if `level` is `None`."""

    level: int | None
    index: int
    width: int = TILE_WIDTH

    @property
    def path(self) -> str:
        """Return its path below the log's prefix."""
        if self.level is None:
            return entries_path(self.index, self.width)
        return tile_path(self.level, self.index, self.width)


def tile_path(level: int, index: int, width: int = TILE_WIDTH) -> str:
    """Return the path of a tile of the tree, `tile/0/x001/234.p/5`."""
    if not 0 <= level <= MAX_LEVEL:
        raise ValueError(f"there is no tile level {level}")
    return f"tile/{level}/{_place(index, width)}"


def entries_path(index: int, width: int = TILE_WIDTH) -> str:
    """Return the path of an entry bundle, `tile/entries/x001/234.p/5`."""
    return f"tile/entries/{_place(index, width)}"


def parse_tile_path(path: str) -> Tile:
    """Read the path of a tile or an entry bundle; raises `LogFormatError` for another spelling."""
    match = _PATH.fullmatch(path)
    if match is None:
        raise LogFormatError(f"{path[:200]!r} is not the path of a tile")
    level = None if match["level"] is None else int(match["level"])
    index, width = int(match["index"].replace("x", "").replace("/", "")), int(match["width"] or TILE_WIDTH)
    if (level or 0) > MAX_LEVEL or index > MAX_TREE_SIZE or width > TILE_WIDTH:
        raise LogFormatError(f"{path[:200]!r} is not the path of a tile")
    tile = Tile(level, index, width)
    if tile.path != path:
        raise LogFormatError(f"{path[:200]!r} is not the path of a tile, {tile.path} is")
    return tile


def tiles_between(old_size: int, new_size: int) -> Iterator[Tile]:
    """Yield the tiles of a tree of `new_size` leaves that one of `old_size` does not have, level by level.

    Full ones first in each level, then the partial one at the right edge, if any. Entry bundles go with level 0.
    """
    if not 0 <= old_size <= new_size <= MAX_TREE_SIZE:
        raise ValueError(f"no tree of {new_size} leaves continues one of {old_size}")
    level, old, new = 0, old_size, new_size
    while new > old:
        for index in range(old // TILE_WIDTH, new // TILE_WIDTH):
            yield Tile(level, index)
        if width := new % TILE_WIDTH:
            yield Tile(level, new // TILE_WIDTH, width)
        level, old, new = level + 1, old // TILE_WIDTH, new // TILE_WIDTH


def tile_of_hash(level: int, index: int, tree_size: int) -> Tile:
    """Return the tile out of which `subtree_hash` finds the hash of a full subtree, as wide as that size makes it."""
    tile_level = level // TILE_HEIGHT
    # How many hashes of the tile's bottom row lie beneath one of this level.
    tile_index = (index << (level % TILE_HEIGHT)) // TILE_WIDTH
    row = tree_size >> (tile_level * TILE_HEIGHT)
    if not 0 <= index < tree_size >> level:
        raise ValueError(f"a tree of {tree_size} leaves has no full subtree {index} of level {level}")
    return Tile(tile_level, tile_index, min(TILE_WIDTH, row - tile_index * TILE_WIDTH))


def subtree_hash(hashes: Sequence[bytes], level: int, index: int) -> bytes:
    """Return the hash of a full subtree out of the hashes of its tile."""
    count = 1 << (level % TILE_HEIGHT)
    start = (index * count) % TILE_WIDTH
    if start + count > len(hashes):
        raise LogFormatError(f"a tile of {len(hashes)} hashes does not reach subtree {index} of level {level}")
    return root_hash(hashes[start : start + count])


def write_tile(hashes: Sequence[bytes]) -> bytes:
    """Return the bytes of a tile."""
    if not 0 < len(hashes) <= TILE_WIDTH or any(len(hash_) != HASH_BYTES for hash_ in hashes):
        raise ValueError(f"a tile has 1 to {TILE_WIDTH} hashes of {HASH_BYTES} bytes")
    return b"".join(hashes)


def read_tile(data: bytes) -> tuple[bytes, ...]:
    """Return the hashes of a tile, full or partial; raises `LogFormatError`."""
    if not 0 < len(data) <= TILE_WIDTH * HASH_BYTES or len(data) % HASH_BYTES:
        raise LogFormatError(f"{len(data)} bytes are not the hashes of a tile")
    return tuple(data[start : start + HASH_BYTES] for start in range(0, len(data), HASH_BYTES))


def write_entry_bundle(entries: Sequence[bytes]) -> bytes:
    """Return the bytes of a bundle: each entry behind its length, 16 bits with the high byte first."""
    if not 0 < len(entries) <= TILE_WIDTH or any(len(entry) > MAX_ENTRY_BYTES for entry in entries):
        raise ValueError(f"a bundle has 1 to {TILE_WIDTH} entries of at most {MAX_ENTRY_BYTES} bytes")
    return b"".join(struct.pack(">H", len(entry)) + entry for entry in entries)


def read_entry_bundle(data: bytes) -> tuple[bytes, ...]:
    """Return the entries of a bundle, full or partial; raises `LogFormatError`."""
    entries: list[bytes] = []
    start = 0
    while start < len(data):
        end = start + 2 + int.from_bytes(data[start : start + 2], "big")
        if end > len(data) or start + 2 > len(data):
            raise LogFormatError(f"the bundle ends inside entry {len(entries)}")
        entries.append(data[start + 2 : end])
        start = end
    if not 0 < len(entries) <= TILE_WIDTH:
        raise LogFormatError(f"the bundle has {len(entries)} entries, not 1 to {TILE_WIDTH}")
    return tuple(entries)


def _place(index: int, width: int) -> str:
    if not 0 <= index <= MAX_TREE_SIZE or not 0 < width <= TILE_WIDTH:
        raise ValueError(f"there is no tile {index} of width {width}")
    digits = str(index)
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    groups = [digits[start : start + 3] for start in range(0, len(digits), 3)]
    place = "".join(f"x{group}/" for group in groups[:-1]) + groups[-1]
    return place if width == TILE_WIDTH else f"{place}.p/{width}"
