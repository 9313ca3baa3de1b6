"""Rows of the graph for accepted messages: the `$rows` of each write query.

The rows of statements and verdicts are made in `graph.kinds.statement_rows` and `graph.kinds.verification_rows`, those
of other messages from their values.
"""

from a2ap.log.entry import LogEntry
from a2ap.messages.admission_policy import AdmissionPolicy, invitation_hash
from a2ap.messages.agent_deactivation import AgentDeactivation
from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.agent_version import AgentVersion
from a2ap.messages.challenge_answer import ChallengeAnswer
from a2ap.messages.endorsement import Endorsement
from a2ap.messages.epoch import Epoch
from a2ap.messages.equivocation import Equivocation
from a2ap.messages.gold_dispute import GoldDispute
from a2ap.messages.gold_label import GoldLabel
from a2ap.messages.key_registration import KeyRegistration
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.messages.message import Message
from a2ap.messages.peer_agreement import PeerAgreement
from a2ap.messages.peer_checkpoint import PeerCheckpoint
from a2ap.messages.policy import Policy
from a2ap.messages.probe import Probe
from a2ap.messages.record_registration import RecordRegistration
from a2ap.messages.redaction import Redaction
from a2ap.messages.retraction import Retraction
from a2ap.messages.source_registration import SourceRegistration
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_decline import VerificationDecline
from a2ap.messages.verification_request import VerificationRequest
from a2ap.messages.verification_response import VerificationResponse
from a2ap.times import format_instant
from graph.kinds.epoch_rows import epoch_rows
from graph.kinds.gold_rows import gold_row
from graph.kinds.key_rows import admission_policy_row, key_message_rows
from graph.kinds.peer_rows import peer_rows
from graph.kinds.record_rows import add_record_rows, blanking_rows
from graph.kinds.request_rows import answer_row, decline_row, request_row
from graph.kinds.signatures import signing_key
from graph.kinds.state import State
from graph.kinds.statement_rows import add_statement_rows
from graph.kinds.verification_rows import add_verification_rows
from graph.log.row_lists import Row, Rows
from graph.records.passport_rows import key_row
from graph.retention.redactions import redaction_rows
from graph.retention.retractions import retraction_row
from graph.scoring.judgements import PRIOR_NAMES
from graph.scoring.reputation import PRIOR_REPUTATION
from graph.versions.reputations import membership_row


def add_rows(
    rows: Rows,
    message: Message,
    entry: LogEntry,
    state: State,
    chunk_texts: tuple[str, ...] = (),
    record: bytes | None = None,
) -> None:
    """Add the rows of one accepted message.

    `chunk_texts` holds, for a statement, the text of each evidence segment's bytes if the source is held, else "";
    `record` the bytes of a registered record, if they are stored here.
    """
    match message:
        case ProvenanceStatement():
            add_statement_rows(rows, message, entry, state, chunk_texts)
        case VerificationResponse():
            add_verification_rows(rows, message, entry, state)
        case VerificationRequest():
            rows.add("write_requests", request_row(message, entry, state))
        case AgentRegistration():
            rows.add("write_agents", _agent_row(message, entry))
            rows.add("write_passports_of_keys", key_row(message))
            _add_membership(rows, message.agent.agent_id, state)
        case AgentVersion():
            rows.add(
                "remove_memberships", {"agent_id": message.agent, "family": state.memberships[message.agent].family}
            )
            _add_membership(rows, message.agent, state)
        case SourceRegistration():
            rows.add("write_sources", _source_row(message, entry, state))
            _add_search_texts(rows, message.document_hash, state)
        case RecordRegistration():
            _add_search_texts(rows, message.document_hash, state)
            add_record_rows(rows, message, entry, state, record)
        case Endorsement():
            rows.add("write_endorsements", _endorsement_row(message, entry, state))
        case Policy():
            rows.add("write_policies", _policy_row(message, entry))
        case KeyRegistration() | KeyRevocation() | AgentDeactivation():
            for query, row in key_message_rows(message, entry, state.key_events[entry.signed_hash]):
                rows.add(query, row)
            if isinstance(message, KeyRegistration):
                rows.add("write_passports_of_keys", key_row(message))
        case Retraction():
            rows.add("write_retractions", retraction_row(message, entry, signing_key(message, state)))
        case Redaction():
            document_hash = _redacted_document(message, state)
            for query, row in (*redaction_rows(message, entry, document_hash), *blanking_rows(document_hash)):
                rows.add(query, row)
        case VerificationDecline():
            rows.add("write_declines", decline_row(message, entry, signing_key(message, state)))
        case ChallengeAnswer():
            rows.add("write_challenge_answers", answer_row(message, entry, signing_key(message, state), state))
        case GoldLabel() | GoldDispute() | Probe():
            rows.add(*gold_row(message, entry, state))
        case Epoch():
            for query, row in epoch_rows(message, entry):
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


def _add_search_texts(rows: Rows, document_hash: str, state: State) -> None:
    """Add the rows that move the search texts of a document to its class from now on."""
    row = {"document_hash": document_hash, "boundary": state.documents[document_hash].boundary}
    rows.add("move_search_passages", row)
    rows.add("write_search_titles", row)


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
        "person": True if message.agent.person else None,
        "public_key": message.public_key.did_key,
        "key_id": message.key_id,
        "alias": message.alias,
        "recovery_key_hash": message.recovery_key_hash,
        "invitation_hash": None if message.invitation is None else invitation_hash(message.invitation),
        "origin": entry.peer_origin,
        "registration_id": entry.id,
        "signed_hash": entry.signed_hash,
        "registered_at": format_instant(message.envelope.time),
        "reputation": PRIOR_REPUTATION,
        "log_index": entry.log_index,
    }


def _source_row(message: SourceRegistration, entry: LogEntry, state: State) -> Row:
    document = state.documents[message.document_hash]
    return {
        "key_id": signing_key(message, state),
        "first": document.registration_hash == entry.signed_hash,
        "agent_id": entry.agent,
        "answered_for": state.is_answered_for(entry.agent),
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
        "possession_mac": message.possession_mac if entry.origin_index is None else None,
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
        "version": message.version,
        "epoch_length": message.epoch_length,
        **{f"prior_{name}": list(getattr(message.priors, name)) for name in PRIOR_NAMES},
        "family_correlation": message.priors.family_correlation,
        "log_index": entry.log_index,
    }
