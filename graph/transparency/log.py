"""The node's log: every entry of the graph as a leaf, and checkpoints signed and kept.

The rules:

- An entry is integrated once its transaction is committed, before its receipt is given out: it is hashed, the tiles
  that became full are written, the new checkpoint is signed and durably kept outside the graph, then it is given out.
- Entries that other processes have written in between are read from the graph; tiles are the same from every process.
- A checkpoint is replaced only if it is the one that this process knows. Another that is found there is verified and
  has to be of this tree, at any size; a tree that is smaller than a signed one is never signed.
- Partial tiles are in memory only. Everything but the kept checkpoints can be made again from the graph.
"""

import asyncio
from collections.abc import Sequence
from functools import partial

from a2ap.errors import LogError
from a2ap.log.checkpoint import Checkpoint, open_checkpoint, sign_checkpoint
from a2ap.log.entry import LogEntry
from a2ap.log.log_key import LogKeys
from a2ap.log.log_proof import LogProof
from a2ap.log.signed_note import VerifierKey, open_note
from a2ap.log.tiles import TILE_WIDTH
from graph.content.content_store import ContentStore
from graph.errors import LogMismatchError, NodeError, NotReadyError
from graph.log.entry import log_size
from graph.store import Store
from graph.transparency.graph_entries import PAGE, entries_between, leaf_of
from graph.transparency.hash_tree import HashTree
from graph.transparency.kept_checkpoint import Place, write_edge
from graph.transparency.kept_tiles import KeptTiles
from graph.transparency.key_history import KeyHistory
from graph.transparency.log_signers import LogSigners
from graph.transparency.published_tree import PublishedTree


class Log(PublishedTree):
    """One process's view of the log; `open_log` makes it."""

    def __init__(
        self,
        store: Store,
        content: ContentStore,
        signers: LogSigners,
        places: Sequence[Place],
        keys: KeyHistory,
        tree: HashTree,
    ) -> None:
        super().__init__(tree, KeptTiles(store, content.objects, tree))
        self.origin = keys.origin
        self.signers = signers
        self._store = store
        self._content = content
        self._places = places
        self._keys = keys
        self._failure: LogMismatchError | NodeError | None = None
        self._turn = asyncio.Lock()

    @property
    def size(self) -> int:
        """Return the number of entries that this process has seen."""
        return self._tree.size

    @property
    def keys(self) -> LogKeys | None:
        """Return the keys of the log, or None if the graph names none yet."""
        return self._keys.keys

    @property
    def successions(self) -> tuple[str, ...]:
        """Return the notes with which each key of the log handed it to the next, in order."""
        return self._keys.notes

    @property
    def verifier_key(self) -> VerifierKey:
        """Return the key that signs the log now; raises `NotReadyError` if the graph names none yet."""
        if self._keys.keys is None:
            raise NotReadyError("this log has no key yet")
        return self._keys.keys.newest

    def check(self, size: int, known: int) -> None:
        """Raise if the log cannot go on: it failed before, or the graph of `known` entries now has `size`."""
        if self._failure is None and size < known:
            missing = f"entry {size} is missing from the graph, which had {known} entries before"
            self._failure = LogMismatchError(missing, size)
        if self._failure is not None:
            raise self._failure

    async def integrate(self, entries: Sequence[LogEntry] | None = None) -> None:
        """Sign a checkpoint over these entries and all before them, or over all entries of the graph.

        The entries are those of a committed transaction, as they were written, in order; missing ones are read from the
        graph. Entries that were integrated before are skipped. When this returns, the checkpoint is durable.
        """
        async with self._turn:
            self.check(self.size, self.size)
            try:
                await self._grow(entries)
                await self._tiles.write_full()
                await self._sign()
            except (LogMismatchError, NodeError) as error:
                self._failure = error
                raise

    async def cosign(self, note: str) -> None:
        """Keep and give out the newest checkpoint with more signatures under it; one of an older size is dropped.

        Raises `NoteError` if the log's own signature is not among them.
        """
        async with self._turn:
            checkpoint = self.checkpoint
            if open_note(note, [self.verifier_key]).text == checkpoint.text:
                edge = write_edge(checkpoint.tree_size, self._tree.unfinished(0))
                if all([await self._keep(place, checkpoint, note, edge) for place in self._places]):
                    self._signed = checkpoint, note

    async def refresh(self) -> None:
        """Integrate the entries that other processes have written since, if there are any."""
        if await log_size(self._store) > self._tree.size or self._signed is None:
            await self.integrate()

    async def proof_of(self, log_index: int) -> LogProof:
        """Return the proof of an entry under the newest checkpoint; entries of other processes are read first."""
        if self._signed is None or log_index >= self.checkpoint.tree_size:
            await self.refresh()
        checkpoint, note = self._newest
        return LogProof(log_index, await self.inclusion_proof(log_index, checkpoint.tree_size), note)

    async def _grow(self, entries: Sequence[LogEntry] | None) -> None:
        if entries is None:
            await self._read_up(None)
        for entry in entries or ():
            await self._read_up(entry.log_index)
            if entry.log_index == self._tree.size:
                await self._append(entry)

    async def _read_up(self, size: int | None) -> None:
        """Read the entries from the graph that this process has not seen, up to a size or up to the head of the log."""
        end = await log_size(self._store) if size is None else size
        while self._tree.size < end:
            page = await entries_between(self._store, self._tree.size, min(end, self._tree.size + PAGE))
            for entry in page:
                await self._append(entry)
            if not page and size is None:
                return
            if not page:
                raise LogMismatchError(
                    f"entry {self._tree.size} is missing from the graph; {size} entries were signed", self._tree.size
                )
            await self._tiles.write_full()

    async def _append(self, entry: LogEntry) -> None:
        await self._keys.learn(entry, self._content)
        self._tree.append(leaf_of(entry))
        if not self._tree.size % TILE_WIDTH:
            await asyncio.sleep(0)

    async def _sign(self) -> None:
        if self._keys.keys is None:
            return
        while self._signed is None or self._signed[0].tree_size < self._tree.size:
            size = self._tree.size
            checkpoint = Checkpoint(self.origin, size, self._tree.root_at(size))
            signer = self.signers.signer_of(self._keys.keys.at(size))
            note = await asyncio.to_thread(sign_checkpoint, checkpoint, signer)
            edge = write_edge(size, self._tree.unfinished(0))
            # Where another process was quicker, the tree has grown with its entries, and is signed again.
            if all([await self._keep(place, checkpoint, note, edge) for place in self._places]):
                self._signed = checkpoint, note

    async def _keep(self, place: Place, checkpoint: Checkpoint, note: str, edge: bytes) -> bool:
        """Keep a checkpoint in one place; return whether the one kept there now is of no larger tree."""
        while (found := await place.replace(note, edge)) is not None:
            seen = await self._check_seen(place, found)
            place.known = found
            if seen.tree_size >= checkpoint.tree_size:
                return seen.tree_size == checkpoint.tree_size
        return True

    async def _check_seen(self, place: Place, found: bytes) -> Checkpoint:
        """Return a checkpoint of another process; raises `LogMismatchError` unless it is one of this tree."""
        seen = place.read(found)
        await self._read_up(seen.tree_size)
        if await self._tiles.compute(partial(self._tree.root_at, seen.tree_size)) != seen.root_hash:
            first = f"the graph's first {seen.tree_size} entries"
            raise LogMismatchError(f"{first} do not have the root of the checkpoint kept in {place.name}")
        self._verify(place, found)
        return seen

    def _verify(self, place: Place, found: bytes) -> None:
        """Raise `LogMismatchError` unless a key of this log signed the checkpoint kept in a place."""
        if self._keys.keys is None:
            raise LogMismatchError(f"a checkpoint is kept in {place.name}, and the graph names no key of its log")
        try:
            open_checkpoint(found.decode(), self._keys.keys)
        except LogError as error:
            raise LogMismatchError(f"the checkpoint kept in {place.name} is not of this log: {error}") from error

    async def resume(self, damaged: Sequence[str]) -> None:
        """Go on after a start: verify the kept checkpoints' signatures, write damaged tiles again, sign new entries."""
        for place in self._places:
            if place.known is not None:
                self._verify(place, place.known)
                found = place.read(place.known)
                if self._signed is None or found.tree_size > self._signed[0].tree_size:
                    self._signed = found, place.known.decode()
        for path in damaged:
            await self._tiles.write_again(path)
        await self.integrate()
