"""The steps in which an export reads the graph: label by label, then each type of relationship.

Each step is one query, read page by page. Nodes come in the order of `NODE_KEYS`.
"""

from dataclasses import dataclass
from enum import Enum, auto

from graph.dictionary.labels import NODE_KEYS


class Paging(Enum):
    """The ways in which a query's pages follow each other."""

    LOGGED = auto()  # by a stretch of the log
    PAGED = auto()  # by the last key
    RANGES = auto()  # by a range of keys that are hashes
    ONCE = auto()


class Change(Enum):
    """The part of a label or type that an export of changes has, beside the data of new entries."""

    NONE = auto()  # rows that are written once stay as they are
    AGAIN = auto()  # rows that were there may have changed and are given again
    REPLACED = auto()  # rows that were there may be gone: all of the type are given again instead of them


@dataclass(frozen=True, slots=True)
class NodeStep:
    """The nodes of a label."""

    label: str
    query: str
    paging: Paging
    change: Change


@dataclass(frozen=True, slots=True)
class EdgeStep:
    """The relationships of a type between two labels.

    `since` says that the query itself leaves out the earlier ones; otherwise its stretches begin where the changes do.
    """

    type: str
    start: str
    end: str
    query: str
    paging: Paging
    change: Change
    since: bool = False


def _paged(label: str, query: str, change: Change = Change.AGAIN) -> NodeStep:
    return NodeStep(label, query, Paging.PAGED, change)


NODE_STEPS = (
    NodeStep("LogEntry", "export_log_entries", Paging.LOGGED, Change.NONE),
    _paged("Agent", "export_agents"),
    _paged("AgentFamily", "export_families"),
    _paged("Key", "export_keys"),
    _paged("KeyEvent", "export_key_events"),
    _paged("AdmissionPolicy", "export_admission_policies", Change.NONE),
    _paged("Policy", "export_policies", Change.NONE),
    _paged("Epoch", "export_epochs", Change.NONE),
    _paged("Reliability", "export_reliabilities", Change.NONE),
    _paged("Peer", "export_peers"),
    _paged("PeerCheckpoint", "export_peer_checkpoints", Change.NONE),
    _paged("Equivocation", "export_equivocations", Change.NONE),
    _paged("Retraction", "export_retractions"),
    _paged("Redaction", "export_redactions", Change.NONE),
    _paged("VerificationDecline", "export_declines"),
    _paged("ChallengeAnswer", "export_challenge_answers"),
    _paged("Probe", "export_probes", Change.NONE),
    _paged("GoldLabel", "export_gold_labels"),
    _paged("GoldDispute", "export_gold_disputes"),
    _paged("Source", "export_sources"),
    _paged("Document", "export_documents"),
    _paged("Passport", "export_passports"),
    _paged("Pack", "export_packs"),
    _paged("Step", "export_steps"),
    _paged("Packet", "export_packets"),
    _paged("Item", "export_packet_items"),
    _paged("PacketRecord", "export_packet_records"),
    NodeStep("Chunk", "export_chunks", Paging.RANGES, Change.AGAIN),
    NodeStep("Statement", "export_statements", Paging.LOGGED, Change.AGAIN),
    NodeStep("VerificationRequest", "export_requests", Paging.LOGGED, Change.AGAIN),
    NodeStep("Verification", "export_verifications", Paging.LOGGED, Change.AGAIN),
    NodeStep("LogHead", "export_log_head", Paging.ONCE, Change.AGAIN),
)
assert tuple(step.label for step in NODE_STEPS) == tuple(NODE_KEYS)


def _replaced(type: str, start: str, end: str, query: str) -> EdgeStep:
    return EdgeStep(type, start, end, query, Paging.PAGED, Change.REPLACED)


def _logged(type: str, start: str, end: str, query: str, *, since: bool = False) -> EdgeStep:
    return EdgeStep(type, start, end, query, Paging.LOGGED, Change.NONE, since)


EDGE_STEPS = (
    _replaced("HAS_KEY", "Agent", "Key", "export_has_key"),
    _replaced("SPECIALIZATION_OF", "Agent", "AgentFamily", "export_memberships"),
    _replaced("ENDORSED", "Agent", "Agent", "export_endorsed"),
    _replaced("OF", "Reliability", "Agent", "export_reliable"),
    _replaced("REGISTERED", "Agent", "Document", "export_registered"),
    _replaced("SOURCED_FROM", "Document", "Source", "export_sourced_from"),
    _replaced("LABELS", "GoldLabel", "Statement", "export_labels"),
    _replaced("DECLINES", "VerificationDecline", "VerificationRequest", "export_declined"),
    _replaced("STATED_BY", "GoldLabel", "Agent", "export_stated_by"),
    _replaced("DISPUTES", "GoldDispute", "GoldLabel", "export_disputes"),
    EdgeStep("PART_OF", "Chunk", "Document", "export_part_of", Paging.RANGES, Change.AGAIN),
    _logged("CITES", "Statement", "Chunk", "export_citations"),
    _logged("SUPPORTS", "Statement", "Statement", "export_references"),
    _logged("CONTRADICTS", "Statement", "Statement", "export_references"),
    _logged("REVISION_OF", "Statement", "Statement", "export_references"),
    _logged("VERIFIED", "Agent", "Statement", "export_verdicts", since=True),
    _logged("CHALLENGED", "Agent", "Statement", "export_verdicts", since=True),
    _logged("REQUESTED_VERIFICATION", "Agent", "Statement", "export_requesters", since=True),
    _logged("TARGETS", "VerificationRequest", "Statement", "export_targets"),
    _logged("VALIDATES", "Verification", "Statement", "export_validates"),
    _logged("PERFORMED_BY", "Verification", "Agent", "export_performed_by"),
    _replaced("RECORD_OF", "Passport", "Document", "export_passport_documents"),
    _replaced("DERIVED_FROM", "Passport", "Passport", "export_passport_parents"),
    _replaced("ATTRIBUTED_TO", "Passport", "Agent", "export_passport_agents"),
    _replaced("RECORD_OF", "Pack", "Document", "export_pack_documents"),
    _replaced("USED", "Pack", "Document", "export_pack_uses"),
    _replaced("GENERATED", "Pack", "Document", "export_pack_outputs"),
    _replaced("HAS_STEP", "Pack", "Step", "export_pack_steps"),
    _replaced("GENERATED", "Step", "Document", "export_step_outputs"),
    _replaced("INFORMED_BY", "Pack", "Pack", "export_pack_parents"),
    _replaced("RECORD_OF", "Packet", "Document", "export_packet_documents"),
    _replaced("RECORD_OF", "PacketRecord", "Document", "export_packet_record_documents"),
    _replaced("HAS_ITEM", "Packet", "Item", "export_packet_item_edges"),
    _replaced("ABOUT", "Item", "Statement", "export_item_statements"),
    _replaced("ABOUT", "Item", "Document", "export_item_documents"),
    _replaced("SUPERSEDES", "Packet", "Packet", "export_packet_predecessors"),
    _replaced("ECHOES", "PacketRecord", "Packet", "export_packet_record_echoes"),
    _replaced("DISPOSES", "PacketRecord", "PacketRecord", "export_dispositions"),
    _logged("GENERATED", "Agent", "Statement", "export_generated"),
    _logged("GENERATED_BY", "Statement", "Document", "export_statement_records"),
    _logged("GENERATED_BY", "Verification", "Document", "export_verification_records"),
)

WITH_QUOTES = frozenset({"CITES", "CHALLENGED"})
"""Types with words of a source; a redaction, or a stricter class of the source, removes these from earlier data.

They are replaced if new entries can have done so.
"""
