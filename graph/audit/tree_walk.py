"""The log itself: every entry, every tile and the root hash, computed again from the leaves.

The comparisons: each leaf with its hash in the tile of level 0; each tile of a higher level with the hashes of the
subtrees; the root hash with the checkpoint; and the root hash at the size of an earlier checkpoint with that one. No
consistency proof is requested, because the whole tree is computed. A message has one entry, so that nothing counts
twice.
"""

from collections.abc import AsyncIterator, Sequence

from a2ap.errors import LogFormatError
from a2ap.log.entry import LogEntry, read_entry
from a2ap.log.merkle import Frontier, hash_leaf
from a2ap.log.tiles import TILE_HEIGHT, TILE_WIDTH, entries_path, read_entry_bundle, read_tile, tile_path
from graph.audit.node_files import MissingFileError, NodeFiles
from graph.audit.report import AuditReport, FindingKind
from graph.audit.workspace import Workspace
from graph.log.name_here import name_here


class TreeWalk:
    """Reads the entries of a log of `tree_size` leaves and checks them as it goes."""

    def __init__(self, node: NodeFiles, tree_size: int, workspace: Workspace, report: AuditReport) -> None:
        self._node = node
        self._size = tree_size
        self._workspace = workspace
        self._report = report
        self._frontier = Frontier()
        self._rows: list[list[bytes]] = []
        self.roots: dict[int, bytes] = {}
        """The root hash at each requested tree size."""

    @property
    def root(self) -> bytes:
        """Return the root hash of the leaves read so far."""
        return self._frontier.root

    @property
    def complete(self) -> bool:
        """Whether every leaf was read."""
        return self._frontier.size == self._size

    async def entries(self, sizes: Sequence[int] = ()) -> AsyncIterator[list[LogEntry]]:
        """Yield the entries, bundle by bundle; note the root hash at each of `sizes`. Ends at a missing leaf."""
        wanted = set(sizes)
        if 0 in wanted:
            self.roots[0] = self._frontier.root
        for index in range(-(-self._size // TILE_WIDTH)):
            width = min(TILE_WIDTH, self._size - index * TILE_WIDTH)
            leaves = await self._leaves(index, width)
            stated = await self._tile(0, index, width)
            found: list[LogEntry] = []
            rows: list[tuple[int, bytes, bytes, str, str]] = []
            for position, leaf in enumerate(leaves):
                log_index = index * TILE_WIDTH + position
                leaf_hash = hash_leaf(leaf)
                if position < len(stated) and stated[position] != leaf_hash:
                    self._report.add(
                        FindingKind.TREE,
                        f"log entry {log_index}",
                        f"its leaf in {entries_path(index, width)} is another than in {tile_path(0, index, width)}",
                        log_index,
                    )
                self._append(leaf_hash)
                if log_index + 1 in wanted:
                    self.roots[log_index + 1] = self._frontier.root
                entry = self._read(leaf, log_index)
                if entry is not None:
                    found.append(entry)
                    name = name_here(entry.signed_hash, entry.type, entry.agent)
                    rows.append((log_index, leaf, leaf_hash, entry.signed_hash, name))
            self._workspace.run_many("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", rows)
            self._report.checked["log entries"] += len(leaves)
            yield found
            if len(leaves) < width:
                return
        await self._check_edges()

    def check_repeated(self) -> None:
        """Report messages that have more than one entry; the later entries are left out of the replay."""
        for log_index, first in self._workspace.repeated():
            what = f"is the message of entry {first} once more"
            self._report.add(FindingKind.ENTRY, f"log entry {log_index}", what, log_index)
            self._workspace.skip(log_index, "its message has an entry already", ())

    async def _leaves(self, index: int, width: int) -> tuple[bytes, ...]:
        path = entries_path(index, width)
        try:
            leaves = read_entry_bundle(await self._node.tile(path))
        except (MissingFileError, LogFormatError) as error:
            self._report.add(FindingKind.TREE, path, str(error), index * TILE_WIDTH)
            return ()
        if len(leaves) != width:
            self._report.add(
                FindingKind.TREE, path, f"has {len(leaves)} entries, not {width}", index * TILE_WIDTH + len(leaves)
            )
        return leaves[:width]

    async def _tile(self, level: int, index: int, width: int) -> tuple[bytes, ...]:
        path = tile_path(level, index, width)
        try:
            hashes = read_tile(await self._node.tile(path))
        except (MissingFileError, LogFormatError) as error:
            self._report.add(FindingKind.TREE, path, str(error))
            return ()
        if len(hashes) != width:
            self._report.add(FindingKind.TREE, path, f"has {len(hashes)} hashes, not {width}")
        self._report.checked["tiles"] += 1
        return hashes

    def _append(self, leaf_hash: bytes) -> None:
        completed = self._frontier.append(leaf_hash)
        # Of level 8, 16 and so on: the hashes of the tiles above the lowest.
        for level in range(1, (len(completed) - 1) // TILE_HEIGHT + 1):
            while len(self._rows) < level:
                self._rows.append([])
            self._rows[level - 1].append(completed[level * TILE_HEIGHT])

    async def _check_edges(self) -> None:
        """Compare the tiles of higher levels; all of their hashes are known by now."""
        for level, row in enumerate(self._rows, start=1):
            for index in range(-(-len(row) // TILE_WIDTH)):
                hashes = row[index * TILE_WIDTH : (index + 1) * TILE_WIDTH]
                stated = await self._tile(level, index, len(hashes))
                for position, (found, computed) in enumerate(zip(stated, hashes, strict=False)):
                    if found != computed:
                        first = (index * TILE_WIDTH + position) << (level * TILE_HEIGHT)
                        last = first + (1 << (level * TILE_HEIGHT)) - 1
                        self._report.add(
                            FindingKind.TREE,
                            tile_path(level, index, len(hashes)),
                            f"hash {position} is not that of the entries {first} to {last}",
                            first,
                        )

    def _read(self, leaf: bytes, log_index: int) -> LogEntry | None:
        try:
            return read_entry(leaf, log_index)
        except LogFormatError as error:
            self._report.add(FindingKind.ENTRY, f"log entry {log_index}", str(error), log_index)
            self._workspace.skip(log_index, "its entry cannot be read", ())
            return None
