"""The audit of one node: its log from the first leaf, every document, and the graph that they make.

The steps:

(1) read the checkpoint, and the checkpoint of this log remembered from an earlier audit;
(2) read every entry, tile and document, and compute the root hash from them;
(3) check the keys of the log, the signature on the checkpoint, and the cosignatures of the witnesses;
(4) check that the log continues the remembered one: the root hash at the remembered tree size is the same;
(5) write the graph again, and check every signature with the key that was valid at its place in the log;
(6) compare every node, relationship and property of that graph with the graph that the node publishes.

The checkpoint is remembered only if every step was completed and passed.
"""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial

from a2ap.errors import A2APError, EquivocationError, KeyFormatError, NoteError
from a2ap.log.checkpoint import Checkpoint, open_checkpoint, read_checkpoint
from a2ap.log.equivocation import verify_equivocation
from a2ap.log.log_key import LogKeys, follow_successions
from a2ap.log.merkle import consistency_proof
from a2ap.log.signed_note import VerifierKey, read_note
from a2ap.log.witness_policy import WitnessPolicy
from graph.audit.document_walk import DocumentWalk
from graph.audit.graph_comparison import GraphComparison
from graph.audit.graph_rows import PublishedGraph, load_rows
from graph.audit.kept_checkpoints import KeptCheckpoint, KeptCheckpoints
from graph.audit.node_files import MissingFileError, NodeFiles
from graph.audit.replay import Replay
from graph.audit.report import AuditReport, FindingKind
from graph.audit.tree_walk import TreeWalk
from graph.audit.workspace import Workspace
from graph.export import ExportFormat, export
from graph.store import Store

Progress = Callable[[str, int, int], None]

_ATTEMPTS = 3  # to read the graph of a log that grows


@dataclass(frozen=True, slots=True)
class Trust:
    """The auditor's prior trust: the log's key, if known, and the witnesses that it requires."""

    log_key: VerifierKey | None = None
    witnesses: WitnessPolicy | None = None


class Audit:
    """One audit; `run` performs all steps, and needs an empty store of the auditor's own for steps 5 and 6."""

    def __init__(
        self,
        node: NodeFiles,
        workspace: Workspace,
        kept: KeptCheckpoints,
        trust: Trust,
        report: AuditReport,
        progress: Progress = lambda what, done, total: None,
    ) -> None:
        self._node = node
        self._workspace = workspace
        self._kept = kept
        self._trust = trust
        self._report = report
        self._progress = progress
        self._documents = DocumentWalk(node, workspace, report)

    async def run(self, scratch: Store | None) -> None:
        """Audit the node; without a store the graph is not compared and signatures are not checked."""
        try:
            note = await self._node.checkpoint()
            stated = read_checkpoint(read_note(note).text)
        except (MissingFileError, A2APError) as error:
            self._report.add(FindingKind.CHECKPOINT, "checkpoint", str(error))
            return
        self._report.origin, self._report.tree_size = stated.origin, stated.tree_size
        kept = self._kept.load(stated.origin)
        key = await self._first_key(stated.origin, kept)
        if key is None:
            return
        before = read_checkpoint(read_note(kept.note).text) if kept is not None else None
        walk = await self._walk(stated, before)
        keys = self._check_checkpoint(note, key)
        if walk.complete and walk.root != stated.root_hash:
            what = f"its root is not that of the {stated.tree_size} entries that are there"
            self._report.add(FindingKind.TREE, "checkpoint", what)
        if kept is not None and before is not None:
            self._check_consistency(kept.note, before, note, stated, walk, keys)
        if scratch is None:
            self._report.whole = False
            self._report.leave("signatures and the graph, which were not asked for")
        elif self._documents.given:
            await self._check_graph(scratch, stated.tree_size)
        self._report.grown = self._report.grown or await self._is_longer(stated)
        if self._report.passed and self._report.finished and self._report.whole:
            self._kept.keep(stated.origin, KeptCheckpoint(key.text, note))

    async def _is_longer(self, stated: Checkpoint) -> bool:
        """Return whether the node has a longer log by now."""
        try:
            newest = read_checkpoint(read_note(await self._node.checkpoint()).text)
        except (MissingFileError, A2APError):
            return False
        return newest.tree_size > stated.tree_size

    async def _first_key(self, origin: str, kept: KeptCheckpoint | None) -> VerifierKey | None:
        """Return the first key of the log's chain of keys: the given, the remembered, or else the node's own one."""
        text = kept.log_key if kept is not None else None
        try:
            key = self._trust.log_key
            if key is None:
                if text is None and (text := await self._node.log_key()) is not None:
                    self._report.assume("whether the log key is the right one: the node itself was asked for it")
                key = VerifierKey.parse(text) if text is not None else None
        except KeyFormatError as error:
            self._report.add(FindingKind.CHECKPOINT, "log key", str(error))
            return None
        if key is None:
            self._report.add(FindingKind.CHECKPOINT, "log key", "the node states none, and none is known")
        elif key.name != origin:
            self._report.add(FindingKind.CHECKPOINT, "checkpoint", f"is of the log {origin}, not of {key.name}")
            key = None
        return key

    async def _walk(self, stated: Checkpoint, before: Checkpoint | None) -> TreeWalk:
        walk = TreeWalk(self._node, stated.tree_size, self._workspace, self._report)
        read = 0
        async for entries in walk.entries([before.tree_size] if before is not None else []):
            await self._documents.check(entries)
            read += len(entries)
            self._progress("Reading the log", read, stated.tree_size)
        walk.check_repeated()
        self._documents.check_redactions()
        await self._documents.fetch_sources()
        return walk

    def _check_checkpoint(self, note: str, key: VerifierKey) -> LogKeys | VerifierKey:
        keys: LogKeys | VerifierKey = key
        try:
            keys = follow_successions(key, self._documents.successions)
            open_checkpoint(note, keys)
            self._report.hold("the log's key signed the checkpoint")
            if self._trust.witnesses is not None:
                self._trust.witnesses.check(note)
                self._report.hold(f"{self._trust.witnesses.quorum} witnesses or more cosigned it")
            else:
                self._report.assume("whether others see the same log: no witnesses are asked for")
        except A2APError as error:
            self._report.add(FindingKind.CHECKPOINT, "checkpoint", str(error))
        return keys

    def _check_consistency(
        self, old: str, before: Checkpoint, new: str, stated: Checkpoint, walk: TreeWalk, keys: LogKeys | VerifierKey
    ) -> None:
        """Compare with the remembered checkpoint; two that contradict each other prove an equivocation."""
        where = f"checkpoint of {before.tree_size} entries"
        if before.tree_size > stated.tree_size:
            what = f"the log had {before.tree_size} entries, and now it has {stated.tree_size}"
            self._report.add(FindingKind.CONSISTENCY, where, what)
            return
        hashes: tuple[bytes, ...] = ()
        if before.tree_size == stated.tree_size:
            same = before.root_hash == stated.root_hash
        else:
            same = walk.roots.get(before.tree_size) == before.root_hash
            if not same and walk.complete:
                proof = consistency_proof(before.tree_size, stated.tree_size, self._workspace.subtree_hash)
                hashes = (walk.roots[before.tree_size], *proof)
        if same:
            self._report.hold(f"the log continues its earlier checkpoint of {before.tree_size} entries")
            return
        what = "the log does not continue its earlier checkpoint: its root is another"
        self._report.add(FindingKind.CONSISTENCY, where, what)
        try:
            verify_equivocation(old, new, keys, hashes)
            self._report.equivocation = (old, new)
            self._report.equivocation_hashes = hashes
        except (EquivocationError, NoteError) as error:
            self._report.leave(f"a proof of equivocation: {error}")

    async def _check_graph(self, scratch: Store, size: int) -> None:
        published = await self._read_published(size)
        if await self._documents.fetch_held_since():
            self._report.grown = True
        replay = Replay(self._workspace, self._report, self._documents.home or "", self._documents.redacted)
        if not await replay.write(scratch, lambda done: self._progress("Checking signatures", done, size)):
            return
        if published is None:
            return
        lines = _lines(
            export(scratch, self._workspace.content, ExportFormat.GRAPH_ROWS, published.clearance, published.size)
        )
        await load_rows(self._workspace, lines, published=False)
        self._progress("Comparing the graph", 0, 0)
        before = len(self._report.findings)
        GraphComparison(self._workspace, published, self._report).run()
        if len(self._report.findings) == before:
            what = "the graph, scores included," if published.scored else "the graph, scores apart,"
            compared = " as far as it was compared," if self._report.partial else ""
            self._report.hold(f"{what}{compared} is the one that the log makes")

    async def _read_published(self, size: int) -> PublishedGraph | None:
        read = partial(load_rows, self._workspace, published=True)
        try:
            for _ in range(_ATTEMPTS):
                self._workspace.run("DELETE FROM rows")
                published = await read(self._node.graph_lines(size))
                if published.still:
                    break
        except MissingFileError as error:
            self._report.stop(f"the graph: {error}")
            return None
        if not published.still:
            self._report.grown = True
            self._report.stop(f"scores: by its own account the log grew beyond {size} entries while they were read")
        return published


async def _lines(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    async for piece in pieces:
        for line in piece.split(b"\n"):
            yield line
