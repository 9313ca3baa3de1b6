"""Rows of verdicts: the verification, its edges, and the machine check if the verdict is the node's own."""

from a2ap.log.entry import LogEntry
from a2ap.messages.verification_response import Verdict, VerificationResponse
from a2ap.times import format_instant
from graph.kinds.request_rows import response_columns
from graph.kinds.signatures import signing_key
from graph.kinds.state import State
from graph.log.row_lists import Rows, add_generated_by


def add_verification_rows(rows: Rows, message: VerificationResponse, entry: LogEntry, state: State) -> None:
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
        **response_columns(message),
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


MACHINE_CHECK_OF_VERDICT = {
    Verdict.VALIDATED: "PASS",
    Verdict.CHALLENGED: "FAIL",
    Verdict.INSUFFICIENT_EVIDENCE: "INCONCLUSIVE",
    Verdict.INVALID_SIGNATURE: "FAIL",
}
