"""Reads the entries of a log from a folder in the layout of C2SP tlog-tiles."""

from collections.abc import Callable, Iterator
from pathlib import Path

from a2ap.errors import LogError
from a2ap.log.checkpoint import Checkpoint, read_checkpoint
from a2ap.log.entry import LogEntry, read_entry
from a2ap.log.merkle import Frontier, hash_leaf
from a2ap.log.signed_note import read_note
from a2ap.log.tiles import TILE_WIDTH, entries_path, read_entry_bundle
from graph.errors import RebuildError
from graph.transparency.static_export import CHECKPOINT


def read_log_folder(folder: Path) -> tuple[int, Callable[[], Iterator[LogEntry]]]:
    """Return the number of entries of an exported log and their reader; they have its checkpoint's root hash.

    Raises `RebuildError` if they do not, or a file is not in its format, and `OSError` if a file is missing. The
    signature on the checkpoint is not checked: `a2ap log audit` does that.
    """
    try:
        checkpoint = read_checkpoint(read_note((folder / CHECKPOINT).read_text(encoding="utf-8")).text)
        frontier = Frontier()
        for _, leaf in _leaves(folder, checkpoint):
            frontier.append(hash_leaf(leaf))
    except (LogError, UnicodeDecodeError) as error:
        raise RebuildError(f"{folder} is not a log: {error}") from error
    if frontier.root != checkpoint.root_hash:
        raise RebuildError(f"the entries in {folder} do not have the root of its checkpoint")

    def entries() -> Iterator[LogEntry]:
        return (read_entry(leaf, place) for place, leaf in _leaves(folder, checkpoint))

    return checkpoint.tree_size, entries


def _leaves(folder: Path, checkpoint: Checkpoint) -> Iterator[tuple[int, bytes]]:
    for start in range(0, checkpoint.tree_size, TILE_WIDTH):
        width = min(TILE_WIDTH, checkpoint.tree_size - start)
        path = entries_path(start // TILE_WIDTH, width)
        leaves = read_entry_bundle((folder / path).read_bytes())
        if len(leaves) != width:
            raise RebuildError(f"{folder / path} has {len(leaves)} entries, not {width}")
        yield from enumerate(leaves, start)
