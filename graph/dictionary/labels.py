"""The labels and types of relationship, the keys of nodes, and the withheld properties of each."""

NODE_KEYS = {
    "LogEntry": "log_index",
    "Agent": "agent_id",
    "AgentFamily": "family_id",
    "Key": "key_id",
    "KeyEvent": "signed_hash",
    "AdmissionPolicy": "signed_hash",
    "Policy": "signed_hash",
    "Epoch": "signed_hash",
    "Reliability": "reliability_key",
    "Peer": "origin",
    "PeerCheckpoint": "signed_hash",
    "Equivocation": "signed_hash",
    "Retraction": "signed_hash",
    "Redaction": "signed_hash",
    "VerificationDecline": "signed_hash",
    "ChallengeAnswer": "signed_hash",
    "Probe": "signed_hash",
    "GoldLabel": "signed_hash",
    "GoldDispute": "signed_hash",
    "Source": "source_id",
    "Document": "document_key",
    "Passport": "record_hash",
    "Pack": "record_hash",
    "Step": "step_key",
    "Packet": "record_hash",
    "Item": "item_key",
    "PacketRecord": "record_hash",
    "Chunk": "chunk_key",
    "Statement": "signed_hash",
    "VerificationRequest": "signed_hash",
    "Verification": "signed_hash",
    "LogHead": "name",
}
"""The labels in the order in which they are read, and the unique property of each."""

EDGE_LABELS = {
    "HAS_KEY": ("Agent", "Key"),
    "SPECIALIZATION_OF": ("Agent", "AgentFamily"),
    "ENDORSED": ("Agent", "Agent"),
    "OF": ("Reliability", "Agent"),
    "REGISTERED": ("Agent", "Document"),
    "SOURCED_FROM": ("Document", "Source"),
    "PART_OF": ("Chunk", "Document"),
    "GENERATED": ("Agent|Pack|Step", "Statement|Document"),
    "CITES": ("Statement", "Chunk"),
    "SUPPORTS": ("Statement", "Statement"),
    "CONTRADICTS": ("Statement", "Statement"),
    "REVISION_OF": ("Statement", "Statement"),
    "VERIFIED": ("Agent", "Statement"),
    "CHALLENGED": ("Agent", "Statement"),
    "REQUESTED_VERIFICATION": ("Agent", "Statement"),
    "TARGETS": ("VerificationRequest", "Statement"),
    "DECLINES": ("VerificationDecline", "VerificationRequest"),
    "VALIDATES": ("Verification", "Statement"),
    "PERFORMED_BY": ("Verification", "Agent"),
    "LABELS": ("GoldLabel", "Statement"),
    "STATED_BY": ("GoldLabel", "Agent"),
    "DISPUTES": ("GoldDispute", "GoldLabel"),
    "RECORD_OF": ("Passport|Pack|Packet|PacketRecord", "Document"),
    "GENERATED_BY": ("Statement|Verification", "Document"),
    "DERIVED_FROM": ("Passport", "Passport"),
    "ATTRIBUTED_TO": ("Passport", "Agent"),
    "USED": ("Pack", "Document"),
    "HAS_STEP": ("Pack", "Step"),
    "INFORMED_BY": ("Pack", "Pack"),
    "HAS_ITEM": ("Packet", "Item"),
    "ABOUT": ("Item", "Statement|Document"),
    "SUPERSEDES": ("Packet", "Packet"),
    "ECHOES": ("PacketRecord", "Packet"),
    "DISPOSES": ("PacketRecord", "PacketRecord"),
}
"""The types of relationship, and the labels of the nodes at their start and end, alternatives separated by bars."""

SOURCE_TEXTS = {
    "Source": ("title", "publisher", "origin"),
    "Document": ("title", "media_type", "licence", "rights_holder"),
    "Chunk": ("text", "content_hash"),
    "CITES": ("quote_text", "content_hash"),
    "Statement": ("content_hash", "machine_reason", "retraction_reason"),
    "Verification": ("reason", "finding_evidence", "evidence_hashes", "retraction_reason"),
    "Retraction": ("reason",),
    "CHALLENGED": ("reason",),
    "VerificationDecline": ("reason",),
    "ChallengeAnswer": ("text", "evidence_hashes"),
    "GoldLabel": ("reason",),
    "GoldDispute": ("reason",),
}
"""The properties that have the words of a source, or describe one: only these are withheld from a reader.

The hash of a passage is withheld with its words: a reader could find a short passage by trying words until the hash
matches.
"""

DESCRIBED = ("Source", "Document")
"""The labels whose withheld properties come from a registration, not from words that a statement cites.

The reasons are in docs/decisions/0041.
"""

PUBLIC_OF_PACKETS = {
    "Packet": ("record_hash", "log_index", "held"),
    "Item": ("item_key", "record_hash", "position", "log_index"),
    "PacketRecord": ("record_hash", "log_index", "held"),
}
"""Properties of a packet or its records for readers without clearance for it; all others are its words, left out."""
