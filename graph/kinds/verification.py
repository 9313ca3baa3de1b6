"""Verdicts: their references hold, and the rows of the verification, with the machine check if it is the node's own."""

from collections.abc import Sequence

from a2ap.log.entry import LogEntry
from a2ap.messages.evidence import EvidenceSegment
from a2ap.messages.reference import Reference
from a2ap.messages.verification_response import Verdict, VerificationResponse
from a2ap.times import format_instant
from graph.errors import ForbiddenError, RefusedError, TargetError
from graph.kinds.kind import Kind, StoredContent, Terms
from graph.kinds.signatures import signing_key
from graph.kinds.state import State, StatementRecord, VerdictRecord
from graph.kinds.targets import check_request_for, find_statement, find_verdict, judged_statement, target_of
from graph.kinds.wanted_names import WantedNames
from graph.log.row_lists import Row, Rows, add_generated_by

MACHINE_CHECK_OF_VERDICT = {
    Verdict.VALIDATED: "PASS",
    Verdict.CHALLENGED: "FAIL",
    Verdict.INSUFFICIENT_EVIDENCE: "INCONCLUSIVE",
    Verdict.INVALID_SIGNATURE: "FAIL",
}


def pointer_columns(pointers: Sequence[EvidenceSegment]) -> Row:
    """Return passages as columns of one length, "" for a pointer without a hash; all None if there are no passages."""
    columns: Row = {
        "evidence_documents": [pointer.document_hash or "" for pointer in pointers],
        "evidence_sources": [pointer.source_document for pointer in pointers],
        "evidence_chunks": [pointer.chunk_id for pointer in pointers],
        "evidence_starts": [pointer.byte_range.start for pointer in pointers],
        "evidence_ends": [pointer.byte_range.end for pointer in pointers],
        "evidence_hashes": [pointer.content_hash or "" for pointer in pointers],
    }
    return columns if pointers else dict.fromkeys(columns)


def _names(message: VerificationResponse, wanted: WantedNames) -> None:
    wanted.target_ids.add(message.target_statement)
    wanted.target_ids.update(reference.id for reference in message.cross_references)
    if message.request is not None:
        wanted.requests.add(message.request.target_hash)
    if message.supersedes is not None:
        wanted.targets.add(message.supersedes.target_hash)
    if message.counter_statement is not None:
        wanted.target_ids.add(message.counter_statement.id)
        wanted.contradicting.add(message.counter_statement.target_hash)


def _check(message: VerificationResponse, state: State, terms: Terms) -> None:
    _check_no_prober(message, state)
    if terms.origin is None:
        _check_reason(message)
    if message.target_hash is None and not terms.accept_unbound and terms.origin is None:
        raise TargetError(
            f"{message.envelope.id} does not say which bytes it judges: targetHash is missing", "targetHash"
        )
    _check_references(message, target_of(message, state), state)


def _record(message: VerificationResponse, state: State, _has_proof: bool) -> None:
    envelope, target = message.envelope, judged_statement(message, state)
    state.judging.add(envelope.agent_id)
    if target is not None:
        state.verdicts[envelope.signed_hash] = VerdictRecord(
            envelope.signed_hash, envelope.id, envelope.agent_id, message.verdict, target.signed_hash, target.agent_id
        )


def _add_rows(
    rows: Rows, message: VerificationResponse, entry: LogEntry, state: State, _content: StoredContent
) -> None:
    """Add the rows of a verdict; the node's own is also the machine check of the statement."""
    assert message.envelope.signature is not None
    row = {
        "agent_id": entry.agent,
        "target_hash": message.target_hash or state.statement_ids[message.target_statement][0],
        "stated_target_hash": message.target_hash,
        "signed_hash": entry.signed_hash,
        "verification_id": entry.id,
        "document_hash": entry.document_hash,
        "verdict": message.verdict,
        "confidence": message.confidence,
        "verified_at": format_instant(message.envelope.time),
        "received_at": format_instant(entry.received_at),
        "log_index": entry.log_index,
        "signature": message.envelope.signature.text,
        "key_id": signing_key(message, state),
        "reason": message.reason,
        "binds": message.target_hash is not None,
        "machine": entry.agent == state.node_agent,
        "finding_criteria": [finding.criterion for finding in message.findings],
        "finding_statuses": [finding.status.value for finding in message.findings],
        "finding_confidences": [finding.confidence for finding in message.findings],
        "finding_evidence": [finding.evidence or "" for finding in message.findings],
        **_reference_columns(message),
    }
    rows.add("write_verifications", row)
    add_generated_by(rows, "write_verification_records", entry.signed_hash, message.generated_by)
    if message.verdict is Verdict.CHALLENGED:
        rows.add("write_challenges", {**row, "reason": message.reason or ""})
    if row["machine"]:
        rows.add(
            "write_machine_checks",
            {
                "signed_hash": row["target_hash"],
                "machine_check": MACHINE_CHECK_OF_VERDICT[message.verdict],
                "machine_reason": message.reason,
                "machine_checked_at": row["received_at"],
            },
        )
        if message.verdict is Verdict.VALIDATED:
            rows.add("write_evidence_passed", {"signed_hash": row["target_hash"]})


VERIFICATION_RESPONSE = Kind(
    VerificationResponse,
    agent_member="respondingAgent",
    mutation=("submit_verification", "Submit a verdict on a statement (a2ap:VerificationResponse)."),
    from_peers=True,
    names=_names,
    check=_check,
    record=_record,
    add_rows=_add_rows,
)


def _check_no_prober(message: VerificationResponse, state: State) -> None:
    """Raise `ForbiddenError` if the agent of a verdict has put probes to others, and so is the operator's."""
    agent = message.envelope.agent_id
    if agent in state.probing:
        raise ForbiddenError(
            f"{agent} has put probes to verifiers for the operator, and does not vote", "respondingAgent"
        )


def _check_reason(message: VerificationResponse) -> None:
    """Raise if a challenge gives no reason: neither as its reason, nor in a finding that is FAIL."""
    if message.verdict is Verdict.CHALLENGED and not message.says_why:
        raise RefusedError(
            f"{message.envelope.id} is {Verdict.CHALLENGED} and says nowhere why: reason is missing or empty, and so "
            "are the words of each finding that is FAIL",
            "reason",
        )


def _check_references(message: VerificationResponse, target: StatementRecord, state: State) -> None:
    """Raise unless the references of a verdict on `target` hold.

    The request is about the same statement, and this agent may answer it; the superseded verdict is this agent's own on
    the same statement; the counter statement is its own and contradicts the target; cross references are to stored
    statements.
    """
    agent = message.envelope.agent_id
    if message.request is not None:
        check_request_for(target, message.request, agent, state)
    if message.supersedes is not None:
        _check_superseded(message.supersedes, target, agent, state)
    if message.counter_statement is not None:
        _check_counter_statement(message.counter_statement, target, agent, state)
    for index, reference in enumerate(message.cross_references):
        find_statement(reference.id, reference.target_hash, state, f"crossReferences[{index}]")


def _check_superseded(reference: Reference, target: StatementRecord, agent: str, state: State) -> None:
    verdict = find_verdict(reference, "supersedes", state)
    if verdict.agent_id != agent:
        raise ForbiddenError(f"{reference.id} is by {verdict.agent_id}, and {agent} supersedes it", "supersedes")
    if verdict.statement != target.signed_hash:
        raise TargetError(
            f"{reference.id} is about {verdict.statement}, and the verdict that supersedes it is about "
            f"{target.signed_hash}",
            "supersedes",
        )


def _check_counter_statement(reference: Reference, target: StatementRecord, agent: str, state: State) -> None:
    path = "counterStatement"
    counter = find_statement(reference.id, reference.target_hash, state, path)
    if counter.agent_id != agent:
        raise ForbiddenError(f"{reference.id} is by {counter.agent_id}, not by {agent}", path)
    if target.signed_hash not in state.contradicted.get(counter.signed_hash, ()):
        raise TargetError(f"{reference.id} does not contradict {target.statement_id} ({target.signed_hash})", path)


def _reference_columns(message: VerificationResponse) -> Row:
    """Return the messages that a verdict names beside its statement, by signed hash, as columns; None for none."""
    return {
        "request_hash": None if message.request is None else message.request.target_hash,
        "supersedes": None if message.supersedes is None else message.supersedes.target_hash,
        "counter_statement": None if message.counter_statement is None else message.counter_statement.target_hash,
        "cross_references": [reference.target_hash for reference in message.cross_references] or None,
        **pointer_columns(message.evidence),
    }
