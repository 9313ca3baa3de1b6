"""Appends batches of messages to the graph and its log, part by part (docs/explanation/architecture.md).

The order: (1) load the state that the batch refers to, with the log's size; then for each part of it (2) check every
message and plan rows and entries; (3) store the bytes under their hashes; (4) in one transaction take the lock of the
log head, read its size, and either write or, if the log has grown, roll back and begin again at (1) with the rest that
is not written yet. While a part is written, (2) and (3) are done for the next, which builds on the state that this part
will leave: it is written only if all parts before it were. If other writers keep being quicker, the lock comes first
and all of it happens in its transaction. A crash after (3) leaves unreferenced blobs and nothing else; after a commit
whose answer was lost, (1) finds the messages' receipts. Then (5) the log is signed up to the written entries, and only
then is there a receipt (`graph.transparency.log`).

A part that cannot be written as it is, because the database refuses something in it or does not let it be written in
time, is written in halves with the submissions that follow it, and these in halves, so that only the messages at fault
fail.
"""

import asyncio
import logging
import random
import secrets
from collections.abc import Sequence
from functools import partial

from a2ap.errors import A2APError
from a2ap.log.entry import LogEntry
from a2ap.messages.log_key_rotation import LogKeyRotation
from a2ap.messages.redaction import Redaction
from graph.content.content_store import ContentStore
from graph.errors import (
    CommitUncertainError,
    ContentError,
    GraphError,
    NodeError,
    NotReadyError,
    StorageFullError,
    StoreBusyError,
    StoreError,
    StoreUnavailableError,
    is_full,
)
from graph.log.entry import Outcome, Receipt, size_of
from graph.requests.closing import follow_requests
from graph.retention.erasing import erase
from graph.scores.updates import rescore
from graph.store import InTransaction, JointReads, Store, Transaction
from graph.submission.batch_plan import BatchPlan, Part
from graph.submission.parts import parts_of, runs_of
from graph.submission.planner import Planner
from graph.submission.row_writer import write_entries
from graph.submission.submission import Submission
from graph.transparency.log import Log

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 100
# Times that others may be quicker before a batch is checked under the lock, which the embedded engine does not hold
# until the end of the transaction, and before it is halved: the smaller it is, the sooner it is checked and written.
_ATTEMPTS_BEFORE_LOCK = 2
_ATTEMPTS_AS_ONE = 3


class StaleLogError(Exception):
    """The log has grown, or a source arrived, since a batch was checked: it is checked again, and no sender is told."""


class Ledger:
    """The way into the graph: every accepted message passes `append` and becomes a log entry."""

    def __init__(self, store: Store, content: ContentStore, planner: Planner, node_agent: str, log: Log) -> None:
        self._store = store
        self._content = content
        self._planner = planner
        self._node_agent = node_agent
        self._log = log
        self._appended: list[LogEntry] = []

    async def append(self, submissions: Sequence[Submission]) -> list[Outcome]:
        """Append the acceptable submissions in order; return a receipt or an error for each, in order.

        A message with a receipt is durable when this returns, and so is a signed checkpoint over it. If the database
        does not answer, all messages not written until then get that error. A policy is a batch of its own: the
        messages before it are scored under the policy before. So is a revocation, which changes the past: the messages
        after it are checked against the changed state.
        """
        outcomes: list[Outcome] = []
        for run in runs_of(submissions):
            if isinstance(run[0].message, LogKeyRotation):
                # Checked against the keys that the log has, up to its last entry.
                await self._log.refresh()
            written = await self._integrated(await self._append_run(run))
            if isinstance(run[0].message, Redaction):
                await self._erase(run[0].message, written[0])
            outcomes += written
        return outcomes

    async def _erase(self, message: Redaction, outcome: Outcome) -> None:
        """Erase the content of a redaction that is in the log; a failed erasure is done at the next start."""
        target = message.target_hash or message.document_hash
        if isinstance(outcome, Exception) or target is None:
            return
        try:
            await erase(self._store, self._content, target)
        except GraphError as error:
            logger.error("%s is redacted and cannot be erased yet: %s", target, error)

    async def _integrated(self, outcomes: list[Outcome]) -> list[Outcome]:
        """Return the outcomes once their entries are signed; receipts become errors if the log cannot be signed."""
        appended, self._appended = self._appended, []
        known = [outcome.entry for outcome in outcomes if isinstance(outcome, Receipt)]
        entries = {entry.log_index: entry for entry in (*known, *appended)}
        if not entries:
            return outcomes
        try:
            await self._log.integrate([entries[place] for place in sorted(entries)])
        except (A2APError, GraphError, OSError) as error:
            logger.error("the log cannot be signed: %s", error)
            found = f"the written entries cannot be signed: {error}"
            full = is_full(error) or isinstance(error, StorageFullError)
            unsigned = StorageFullError(found) if full else NotReadyError(found)
            unsigned.__cause__ = error
            return [unsigned if isinstance(outcome, Receipt) else outcome for outcome in outcomes]
        return outcomes

    async def _append_run(self, submissions: Sequence[Submission]) -> list[Outcome]:
        outcomes = await self._try_run(submissions)
        _note(submissions, outcomes)
        return outcomes

    async def _try_run(self, submissions: Sequence[Submission]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        for attempt in range(MAX_ATTEMPTS):
            rest = submissions[len(outcomes) :]
            if attempt == _ATTEMPTS_AS_ONE and len(rest) > 1:
                return [*outcomes, *await self._append_halves(rest)]
            try:
                if attempt >= _ATTEMPTS_BEFORE_LOCK and self._store.kind == "neo4j":
                    return [*outcomes, *await self._append_under_lock(rest)]
                await self._append_parts(rest, outcomes)
                return outcomes
            except (StaleLogError, StoreBusyError, CommitUncertainError):
                await asyncio.sleep(random.uniform(0, 0.01 * min(attempt + 1, 10)))
            except (StoreUnavailableError, StorageFullError, ContentError, NotReadyError, NodeError) as error:
                return [*outcomes, *[error] * (len(submissions) - len(outcomes))]
            except Exception as error:
                rest = submissions[len(outcomes) :]
                if len(rest) > 1:
                    return [*outcomes, *await self._append_halves(rest)]
                name = rest[0].message.envelope.signed_hash
                logger.warning("%s cannot be written: %s", name, error, exc_info=not isinstance(error, StoreError))
                return [*outcomes, error]
        moved = StoreBusyError(f"the log moved on during {MAX_ATTEMPTS} attempts to append to it")
        return [*outcomes, *[moved] * (len(submissions) - len(outcomes))]

    async def _append_halves(self, submissions: Sequence[Submission]) -> list[Outcome]:
        middle = len(submissions) // 2
        first = await self._append_run(submissions[:middle])
        return [*first, *await self._append_run(submissions[middle:])]

    async def _append_parts(self, submissions: Sequence[Submission], outcomes: list[Outcome]) -> None:
        """Write the submissions part by part, and add the outcomes of each part once it is written."""
        before = len(outcomes)
        plan = await self._begin(submissions, self._store)
        later = parts_of(submissions)
        planned = asyncio.create_task(self._plan(later.pop(0), plan))
        try:
            while True:
                part = await planned
                following = asyncio.create_task(self._plan(later.pop(0), plan)) if later else None
                planned = following or planned
                if part.accepted:
                    await self._store.write(partial(self._write, part=part))
                    self._appended += part.entries
                _note(submissions[len(outcomes) - before :], part.outcomes)
                outcomes += part.outcomes
                if following is None:
                    return
        finally:
            planned.cancel()
            await asyncio.gather(planned, return_exceptions=True)

    async def _append_under_lock(self, submissions: Sequence[Submission]) -> list[Outcome]:
        async def work(transaction: Transaction) -> Part:
            await _lock(transaction)
            reads = InTransaction(transaction)
            part = await self._planner.plan(submissions, await self._begin(submissions, reads), reads)
            if part.accepted:
                await self._content.put_many(part.contents)
                await self._write_locked(transaction, part)
            return part

        part = await self._store.write(work)
        self._appended += part.entries
        return part.outcomes

    async def _begin(self, submissions: Sequence[Submission], reads: JointReads) -> BatchPlan:
        known = self._log.size
        plan = await self._planner.begin(submissions, reads)
        # Nothing is added to a graph that has lost entries of which others have receipts.
        self._log.check(plan.state.size, known)
        return plan

    async def _plan(self, submissions: Sequence[Submission], plan: BatchPlan) -> Part:
        part = await self._planner.plan(submissions, plan, self._store)
        if part.accepted:
            await self._content.put_many(part.contents)
        return part

    async def _write(self, transaction: Transaction, part: Part) -> None:
        await _lock(transaction)
        # Sources arrive under the same lock (`graph.evidence.chunk_texts.mark_held`).
        names = [("documents_known", {"hashes": sorted(part.not_held)})] if part.not_held else []
        size, *known = await transaction.run_together([("log_size", {}), *names])
        if size_of(size) != part.size or any(document["held"] for rows in known for document in rows):
            raise StaleLogError
        await self._write_locked(transaction, part)

    async def _write_locked(self, transaction: Transaction, part: Part) -> None:
        await write_entries(transaction, part.rows, part.entries)
        await rescore(transaction, part.accepted, self._node_agent)
        await follow_requests(transaction, part.accepted, self._node_agent)


def _note(submissions: Sequence[Submission], outcomes: Sequence[Outcome]) -> None:
    """Record the outcomes of the first of these submissions, which are certain."""
    for submission, outcome in zip(submissions, outcomes, strict=False):
        submission.note(outcome)


async def _lock(transaction: Transaction) -> None:
    # The lock is taken in one statement and the size read in the next: a compare in one loses entries.
    await transaction.run("lock_log_head", nonce=secrets.token_hex(8))
