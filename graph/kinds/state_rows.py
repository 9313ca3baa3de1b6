"""Adds rows of the graph to the state that a batch is checked against, with one function for each kind of row."""

from typing import Any

from a2ap.boundary import Boundary
from a2ap.log.signed_note import VerifierKey
from a2ap.signing.keys import PublicKey
from graph.kinds.state import (
    DocumentRecord,
    GoldDisputeRecord,
    GoldRecord,
    KeyRecord,
    ProbedRecord,
    ProbeRecord,
    Registrant,
    RequestRecord,
    State,
    StatementRecord,
    VerdictRecord,
)
from graph.log.entry import Receipt, entry_from_row
from graph.log.name_here import name_here
from graph.retention.redactions import RedactionRecord
from graph.versions.reputations import membership_of

Row = dict[str, Any]


def take_receipt(state: State, row: Row) -> None:
    """Record an entry of the log: the message with its signed hash was accepted."""
    entry = entry_from_row(row)
    state.receipts[name_here(entry.signed_hash, entry.type, entry.agent)] = Receipt(entry, created=False)


def take_id(state: State, row: Row) -> None:
    """Record the signed hash that an id stands for."""
    state.ids.setdefault(row["id"], row["signed_hash"])


def take_agent(state: State, row: Row) -> None:
    """Record a registered agent."""
    agent_id = row["agent_id"]
    state.agents[agent_id] = row["registration_hash"]
    if row["recovery_key_hash"] is not None:
        state.recovery_hashes[agent_id] = row["recovery_key_hash"]
    if row["probing"]:
        state.probing.add(agent_id)
    if row["deactivated_at"] is not None:
        state.deactivated[agent_id] = row["deactivated_at"]


def take_key(state: State, row: Row) -> None:
    """Record a registered key."""
    state.add_key(
        KeyRecord(
            row["key_id"],
            row["agent_id"],
            PublicKey.from_did_key(row["public_key"]),
            row["alias"],
            row["valid_from"],
            row["retired_at"],
            row["not_trusted_since"],
            row["revoked_reason"],
        )
    )


def take_invitation(state: State, row: Row) -> None:
    """Record a used invitation."""
    state.used_invitations.add(row["invitation_hash"])


def take_membership(state: State, row: Row) -> None:
    """Record the family of which an agent is a version."""
    state.memberships[row["agent_id"]] = membership_of(row)


def take_family(state: State, row: Row) -> None:
    """Record a family of agents, and its number of confirmed versions."""
    state.families.add(row["family"])
    state.confirmed_versions[row["family"]] = row["confirmed"]


def take_statement(state: State, row: Row) -> None:
    """Record a statement."""
    state.add_statement(StatementRecord(row["signed_hash"], row["statement_id"], row["agent_id"]))


def take_verdict(state: State, row: Row) -> None:
    """Record a verdict."""
    name = row["signed_hash"]
    state.verdicts[name] = VerdictRecord(
        name, row["verification_id"], row["agent_id"], row["verdict"], row["statement"], row["author"]
    )


def take_request(state: State, row: Row) -> None:
    """Record a verification request."""
    eligible = row["eligible_verifiers"]
    state.requests[row["signed_hash"]] = RequestRecord(
        row["signed_hash"], row["request_id"], row["target_hash"], None if eligible is None else tuple(eligible)
    )


def take_contradiction(state: State, row: Row) -> None:
    """Record a statement that another one contradicts."""
    state.contradicted.setdefault(row["statement"], set()).add(row["contradicted"])


def take_gold_label(state: State, row: Row) -> None:
    """Record a gold label."""
    name = row["signed_hash"]
    state.gold_labels[name] = GoldRecord(name, row["label_id"], row["agent_id"], row["statement"], row["criterion"])


def take_gold_dispute(state: State, row: Row) -> None:
    """Record a dispute, and the gold label that it disputes."""
    label = row["label_hash"]
    state.gold_labels[label] = GoldRecord(
        label, row["label_id"], row["labelled_by"], row["statement"], row["criterion"]
    )
    take_dispute_of_label(state, row)


def take_dispute_of_label(state: State, row: Row) -> None:
    """Record a dispute of a gold label."""
    name = row["signed_hash"]
    state.gold_disputes[name] = GoldDisputeRecord(name, row["dispute_id"], row["agent_id"], row["label_hash"])


def take_probe(state: State, row: Row) -> None:
    """Record the commitments of a probe."""
    commitments = frozenset(row["commitments"])
    state.probes[row["signed_hash"]] = ProbeRecord(row["agent_id"], commitments, row["log_index"])


def take_probed(state: State, row: Row) -> None:
    """Record a statement that was revealed as a probe."""
    state.probed[row["statement"]] = ProbedRecord(row["log_index"], row["agent_id"], row["judges"])


def take_redaction_of_name(state: State, row: Row) -> None:
    """Record a redaction of a source, by the name of the source."""
    state.redactions.setdefault(row["source_id"], []).append(RedactionRecord.from_row(row))


def take_redaction(state: State, row: Row) -> None:
    """Record a redaction, by the hash of the redacted message or source."""
    state.redactions.setdefault(row["target"], []).append(RedactionRecord.from_row(row))


def take_retraction(state: State, row: Row) -> None:
    """Record a retraction, if its key is trusted."""
    if row["key_trusted"]:
        state.retracted.setdefault(row["target_hash"], row["retraction_id"])


def take_peer(state: State, row: Row) -> None:
    """Record the key of a peer's log."""
    state.peer_keys[row["origin"]] = VerifierKey.parse(row["log_key"])


def take_document(state: State, row: Row) -> None:
    """Record a known document."""
    state.documents[row["document_hash"]] = DocumentRecord(
        document_hash=row["document_hash"],
        held=bool(row["held"]),
        byte_length=row["byte_length"],
        media_type=row["media_type"],
        boundary=Boundary(row["boundary"]) if row["boundary"] else None,
        registration_hash=row["registration_hash"],
        sources=frozenset(row["sources"]),
        retain_until=row["retain_until"],
        registered_by=row["registered_by"],
        registrants=tuple(
            Registrant(one["agent"], one["of_record"], Boundary(one["boundary"]), one["has_proof"])
            for one in sorted(row["registrants"], key=lambda one: one["at"])
        ),
        has_record=bool(row["has_record"]),
    )
