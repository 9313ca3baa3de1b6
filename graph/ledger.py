"""Appends batches of messages to the graph and its log in one transaction each (design §5, "the sequence").

The order: (1) load what the batch refers to, with the log's size; (2) check every message against it and plan
rows and entries; (3) store the bytes under their hashes; (4) in one transaction take the lock of the log head,
read its size, and either write or, if the log moved on, roll back and begin again at (1). A crash after (3)
leaves unreferenced blobs and nothing else; after a commit whose answer was lost, (1) finds the messages' receipts.

A batch that cannot be written as it is, because the database refuses something in it or because others are always
quicker, is written in halves, and these in halves, so that only the messages at fault fail.
"""

import asyncio
import logging
import random
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from a2ap.errors import A2APError
from a2ap.message import Message
from a2ap.policy import Policy
from a2ap.statement import ProvenanceStatement
from graph.admission import check_message, record_message
from graph.content_store import ContentStore
from graph.errors import (
    CommitUncertainError,
    ContentError,
    EvidenceError,
    GraphError,
    StoreBusyError,
    StoreError,
    StoreUnavailableError,
)
from graph.evidence_reader import EvidenceReader
from graph.log_entry import LogEntry, Receipt, entry_of
from graph.machine import CHUNK_TEXT_LIMIT, MachineResult, check_statement, machine_response
from graph.machine_check import CheckStatus
from graph.node import Node
from graph.rows import Rows, add_rows
from graph.scores import rescore
from graph.state import State
from graph.state_loader import load_state
from graph.store import Store, Transaction
from graph.write_rows import write_rows

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 100
# So often others may be quicker before a batch is halved: the smaller it is, the sooner it is checked and written.
_ATTEMPTS_AS_ONE = 5
_YIELD_EVERY = 32
# Evidence of more bytes than this is compared in a thread, so that others are answered meanwhile.
_LONG_EVIDENCE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Submission:
    """A message to be appended; `countersigned` as in `graph.admission.check_message`."""

    message: Message
    countersigned: bool = False

    @property
    def weight(self) -> int:
        """Return about how many bytes it adds to a transaction: its own, and the texts of the chunks that it cites."""
        weight = len(self.message.envelope.received)
        if isinstance(self.message, ProvenanceStatement):
            for segment in self.message.evidence:
                length = segment.byte_range.end - segment.byte_range.start
                weight += length if length <= CHUNK_TEXT_LIMIT else 0
        return weight


Outcome = Receipt | Exception


class StaleLogError(Exception):
    """The log moved on, or a source arrived, since the batch was checked."""


@dataclass(slots=True)
class _Plan:
    """What one batch will write, and the answer to each of its submissions.

    `not_held` names the sources that it cites and that could not be looked at.
    """

    state: State
    received_at: datetime
    outcomes: list[Outcome] = field(default_factory=list)
    accepted: list[tuple[Message, LogEntry]] = field(default_factory=list)
    rows: Rows = field(default_factory=Rows)
    not_held: set[str] = field(default_factory=set)

    @property
    def next_index(self) -> int:
        return self.state.size + len(self.accepted)


class Ledger:
    """The way into the graph: every accepted message passes `append` and becomes a log entry."""

    def __init__(
        self,
        store: Store,
        content: ContentStore,
        node: Node,
        evidence: EvidenceReader,
        clock: Callable[[], datetime],
        *,
        record_failed_evidence: bool = False,
        record_unbound_verdicts: bool = False,
    ) -> None:
        self._store = store
        self._content = content
        self._node = node
        self._evidence = evidence
        self._clock = clock
        self._record_failed_evidence = record_failed_evidence
        self._record_unbound_verdicts = record_unbound_verdicts

    async def append(self, submissions: Sequence[Submission]) -> list[Outcome]:
        """Append the acceptable submissions in order; return a receipt or an error for each, in order.

        What got a receipt is durable when this returns. A database that does not answer is the error of all that was
        not written until then. A policy is a batch of its own: what comes before it is scored under the policy before.
        """
        outcomes: list[Outcome] = []
        for run in _runs(submissions):
            outcomes += await self._append_run(run)
        return outcomes

    async def _append_run(self, submissions: Sequence[Submission]) -> list[Outcome]:
        for attempt in range(MAX_ATTEMPTS):
            if attempt == _ATTEMPTS_AS_ONE and len(submissions) > 1:
                return await self._append_halves(submissions)
            try:
                return await self._append_at_once(submissions)
            except (StaleLogError, StoreBusyError, CommitUncertainError):
                await asyncio.sleep(random.uniform(0, 0.01 * min(attempt + 1, 10)))
            except (StoreUnavailableError, ContentError) as error:
                return [error] * len(submissions)
            except Exception as error:
                if len(submissions) > 1:
                    return await self._append_halves(submissions)
                name = submissions[0].message.envelope.signed_hash
                logger.warning("%s cannot be written: %s", name, error, exc_info=not isinstance(error, StoreError))
                return [error]
        return [StoreBusyError(f"the log moved on during {MAX_ATTEMPTS} attempts to append to it")] * len(submissions)

    async def _append_halves(self, submissions: Sequence[Submission]) -> list[Outcome]:
        middle = len(submissions) // 2
        first = await self._append_run(submissions[:middle])
        return [*first, *await self._append_run(submissions[middle:])]

    async def _append_at_once(self, submissions: Sequence[Submission]) -> list[Outcome]:
        plan = await self._plan(submissions)
        if plan.accepted:
            await self._content.put_many([message.envelope.received for message, _ in plan.accepted])
            await self._store.write(partial(self._write, plan=plan))
        return plan.outcomes

    async def _plan(self, submissions: Sequence[Submission]) -> _Plan:
        state = await load_state(self._store, [submission.message for submission in submissions])
        state.node_agent = self._node.agent_id
        plan = _Plan(state, self._clock())
        for index, submission in enumerate(submissions):
            if index % _YIELD_EVERY == _YIELD_EVERY - 1:
                await asyncio.sleep(0)
            try:
                outcome: Outcome = await self._accept(submission, plan)
            except (A2APError, GraphError) as error:
                outcome = error
            plan.outcomes.append(outcome)
        return plan

    async def _accept(self, submission: Submission, plan: _Plan) -> Receipt:
        message, state = submission.message, plan.state
        known = state.receipts.get(message.envelope.signed_hash)
        if known is not None:
            return known.repeated()
        check_message(
            message,
            state,
            countersigned=submission.countersigned,
            accept_unbound=self._record_unbound_verdicts,
        )
        if not isinstance(message, ProvenanceStatement):
            return self._add(message, plan)
        # The signature held: only now is the held source looked at (A2AP §4.2 step 2, then 3).
        result = await self._check_evidence(message, plan)
        # Both are made before either is added, so that there is never one without the other.
        verdict = machine_response(self._node, message, result, plan.received_at)
        receipt = self._add(message, plan, result.chunk_texts)
        self._add(verdict, plan)
        return receipt

    async def _check_evidence(self, statement: ProvenanceStatement, plan: _Plan) -> MachineResult:
        hashes = {segment.document_hash for segment in statement.evidence if segment.document_hash}
        documents = plan.state.documents
        held = {name for name in hashes if name in documents and documents[name].held}
        plan.not_held |= hashes - held
        cited = await self._evidence.cited_bytes(statement, held)
        if sum(len(found.content) for found in cited if found is not None) > _LONG_EVIDENCE:
            result = await asyncio.to_thread(check_statement, statement, cited)
        else:
            result = check_statement(statement, cited)
        if result.check.status is CheckStatus.FAIL and not self._record_failed_evidence:
            raise EvidenceError(result.check.reason, "evidence")
        return result

    def _add(self, message: Message, plan: _Plan, chunk_texts: tuple[str, ...] = ()) -> Receipt:
        entry = entry_of(message, log_index=plan.next_index, origin=self._node.origin, received_at=plan.received_at)
        record_message(message, plan.state)
        add_rows(plan.rows, message, entry, plan.state, chunk_texts)
        plan.accepted.append((message, entry))
        plan.state.receipts[entry.signed_hash] = receipt = Receipt(entry, created=True)
        return receipt

    async def _write(self, transaction: Transaction, plan: _Plan) -> None:
        # The lock is taken in one statement and the size read in the next: a compare in one loses entries.
        await transaction.run("lock_log_head", nonce=secrets.token_hex(8))
        (head,) = await transaction.run("log_size")
        if head["size"] != plan.state.size:
            raise StaleLogError
        if plan.not_held:
            # Sources arrive under the same lock (`graph.chunk_texts.mark_held`).
            known = await transaction.run("documents_known", hashes=sorted(plan.not_held))
            if any(document["held"] for document in known):
                raise StaleLogError
        entries = [entry for _, entry in plan.accepted]
        await write_rows(transaction, plan.rows, entries)
        await rescore(transaction, plan.accepted, self._node.agent_id)


def _runs(submissions: Sequence[Submission]) -> Iterator[Sequence[Submission]]:
    """Yield the submissions in order, each policy alone."""
    start = 0
    for place, submission in enumerate(submissions):
        if isinstance(submission.message, Policy):
            yield from (run for run in (submissions[start:place], submissions[place : place + 1]) if run)
            start = place + 1
    if start < len(submissions):
        yield submissions[start:]
