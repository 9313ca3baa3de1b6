"""The root hash of the log at a size, from the entries in the graph, and the kept checkpoint of that size."""

from a2ap.errors import LogError
from a2ap.log.checkpoint import read_checkpoint
from a2ap.log.growing_root import GrowingRoot
from a2ap.log.merkle import hash_leaf
from a2ap.log.signed_note import read_note
from graph.content.content_store import ContentStore
from graph.errors import ContentNotFoundError, LogMismatchError
from graph.store import Store
from graph.transparency.graph_entries import entries_between, leaf_of
from graph.transparency.kept_checkpoint import CHECKPOINT

_ENTRIES = 1000


async def log_root(store: Store, size: int) -> bytes:
    """Return the root of the first `size` entries, in memory that does not grow with them (RFC 6962 §2.1)."""
    return await LogRoot(store).at(size)


class LogRoot:
    """Roots of a growing log: the entries read for one size are not read again for a larger one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tree = GrowingRoot()

    async def at(self, size: int) -> bytes:
        """Return the root of the first `size` entries. Raises `LogMismatchError` if one is missing."""
        if size < self._tree.size:
            self._tree = GrowingRoot()
        while self._tree.size < size:
            start = self._tree.size
            end = min(start + _ENTRIES, size)
            entries = await entries_between(self._store, start, end)
            if len(entries) != end - start:
                raise LogMismatchError(f"entry {start + len(entries)} is missing from the graph", start + len(entries))
            for entry in entries:
                self._tree.add(hash_leaf(leaf_of(entry)))
        return self._tree.root


async def checkpoint_at(content: ContentStore, size: int, root: bytes) -> str | None:
    """Return the kept checkpoint if it is of this tree, None if it is of another tree or not kept here."""
    try:
        note = (await content.objects.read(CHECKPOINT, 0, None)).decode()
        found = read_checkpoint(read_note(note).text)
    except (ContentNotFoundError, LogError, UnicodeDecodeError):
        return None
    return note if (found.tree_size, found.root_hash) == (size, root) else None
