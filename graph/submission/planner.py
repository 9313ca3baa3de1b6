"""Checks a batch of messages against the state of the graph and plans the rows, before anything is written.

Each message is checked against the graph and against those accepted before it in the batch. A statement's evidence is
compared with the sources that are held, and the node's verdict on the statement follows it at once.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.errors import A2APError
from a2ap.messages.evidence import EvidenceSegment
from a2ap.messages.message import Message
from a2ap.messages.possession import possession_mac
from a2ap.messages.record_registration import RecordRegistration
from a2ap.messages.redaction import Redaction
from a2ap.messages.source_registration import SourceRegistration
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_request import VerificationRequest
from graph.errors import EvidenceError, GraphError, TooLargeError
from graph.evidence.checking import look_at
from graph.evidence.machine import CHUNK_TEXT_LIMIT, MachineResult, sign_verdict
from graph.evidence.machine_check import CheckStatus
from graph.evidence.reader import EvidenceReader, UnreadError
from graph.evidence.remainders import remainders_of
from graph.kinds.admission import check_message, check_signature
from graph.kinds.possession_check import Registration, check_possession, check_proof_is_logged
from graph.kinds.record import record_content
from graph.kinds.recording import record_message
from graph.kinds.redaction import keep_remainder
from graph.kinds.rows import add_rows
from graph.kinds.state import DocumentRecord
from graph.log.entry import Outcome, Receipt, entry_of
from graph.log.imported import place_revocation
from graph.log.name_here import name_of_message
from graph.node import Node
from graph.requests.room import load_open_requests
from graph.retention.named_content import stored_otherwise
from graph.retention.redactions import RedactionRecord, redactions_of
from graph.store import JointReads, Reads
from graph.submission.batch_plan import BatchPlan, Part
from graph.submission.call import SetAsideError
from graph.submission.state_loader import load_state
from graph.submission.submission import MAX_CITED_TEXT, Submission, cited_text
from graph.transparency.log import Log

# Submissions that are planned before the loop runs other tasks: the part before waits for the database meanwhile.
_YIELD_EVERY = 4


class Planner:
    """Plans the batches of one node."""

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

    async def begin(self, submissions: Sequence[Submission], reads: JointReads) -> BatchPlan:
        """Return a plan with the state that `reads` finds for all names in these submissions."""
        state = await load_state(reads, [submission.message for submission in submissions], known=self._log.size)
        state.node_agent = self._node.agent_id
        state.log_keys = self._log.keys
        received_at = self._clock()
        open_requests = await load_open_requests(
            reads, [(one.message, one.origin) for one in submissions], state, received_at
        )
        # A redaction is a batch by itself, so that none of these is erased in between.
        erased = await _erased_among(reads, [blob for one in submissions for blob in one.blobs])
        proofs = {proof.document_hash for proof in map(_proof_in, submissions) if proof is not None}
        stored = await stored_otherwise(reads, sorted(proofs))
        return BatchPlan(state, received_at, open_requests, erased, stored)

    async def plan(self, submissions: Sequence[Submission], plan: BatchPlan, reads: Reads) -> Part:
        """Return the rows of the next submissions of a begun `plan`, and the answer to each."""
        part = Part(plan.state.place)
        for index, submission in enumerate(submissions):
            if index % _YIELD_EVERY == _YIELD_EVERY - 1:
                await asyncio.sleep(0)
            if submission.origin is not None:
                message = await place_revocation(submission.message, submission.origin, reads, part.entries)
                submission = replace(submission, message=message)
            try:
                outcome: Outcome = await self._accept(submission, plan, part)
            except (A2APError, GraphError, SetAsideError) as error:
                outcome = error
            plan.note(submission, outcome)
            part.outcomes.append(outcome)
        return part

    async def _accept(self, submission: Submission, plan: BatchPlan, part: Part) -> Receipt:
        message, state, proof = submission.message, plan.state, _proof_in(submission)
        if not plan.has_come(submission):
            raise SetAsideError
        known = state.receipts.get(name_of_message(message))
        if known is not None:
            # Without the bytes it is a copy, as of any message.
            has_bytes = submission.possession_mac is not None or submission.blobs
            if proof is not None and has_bytes:
                check_proof_is_logged(proof, known.entry)
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
        if isinstance(message, VerificationRequest):
            plan.open_requests.add(message, submission.origin, state, self._max_open_requests)
        if isinstance(message, Redaction):
            verdict_row = await keep_remainder(message, state, self._evidence.content)
            self._evidence.forget(message.document_hash or "")
            if verdict_row is not None:
                part.rows.add("write_redacted_verdicts", verdict_row)
        if isinstance(proof, SourceRegistration):
            check_possession(proof, state, submission.possession_mac, is_stored=proof.document_hash in plan.stored)
        if isinstance(message, RecordRegistration):
            # Records are long, and are read twice: aside, so that the node answers others meanwhile.
            of_peer = submission.origin is not None
            record = await asyncio.to_thread(record_content, message, submission.blobs, plan.erased, of_peer=of_peer)
            if record is not None and proof is not None:
                mac = await asyncio.to_thread(possession_mac, message.envelope.agent_id, record)
                check_possession(proof, state, mac, is_stored=proof.document_hash in plan.stored)
            part.blobs += submission.blobs if record is not None else ()
            return await asyncio.to_thread(self._add, message, plan, part, submission, record=record)
        if not isinstance(message, ProvenanceStatement):
            return self._add(message, plan, part, submission)
        # The signature held: only now is the held source looked at (A2AP §4.2 step 2, then 3).
        result = await self._check_evidence(message, plan, part, submission)
        # Both are made before either is added, so that there is never one without the other.
        verdict = await sign_verdict(self._node, message, result, plan.received_at)
        receipt = self._add(message, plan, part, submission, result.chunk_texts)
        self._add(verdict, plan, part, Submission(verdict))
        return receipt

    async def _check_evidence(
        self, statement: ProvenanceStatement, plan: BatchPlan, part: Part, submission: Submission
    ) -> MachineResult:
        if (text := cited_text(statement)) > MAX_CITED_TEXT:
            raise TooLargeError(
                f"evidence cites {text} bytes in segments of up to {CHUNK_TEXT_LIMIT}; {MAX_CITED_TEXT} are taken",
                "evidence",
            )
        hashes = {segment.document_hash for segment in statement.evidence if segment.document_hash}
        documents = plan.state.documents
        held = {name for name in hashes if name in documents and documents[name].held}
        part.not_held |= hashes - held
        redactions = plan.state.redactions
        left = remainders_of({name: redactions[name] for name in hashes & redactions.keys()})
        classes = [_class_compared(segment, documents, submission.clearance) for segment in statement.evidence]
        given = None if submission.call is None else submission.read or {}
        try:
            result = await look_at(self._evidence, statement, classes, held=held, remainders=left, given=given)
        except UnreadError as error:
            raise SetAsideError(partial(self._evidence.read_ahead, statement, held, left)) from error
        # A statement that a peer has accepted is not refused here: its failure is recorded.
        recorded = self._record_failed_evidence or submission.origin is not None
        if result.whole.status is CheckStatus.FAIL and not recorded:
            raise EvidenceError(result.whole.reason, "evidence")
        return result

    def _add(
        self,
        message: Message,
        plan: BatchPlan,
        part: Part,
        submission: Submission,
        chunk_texts: tuple[str, ...] = (),
        record: bytes | None = None,
    ) -> Receipt:
        entry = entry_of(
            message,
            log_index=plan.state.place,
            origin=submission.origin or self._node.origin,
            received_at=plan.received_at,
            origin_index=submission.origin_index,
            origin_received_at=submission.origin_received_at,
            has_proof=_proof_in(submission) is not None,
        )
        record_message(message, plan.state, has_proof=entry.has_proof)
        add_rows(part.rows, message, entry, plan.state, chunk_texts, record)
        part.accepted.append((message, entry))
        plan.state.receipts[name_of_message(message)] = receipt = Receipt(entry, created=True)
        return receipt


def _class_compared(
    segment: EvidenceSegment, documents: Mapping[str, DocumentRecord], clearance: Boundary
) -> Boundary | None:
    """Return the class of the bytes; None if they are not registered under that name, or closed to the submitter."""
    document = documents.get(segment.document_hash or "")
    if document is None or segment.source_document not in document.sources:
        return None
    given = document.boundary or Boundary.PUBLIC
    return given if clearance.covers(given) else None


def _proof_in(submission: Submission) -> Registration | None:
    """Return the registration that proves possession of bytes to this node; one in a peer's log does not."""
    message = submission.message
    if submission.origin is not None or not isinstance(message, Registration):
        return None
    return message if message.possession_mac is not None else None


async def _erased_among(reads: Reads, blobs: Sequence[bytes]) -> dict[str, list[RedactionRecord]]:
    """Return the redactions of those of these bytes that were erased, as a source or a message, by their hash."""
    return await redactions_of(reads, await asyncio.to_thread(lambda: set(map(sha256_digest, blobs)))) if blobs else {}
