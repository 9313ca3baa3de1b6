"""The comparison at the start: the graph's log against the signed checkpoints and the tiles kept outside the graph.

All entries are read in order, some thousands at a time, and make the tree anew. At the size of each kept checkpoint the
root hash has to be the signed one. The kept tiles show the first entry that differs; if the graph has the signed root
hash and a tile differs, the tile is wrong.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from a2ap.log.checkpoint import Checkpoint
from a2ap.log.entry import LogEntry
from a2ap.log.merkle import HASH_BYTES, Frontier
from a2ap.log.tiles import TILE_WIDTH, entries_path, parse_tile_path, tile_path
from graph.content.content_store import Objects
from graph.errors import LogMismatchError
from graph.log.entry import log_size
from graph.store import Reads
from graph.transparency.graph_entries import leaf_of, pages_between
from graph.transparency.hash_tree import FULL_TILE_BYTES, HashTree
from graph.transparency.kept_checkpoint import Place, read_edge, read_kept
from graph.transparency.kept_tiles import PREFIX, kept_object
from graph.transparency.key_history import names_key


@dataclass(slots=True)
class Comparison:
    """The result of reading the whole log: its tree, the entries that name its keys, and the tiles to write."""

    origin: str
    kept: tuple[tuple[str, Checkpoint], ...]
    tree: HashTree = field(default_factory=HashTree)
    key_entries: list[LogEntry] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    roots: dict[int, bytes] = field(default_factory=dict)
    differs: int | None = None

    def take(self, entry: LogEntry, edge: Mapping[int, bytes]) -> None:
        """Add the next entry to the tree, and compare its leaf with the kept one, if there is one."""
        if names_key(entry, self.origin):
            self.key_entries.append(entry)
        leaf_hash = self.tree.append(leaf_of(entry))
        if edge.get(entry.log_index, leaf_hash) != leaf_hash:
            self._differ(entry.log_index)
        if any(checkpoint.tree_size == self.tree.size for _, checkpoint in self.kept):
            self.roots[self.tree.size] = self.tree.root_at(self.tree.size)

    def see(self, path: str, made: bytes, kept: bytes | None) -> None:
        """Compare a tile or bundle of this tree with the kept one, if there is one."""
        if kept is None:
            self.missing.append(path)
        elif kept != made:
            self.wrong.append(path)
            tile = parse_tile_path(path)
            if tile.level == 0:
                self._differ(tile.index * TILE_WIDTH + _first_difference(made, kept))

    def _differ(self, log_index: int) -> None:
        self.differs = log_index if self.differs is None else min(self.differs, log_index)


async def compare_graph(store: Reads, objects: Objects, places: Sequence[Place], origin: str) -> Comparison:
    """Read the whole log from the graph; raises `LogMismatchError`, naming the first entry that differs."""
    kept = [(place.name, checkpoint) for place in places if (checkpoint := await read_kept(place)) is not None]
    start, hashes = await read_edge(places[0]) or (0, b"")
    edge = {start + place: hashes[place * HASH_BYTES :][:HASH_BYTES] for place in range(len(hashes) // HASH_BYTES)}
    comparison = Comparison(origin, tuple(kept))
    try:
        await _read(store, objects, comparison, edge)
    except LogMismatchError as error:
        # A page is read before its entries are compared: a fault before it comes first.
        if comparison.differs is None:
            raise
        raise _difference(comparison.differs) from error
    for name, checkpoint in kept:
        await _check_root(comparison, objects, edge, name, checkpoint)
    if not kept and comparison.wrong:
        raise LogMismatchError(
            f"{PREFIX}{comparison.wrong[0]} does not match the graph's entries, and no checkpoint is kept that says "
            "which is right",
            comparison.differs,
        )
    if not kept:
        await _check_nothing_beyond(store, objects, comparison.tree.size)
    return comparison


async def _read(store: Reads, objects: Objects, comparison: Comparison, edge: Mapping[int, bytes]) -> None:
    tree = comparison.tree
    # Entries up to the head alone, since a place without an entry takes as long as one with it. Where the head has
    # moved on meanwhile, so have they.
    while tree.size < (size := await log_size(store)):
        async for page in pages_between(store, tree.size, size):
            try:
                for entry in page:
                    comparison.take(entry, edge)
            finally:
                made = tree.take_full()
                found = await asyncio.gather(*(kept_object(objects, path) for path in made))
                for (path, data), kept in zip(made.items(), found, strict=True):
                    comparison.see(path, data, kept)
        if tree.size < size:
            raise LogMismatchError(
                f"entry {tree.size} is missing from the graph; the head of its log says {size}", tree.size
            )
    if tree.size > size:
        raise _surplus(size, size)
    beyond = await store.read("log_entry_beyond", start=size)
    # Unless another server has just written it.
    if beyond and await log_size(store) <= beyond[0]["log_index"]:
        raise _surplus(beyond[0]["log_index"], size)


async def _check_nothing_beyond(store: Reads, objects: Objects, size: int) -> None:
    """Raise `LogMismatchError` if the tile or bundle that would be the next is kept: the log was longer."""
    index = size // TILE_WIDTH
    for path in (tile_path(0, index), entries_path(index)):
        if await kept_object(objects, path) is None:
            continue
        # Unless another server has just filled it.
        if await log_size(store) < (index + 1) * TILE_WIDTH:
            raise LogMismatchError(
                f"entry {size} is missing from the graph: it has {size} entries, and {PREFIX}{path} is kept, of a log "
                f"that had {(index + 1) * TILE_WIDTH}",
                size,
            )


def _surplus(log_index: int, size: int) -> LogMismatchError:
    return LogMismatchError(f"entry {log_index} is beyond the head of the log, which has {size} entries", log_index)


async def _check_root(
    comparison: Comparison, objects: Objects, edge: Mapping[int, bytes], name: str, checkpoint: Checkpoint
) -> None:
    size, found = checkpoint.tree_size, comparison.tree.size
    root = comparison.roots.get(size) if size else checkpoint.root_hash
    if root == checkpoint.root_hash:
        return
    differs = comparison.differs
    if root is None and (differs is None or differs >= found):
        raise LogMismatchError(
            f"entry {found} is missing from the graph: it has {found} entries, and the checkpoint kept in {name} is of "
            f"{size}. A graph that was restored from a backup cannot go on as the same log",
            found,
        )
    if differs is None:
        raise LogMismatchError(
            f"the graph's first {size} entries do not have the root of the checkpoint kept in {name}, and no tile is "
            "kept that says which of them differs"
        )
    if await _kept_root(objects, edge, size) != checkpoint.root_hash:
        raise LogMismatchError(
            f"the graph's first {size} entries do not have the root of the checkpoint kept in {name}; entry {differs} "
            "is the first that differs from the kept tiles, which do not have that root either",
            differs,
        )
    raise _difference(differs)


def _difference(log_index: int) -> LogMismatchError:
    return LogMismatchError(f"entry {log_index} of the graph is not the one that was signed", log_index)


async def _kept_root(objects: Objects, edge: Mapping[int, bytes], size: int) -> bytes | None:
    """Return the root hash that the kept tiles give at this size, or None if they are not enough."""
    frontier = Frontier()
    for index in range(size // TILE_WIDTH):
        tile = await kept_object(objects, tile_path(0, index))
        if tile is None or len(tile) != FULL_TILE_BYTES:
            return None
        for start in range(0, FULL_TILE_BYTES, HASH_BYTES):
            frontier.append(tile[start : start + HASH_BYTES])
    for log_index in range(size - size % TILE_WIDTH, size):
        if log_index not in edge:
            return None
        frontier.append(edge[log_index])
    return frontier.root


def _first_difference(made: bytes, kept: bytes) -> int:
    """Return the place of the first hash that differs in two tiles."""
    hashes = range(0, len(made), HASH_BYTES)
    differ = (place for place, start in enumerate(hashes) if made[start:][:HASH_BYTES] != kept[start:][:HASH_BYTES])
    return next(differ, 0)
