"""Rows of the graph for accepted messages: what each write query gets as `$rows`.

A statement's rows are made from its PROV-O triples (`a2ap.provenance`, `a2ap.statement_facts`), so that the
graph says what the signed RDF says; the other messages' rows are made from their values.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from a2ap.admission_policy import AdmissionPolicy, invitation_hash
from a2ap.agent_deactivation import AgentDeactivation
from a2ap.agent_registration import AgentRegistration
from a2ap.agent_version import AgentVersion
from a2ap.endorsement import Endorsement
from a2ap.equivocation import Equivocation
from a2ap.identifiers import chunk_key
from a2ap.key_registration import KeyRegistration
from a2ap.key_revocation import KeyRevocation
from a2ap.log.entry import LogEntry
from a2ap.message import Message
from a2ap.peer_agreement import PeerAgreement
from a2ap.peer_checkpoint import PeerCheckpoint
from a2ap.policy import Policy
from a2ap.provenance import triples
from a2ap.redaction import Redaction
from a2ap.retraction import Retraction
from a2ap.source_registration import SourceRegistration
from a2ap.statement import ProvenanceStatement, Reference
from a2ap.statement_facts import EvidenceFacts, StatementFacts, read_statement_facts
from a2ap.times import format_instant
from a2ap.verification_request import VerificationRequest
from a2ap.verification_response import Verdict, VerificationResponse
from graph.federation.peer_rows import peer_rows
from graph.keys.key_rows import admission_policy_row, key_message_rows
from graph.log.admission import signing_key
from graph.log.state import State
from graph.retention.redactions import redaction_rows
from graph.retention.retractions import retraction_row
from graph.scoring.reputation import PRIOR_REPUTATION
from graph.versions.reputations import membership_row

# The order in which rows are written: what a row matches is written before it.
WRITE_ORDER = (
    "write_agents",
    "write_memberships",
    "write_key_registrations",
    "write_retired_keys",
    "write_key_events",
    "write_deactivations",
    "write_admission_policies",
    "write_sources",
    "write_endorsements",
    "write_policies",
    "write_peers",
    "write_peer_checkpoints",
    "write_equivocations",
    "write_statements",
    "write_twins",
    "write_citations",
    "write_supports",
    "write_contradicts",
    "write_revisions",
    "write_requests",
    "write_verifications",
    "write_challenges",
    "write_machine_checks",
    "write_retractions",
    "write_redactions",
    "write_redacted_sources",
    "write_redacted_chunks",
    "write_redacted_passages",
    "write_redacted_quotes",
    "write_redacted_verdicts",
)

Row = dict[str, Any]


@dataclass(slots=True)
class Rows:
    """The rows of one transaction, by query name."""

    by_query: defaultdict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))

    def add(self, query: str, row: Row) -> None:
        """Add one row to a query's list."""
        self.by_query[query].append(row)


def add_rows(rows: Rows, message: Message, entry: LogEntry, state: State, chunk_texts: tuple[str, ...] = ()) -> None:
    """Add the rows of one accepted message.

    `chunk_texts` holds, for a statement, the text of each evidence segment's bytes where the source is held,
    else "".
    """
    match message:
        case ProvenanceStatement():
            _add_statement(rows, message, entry, state, chunk_texts)
        case VerificationResponse():
            _add_verification(rows, message, entry, state)
        case VerificationRequest():
            rows.add("write_requests", _request_row(message, entry, state))
        case AgentRegistration():
            rows.add("write_agents", _agent_row(message, entry))
            _add_membership(rows, message.agent.agent_id, state)
        case AgentVersion():
            _add_membership(rows, message.agent, state)
        case SourceRegistration():
            rows.add("write_sources", _source_row(message, entry, state))
        case Endorsement():
            rows.add("write_endorsements", _endorsement_row(message, entry, state))
        case Policy():
            rows.add("write_policies", _policy_row(message, entry))
        case KeyRegistration() | KeyRevocation() | AgentDeactivation():
            for query, row in key_message_rows(message, entry, state.key_events[entry.signed_hash]):
                rows.add(query, row)
        case Retraction():
            rows.add("write_retractions", retraction_row(message, entry, signing_key(message, state)))
        case Redaction():
            for query, row in redaction_rows(message, entry, _redacted_document(message, state)):
                rows.add(query, row)
        case AdmissionPolicy():
            rows.add("write_admission_policies", admission_policy_row(message, entry))
        case PeerAgreement() | PeerCheckpoint() | Equivocation():
            rows.add(*peer_rows(message, entry))


def _redacted_document(message: Redaction, state: State) -> str:
    """Return the hash of the bytes as they were first received; a redaction is the only message of its batch."""
    if message.document_hash is not None:
        return message.document_hash
    assert message.target_hash is not None
    return state.receipts[message.target_hash].entry.document_hash


def _add_membership(rows: Rows, agent_id: str, state: State) -> None:
    member = state.memberships.get(agent_id)
    if member is not None:
        rows.add("write_memberships", membership_row(member))


def _agent_row(message: AgentRegistration, entry: LogEntry) -> Row:
    return {
        "agent_id": message.agent.agent_id,
        "name": message.agent.name,
        "version": message.agent.version,
        "publisher": message.agent.publisher,
        "capabilities": list(message.agent.capabilities),
        "public_key": message.public_key.did_key,
        "key_id": message.key_id,
        "alias": message.alias,
        "recovery_key_hash": message.recovery_key_hash,
        "invitation_hash": None if message.invitation is None else invitation_hash(message.invitation),
        "origin": _origin(entry),
        "registration_id": entry.id,
        "signed_hash": entry.signed_hash,
        "registered_at": format_instant(message.envelope.time),
        "reputation": PRIOR_REPUTATION,
        "log_index": entry.log_index,
    }


def _origin(entry: LogEntry) -> str | None:
    """Return the peer's log that the message came from, None for one of ours."""
    return None if entry.origin_index is None else entry.origin


def _source_row(message: SourceRegistration, entry: LogEntry, state: State) -> Row:
    document = state.documents[message.document_hash]
    return {
        "key_id": signing_key(message, state),
        "first": document.registration_hash == entry.signed_hash,
        "agent_id": entry.agent,
        "document_hash": message.document_hash,
        "source_id": message.source_id,
        "title": message.title,
        "publisher": message.publisher,
        "origin": message.origin,
        "media_type": message.media_type,
        "byte_length": message.byte_length,
        "boundary": document.boundary,
        "licence": message.licence,
        "rights_holder": message.rights_holder,
        "retain_until": None if document.retain_until is None else format_instant(document.retain_until),
        "stated_boundary": message.boundary,
        "registration_id": entry.id,
        "signed_hash": entry.signed_hash,
        "registered_at": format_instant(message.envelope.time),
        "log_index": entry.log_index,
    }


def _endorsement_row(message: Endorsement, entry: LogEntry, state: State) -> Row:
    return {
        "key_id": signing_key(message, state),
        "endorsing_agent": entry.agent,
        "endorsed_agent": message.endorsed_agent,
        "endorsement_id": entry.id,
        "signed_hash": entry.signed_hash,
        "endorsed_at": format_instant(message.envelope.time),
        "log_index": entry.log_index,
    }


def _policy_row(message: Policy, entry: LogEntry) -> Row:
    return {
        "policy_id": entry.id,
        "signed_hash": entry.signed_hash,
        "issued_at": format_instant(message.envelope.time),
        "threshold": message.threshold,
        "quorum": message.quorum,
        "seeds": list(message.seeds),
        "method": message.method,
        "criteria": list(message.criteria),
        "unseeded_weight": message.unseeded_weight,
        "log_index": entry.log_index,
    }


def _request_row(message: VerificationRequest, entry: LogEntry, state: State) -> Row:
    return {
        "agent_id": entry.agent,
        "target_hash": message.target_hash or state.statement_ids[message.target_statement][0],
        "signed_hash": entry.signed_hash,
        "document_hash": entry.document_hash,
        "request_id": entry.id,
        "criteria": list(message.criteria),
        "requested_at": format_instant(message.envelope.time),
        "received_at": format_instant(entry.received_at),
        "log_index": entry.log_index,
    }


def _add_verification(rows: Rows, message: VerificationResponse, entry: LogEntry, state: State) -> None:
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
    }
    rows.add("write_verifications", row)
    if message.verdict is Verdict.CHALLENGED:
        rows.add("write_challenges", {**row, "reason": message.reason or ""})
    if row["machine"]:
        rows.add(
            "write_machine_checks",
            {
                "signed_hash": row["target_hash"],
                "machine_check": MACHINE_CHECK_OF_VERDICT[message.verdict],
                "machine_reason": message.reason,
            },
        )


MACHINE_CHECK_OF_VERDICT = {
    Verdict.VALIDATED: "PASS",
    Verdict.CHALLENGED: "FAIL",
    Verdict.INSUFFICIENT_EVIDENCE: "INCONCLUSIVE",
    Verdict.INVALID_SIGNATURE: "FAIL",
}


def _add_statement(
    rows: Rows, message: ProvenanceStatement, entry: LogEntry, state: State, chunk_texts: tuple[str, ...]
) -> None:
    assert message.envelope.signature is not None
    facts = read_statement_facts(triples(message))
    rows.add(
        "write_statements",
        {
            "agent_id": facts.agent_id,
            "signed_hash": entry.signed_hash,
            "document_hash": entry.document_hash,
            "statement_id": facts.statement_id,
            "claim_text": facts.claim_text,
            "confidence": facts.confidence,
            "generation_method": facts.generation_method,
            "content_hash": facts.content_hash,
            "content_hash_rule": message.claim.content_hash_rule,
            "signature": message.envelope.signature.text,
            "key_id": signing_key(message, state),
            "generated_at": facts.generated_at,
            "received_at": format_instant(entry.received_at),
            "log_index": entry.log_index,
            "position": len(rows.by_query["write_statements"]),
            "context": message.envelope.context,
            "origin": _origin(entry),
            "machine_check": "INCONCLUSIVE",
            "machine_reason": None,
        },
    )
    for evidence, text in zip(facts.evidence, chunk_texts or ("",) * len(facts.evidence), strict=True):
        rows.add("write_citations", citation_row(entry.signed_hash, evidence, text))
    if state.ids[entry.id] != entry.signed_hash:
        rows.add("write_twins", {"statement_id": entry.id})
    _add_references(rows, entry.signed_hash, facts)


def citation_row(signed_hash: str, evidence: EvidenceFacts, text: str) -> Row:
    """Return the row of one evidence segment: the chunk, its document, and the CITES edge."""
    document_key = evidence.document_hash or evidence.source_document
    return {
        "signed_hash": signed_hash,
        "document_key": document_key,
        "document_hash": evidence.document_hash,
        "source_document": evidence.source_document,
        "chunk_key": chunk_key(document_key, evidence.byte_start, evidence.byte_end),
        "chunk_id": evidence.chunk_id,
        "content_hash": evidence.content_hash,
        "text": text,
        "position": evidence.position,
        "byte_start": evidence.byte_start,
        "byte_end": evidence.byte_end,
        "timestamp_start": evidence.timestamp_start,
        "timestamp_end": evidence.timestamp_end,
        "start_milliseconds": evidence.start_milliseconds,
        "end_milliseconds": evidence.end_milliseconds,
        "quote_text": evidence.quote_text,
        "quote_digest": evidence.quote_digest,
        "relevance_score": evidence.relevance_score,
    }


def _add_references(rows: Rows, signed_hash: str, facts: StatementFacts) -> None:
    revised: tuple[Reference, ...] = (facts.was_revision_of,) if facts.was_revision_of else ()
    for query, references in (
        ("write_supports", facts.supports),
        ("write_contradicts", facts.contradicts),
        ("write_revisions", revised),
    ):
        for reference in references:
            rows.add(query, {"signed_hash": signed_hash, "target_hash": reference.target_hash})
