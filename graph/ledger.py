"""Appends batches of messages to the graph and its log in one transaction each (design §5, "the sequence").

The order: (1) load what the batch refers to, with the log's size; (2) check every message against it and plan
rows and entries; (3) store the bytes under their hashes; (4) in one transaction take the lock of the log head,
read its size, and either write or, if the log moved on, roll back and begin again at (1). A crash after (3)
leaves unreferenced blobs and nothing else; after a commit whose answer was lost, (1) finds the messages' receipts.
"""

import asyncio
import logging
import random
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import groupby

from a2ap.errors import A2APError
from a2ap.message import Message
from a2ap.policy import Policy
from a2ap.statement import ProvenanceStatement
from graph.admission import check_message, record_message
from graph.content_store import ContentStore
from graph.errors import (
    CommitUncertainError,
    EvidenceError,
    GraphError,
    StoreBusyError,
    StoreError,
    StoreUnavailableError,
)
from graph.evidence_reader import EvidenceReader
from graph.log_entry import LogEntry, Receipt, entry_of
from graph.machine import MachineResult, check_statement, machine_response
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
_YIELD_EVERY = 32


@dataclass(frozen=True, slots=True)
class Submission:
    """A message to be appended; `countersigned` as in `graph.admission.admit`, `received_at` only on a rebuild."""

    message: Message
    countersigned: bool = False


Outcome = Receipt | Exception


class StaleLogError(Exception):
    """The log moved on since the batch was checked against it."""


@dataclass(slots=True)
class _Plan:
    """What one batch will write, and the answer to each of its submissions."""

    state: State
    received_at: datetime
    outcomes: list[Outcome] = field(default_factory=list)
    accepted: list[tuple[Message, LogEntry]] = field(default_factory=list)
    rows: Rows = field(default_factory=Rows)

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

        The acceptable ones are durable when this returns. Raises `StoreError` if nothing could be written.
        A policy is a batch of its own: what comes before it is scored under the policy before it.
        """
        outcomes: list[Outcome] = []
        for _, run in groupby(submissions, key=lambda submission: isinstance(submission.message, Policy)):
            outcomes += await self._append_run(list(run))
        return outcomes

    async def _append_run(self, submissions: Sequence[Submission]) -> list[Outcome]:
        for attempt in range(MAX_ATTEMPTS):
            plan = await self._plan(submissions)
            if not plan.accepted:
                return plan.outcomes
            await self._content.put_many([message.envelope.received for message, _ in plan.accepted])
            try:
                await self._store.write(partial(self._write, plan=plan))
            except (StaleLogError, StoreBusyError, CommitUncertainError):
                await asyncio.sleep(random.uniform(0, 0.01 * min(attempt + 1, 10)))
                continue
            except StoreUnavailableError:
                raise
            except StoreError as error:
                return await self._isolate(submissions, error)
            return plan.outcomes
        raise StoreError(f"the log moved on during {MAX_ATTEMPTS} attempts to append to it")

    async def _isolate(self, submissions: Sequence[Submission], error: StoreError) -> list[Outcome]:
        """Append the two halves of a batch that the database refused, so that only the faulty message fails."""
        if len(submissions) == 1:
            logger.warning("the database refused %s: %s", submissions[0].message.envelope.signed_hash, error)
            return [error]
        middle = len(submissions) // 2
        return [
            *await self._append_run(submissions[:middle]),
            *await self._append_run(submissions[middle:]),
        ]

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
        result = await self._check_evidence(message, state)
        receipt = self._add(message, plan, result.chunk_texts)
        self._add(machine_response(self._node, message, result, plan.received_at), plan)
        return receipt

    async def _check_evidence(self, statement: ProvenanceStatement, state: State) -> MachineResult:
        hashes = {segment.document_hash for segment in statement.evidence if segment.document_hash}
        held = {name for name in hashes if (known := state.documents.get(name)) is not None and known.held}
        result = check_statement(statement, await self._evidence.cited_bytes(statement, held))
        if result.check.status is CheckStatus.FAIL and not self._record_failed_evidence:
            raise EvidenceError(result.check.reason, "evidence")
        return result

    def _add(self, message: Message, plan: _Plan, chunk_texts: tuple[str, ...] = ()) -> Receipt:
        entry = entry_of(
            message, log_index=plan.next_index, origin=self._node.origin, received_at=plan.received_at
        )
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
        entries = [entry for _, entry in plan.accepted]
        await write_rows(transaction, plan.rows, entries)
        await rescore(transaction, plan.accepted, self._node.agent_id)
