"""Checks a batch of messages against what the graph knows and plans what to write, before anything is written.

Each message is checked against the graph and against those accepted before it in the batch; a statement's evidence is
compared with the sources that are held, and the node's verdict on it follows it at once.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from a2ap.boundary import STRICTEST, Boundary
from a2ap.errors import A2APError
from a2ap.evidence import EvidenceSegment
from a2ap.log.entry import LogEntry
from a2ap.message import Message
from a2ap.record_registration import RecordRegistration
from a2ap.redaction import Redaction
from a2ap.statement import ProvenanceStatement
from a2ap.verification_request import VerificationRequest
from graph.errors import EvidenceError, GraphError, TooLargeError
from graph.evidence.checking import look_at
from graph.evidence.machine import CHUNK_TEXT_LIMIT, MachineResult, sign_verdict
from graph.evidence.machine_check import CheckStatus
from graph.evidence.reader import EvidenceReader
from graph.evidence.remainders import remainders_of
from graph.log.admission import check_message
from graph.log.entry import Receipt, entry_of
from graph.log.imported import place_revocation
from graph.log.name_here import name_of_message
from graph.log.recording import record_message
from graph.log.row_lists import Rows
from graph.log.rows import add_rows
from graph.log.signatures import check_signature
from graph.log.state import DocumentRecord, State
from graph.log.state_loader import Reads, load_state
from graph.node import Node
from graph.records.record_check import record_content
from graph.requests.room import OpenRequests, load_open_requests
from graph.retention.redaction_check import keep_remainder
from graph.transparency.log import Log

# The graph keeps, and indexes, the text of the chunks that a statement cites: so many bytes of it at most.
MAX_CITED_TEXT = 1024 * 1024

_YIELD_EVERY = 32
# What the rows of one evidence segment add to a transaction, about, in bytes.
_SEGMENT_WEIGHT = 1024


@dataclass(frozen=True, slots=True)
class Submission:
    """A message to be appended; `countersigned` as in `graph.log.admission.check_message`.

    Evidence from a source above the submitter's `clearance` is not compared: the answer would tell what it says.
    A message out of a peer's log has its `origin`, the place there and when it was received there, and names scoped by
    it (`a2ap.scoping`). The registration of a record comes with its bytes, and those that it names, in `blobs`.
    """

    message: Message
    countersigned: bool = False
    clearance: Boundary = STRICTEST
    origin: str | None = None
    origin_index: int | None = None
    origin_received_at: datetime | None = None
    blobs: tuple[bytes, ...] = ()

    @property
    def weight(self) -> int:
        """Return about how many bytes it adds to a transaction: its own, and the texts of the chunks that it cites."""
        weight = len(self.message.envelope.received) + sum(map(len, self.blobs))
        if isinstance(self.message, ProvenanceStatement):
            weight += _cited_text(self.message) + _SEGMENT_WEIGHT * len(self.message.evidence)
        return weight


Outcome = Receipt | Exception


@dataclass(slots=True)
class BatchPlan:
    """What one batch will write, and the answer to each of its submissions.

    `not_held` names the sources that it cites and that could not be looked at; `blobs` are the bytes of records.
    `open_requests` counts what the agents that ask have open.
    """

    state: State
    received_at: datetime
    outcomes: list[Outcome] = field(default_factory=list)
    accepted: list[tuple[Message, LogEntry]] = field(default_factory=list)
    rows: Rows = field(default_factory=Rows)
    not_held: set[str] = field(default_factory=set)
    blobs: list[bytes] = field(default_factory=list)
    open_requests: OpenRequests = field(default_factory=OpenRequests)

    @property
    def next_index(self) -> int:
        """Return the log index of the message that is accepted next."""
        return self.state.size + len(self.accepted)


class Planner:
    """Makes the plans of one node's batches."""

    def __init__(
        self,
        node: Node,
        evidence: EvidenceReader,
        clock: Callable[[], datetime],
        log: Log,
        *,
        record_failed_evidence: bool = False,
        record_unbound_verdicts: bool = False,
        max_open_requests: int | None = None,
    ) -> None:
        self._node = node
        self._evidence = evidence
        self._clock = clock
        self._log = log
        self._record_failed_evidence = record_failed_evidence
        self._record_unbound_verdicts = record_unbound_verdicts
        self._max_open_requests = max_open_requests

    async def plan(self, submissions: Sequence[Submission], reads: Reads) -> BatchPlan:
        """Return what to write for these submissions, and the answer to each, as of what `reads` finds."""
        state = await load_state(reads, [submission.message for submission in submissions])
        state.node_agent = self._node.agent_id
        state.log_keys = self._log.keys
        plan = BatchPlan(state, self._clock())
        plan.open_requests = await load_open_requests(
            reads, [one.message for one in submissions if one.origin is None], state, plan.received_at
        )
        for index, submission in enumerate(submissions):
            if index % _YIELD_EVERY == _YIELD_EVERY - 1:
                await asyncio.sleep(0)
            if submission.origin is not None:
                taken = [entry for _, entry in plan.accepted]
                message = await place_revocation(submission.message, submission.origin, reads, taken)
                submission = replace(submission, message=message)
            try:
                outcome: Outcome = await self._accept(submission, plan)
            except (A2APError, GraphError) as error:
                outcome = error
            plan.outcomes.append(outcome)
        return plan

    async def _accept(self, submission: Submission, plan: BatchPlan) -> Receipt:
        message, state = submission.message, plan.state
        known = state.receipts.get(name_of_message(message))
        if known is not None:
            signed_elsewhere = submission.countersigned or submission.origin is not None
            if known.entry.document_hash != message.envelope.document_hash and not signed_elsewhere:
                # The same words in other bytes: a copy whose signature was spoilt is no copy.
                check_signature(message, state)
            return known.repeated()
        check_message(
            message,
            state,
            countersigned=submission.countersigned,
            accept_unbound=self._record_unbound_verdicts,
            origin=submission.origin,
        )
        if isinstance(message, VerificationRequest) and submission.origin is None:
            plan.open_requests.add(message, state, self._max_open_requests)
        if isinstance(message, Redaction):
            verdict_row = await keep_remainder(message, state, self._evidence.content)
            self._evidence.forget(message.document_hash or "")
            if verdict_row is not None:
                plan.rows.add("write_redacted_verdicts", verdict_row)
        if isinstance(message, RecordRegistration):
            # Records are long, and are read twice: aside, so that the node answers others meanwhile.
            of_peer = submission.origin is not None
            record = await asyncio.to_thread(record_content, message, submission.blobs, of_peer=of_peer)
            plan.blobs += submission.blobs if record is not None else ()
            return await asyncio.to_thread(self._add, message, plan, submission, record=record)
        if not isinstance(message, ProvenanceStatement):
            return self._add(message, plan, submission)
        # The signature held: only now is the held source looked at (A2AP §4.2 step 2, then 3).
        result = await self._check_evidence(message, plan, submission)
        # Both are made before either is added, so that there is never one without the other.
        verdict = await sign_verdict(self._node, message, result, plan.received_at)
        receipt = self._add(message, plan, submission, result.chunk_texts)
        self._add(verdict, plan, Submission(verdict))
        return receipt

    async def _check_evidence(
        self, statement: ProvenanceStatement, plan: BatchPlan, submission: Submission
    ) -> MachineResult:
        if (text := _cited_text(statement)) > MAX_CITED_TEXT:
            raise TooLargeError(
                f"evidence cites {text} bytes in segments of up to {CHUNK_TEXT_LIMIT}; {MAX_CITED_TEXT} are taken",
                "evidence",
            )
        hashes = {segment.document_hash for segment in statement.evidence if segment.document_hash}
        documents = plan.state.documents
        held = {name for name in hashes if name in documents and documents[name].held}
        plan.not_held |= hashes - held
        redactions = plan.state.redactions
        left = remainders_of({name: redactions[name] for name in hashes & redactions.keys()})
        comparable = [_is_comparable(segment, documents, submission.clearance) for segment in statement.evidence]
        result = await look_at(self._evidence, statement, comparable, held=held, remainders=left)
        # What a peer has accepted is not refused here: that it fails is recorded.
        recorded = self._record_failed_evidence or submission.origin is not None
        if result.check.status is CheckStatus.FAIL and not recorded:
            raise EvidenceError(result.check.reason, "evidence")
        return result

    def _add(
        self,
        message: Message,
        plan: BatchPlan,
        submission: Submission,
        chunk_texts: tuple[str, ...] = (),
        record: bytes | None = None,
    ) -> Receipt:
        entry = entry_of(
            message,
            log_index=plan.next_index,
            origin=submission.origin or self._node.origin,
            received_at=plan.received_at,
            origin_index=submission.origin_index,
            origin_received_at=submission.origin_received_at,
        )
        record_message(message, plan.state)
        add_rows(plan.rows, message, entry, plan.state, chunk_texts, record)
        plan.accepted.append((message, entry))
        plan.state.receipts[name_of_message(message)] = receipt = Receipt(entry, created=True)
        return receipt


def _is_comparable(segment: EvidenceSegment, documents: Mapping[str, DocumentRecord], clearance: Boundary) -> bool:
    """Say whether the bytes are registered under the name that is cited, and the submitter may read them."""
    document = documents.get(segment.document_hash or "")
    if document is None or segment.source_document not in document.sources:
        return False
    return document.boundary is None or clearance.covers(document.boundary)


def _cited_text(statement: ProvenanceStatement) -> int:
    lengths = (segment.byte_range.end - segment.byte_range.start for segment in statement.evidence)
    return sum(length for length in lengths if length <= CHUNK_TEXT_LIMIT)
