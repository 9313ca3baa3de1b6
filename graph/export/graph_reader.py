"""The whole graph, label by label and type by type, in pages of bounded size.

Rules:

- The size of the log is read first. What later entries wrote is left out: agents, keys, statements, requests,
  verifications, policies and their relationships. A chunk, document or source that appears while an export runs may
  be in it, without what cites it. Scores, what became of keys, and whether a source is held, are as they are when they
  are read.
- No read stays open while the receiver waits: each page is a query of its own, by a stretch of the log where
  what is read has a place in it, by a range of keys where the keys are hashes, and by the last key elsewhere.
- Every node and relationship has `properties` alone; what a reader is not cleared for is taken out before.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from a2ap.boundary import Boundary
from cypher import load_query
from graph.clearance import boundary_of
from graph.export.withholding import Withholding
from graph.store import Row, Store

STRETCH = 500
"""Log entries, keys of small labels, and chunks (on average) that are read at once."""

Properties = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Nodes:
    """Some nodes of a label."""

    label: str
    properties: Sequence[Properties]


@dataclass(frozen=True, slots=True)
class Edge:
    """A relationship between two nodes that their keys name."""

    start: Any
    end: Any
    properties: Properties


@dataclass(frozen=True, slots=True)
class Edges:
    """Some relationships of a type, all between the same two labels."""

    type: str
    start_label: str
    end_label: str
    edges: Sequence[Edge]


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
"""The types of relationship, and the labels of the nodes at their start and end, any of those between bars."""

SOURCE_TEXTS = {
    "Chunk": ("text",),
    "CITES": ("quote_text",),
    "Statement": ("machine_reason", "retraction_reason"),
    "Verification": ("reason", "finding_evidence", "retraction_reason"),
    "Retraction": ("reason",),
    "CHALLENGED": ("reason",),
    "VerificationDecline": ("reason",),
    "ChallengeAnswer": ("text",),
    "GoldLabel": ("reason",),
    "GoldDispute": ("reason",),
}
"""The properties that may have the words of a source: only these are withheld from a reader."""

PUBLIC_OF_PACKETS = {
    "Packet": ("record_hash", "log_index", "held"),
    "Item": ("item_key", "record_hash", "position", "log_index"),
    "PacketRecord": ("record_hash", "log_index", "held"),
}
"""What a reader who is not cleared for a packet or a record of one gets of it; all else is its words, and left out."""

_PAGED_NODES = {
    "Agent": "export_agents",
    "AgentFamily": "export_families",
    "Key": "export_keys",
    "KeyEvent": "export_key_events",
    "AdmissionPolicy": "export_admission_policies",
    "Policy": "export_policies",
    "Epoch": "export_epochs",
    "Reliability": "export_reliabilities",
    "Peer": "export_peers",
    "PeerCheckpoint": "export_peer_checkpoints",
    "Equivocation": "export_equivocations",
    "Retraction": "export_retractions",
    "Redaction": "export_redactions",
    "VerificationDecline": "export_declines",
    "ChallengeAnswer": "export_challenge_answers",
    "Probe": "export_probes",
    "GoldLabel": "export_gold_labels",
    "GoldDispute": "export_gold_disputes",
    "Source": "export_sources",
    "Document": "export_documents",
    "Passport": "export_passports",
    "Pack": "export_packs",
    "Step": "export_steps",
    "Packet": "export_packets",
    "Item": "export_packet_items",
    "PacketRecord": "export_packet_records",
}
_PAGED_EDGES = {
    "HAS_KEY": "export_has_key",
    "SPECIALIZATION_OF": "export_memberships",
    "ENDORSED": "export_endorsed",
    "OF": "export_reliable",
    "REGISTERED": "export_registered",
    "SOURCED_FROM": "export_sourced_from",
    "LABELS": "export_labels",
    "DECLINES": "export_declined",
    "STATED_BY": "export_stated_by",
    "DISPUTES": "export_disputes",
}
# Relationships of records, whose types have more than one label at an end: query, type, and the labels.
_PAGED_RECORD_EDGES = (
    ("export_passport_documents", "RECORD_OF", "Passport", "Document"),
    ("export_passport_parents", "DERIVED_FROM", "Passport", "Passport"),
    ("export_passport_agents", "ATTRIBUTED_TO", "Passport", "Agent"),
    ("export_pack_documents", "RECORD_OF", "Pack", "Document"),
    ("export_pack_uses", "USED", "Pack", "Document"),
    ("export_pack_outputs", "GENERATED", "Pack", "Document"),
    ("export_pack_steps", "HAS_STEP", "Pack", "Step"),
    ("export_step_outputs", "GENERATED", "Step", "Document"),
    ("export_pack_parents", "INFORMED_BY", "Pack", "Pack"),
    ("export_packet_documents", "RECORD_OF", "Packet", "Document"),
    ("export_packet_record_documents", "RECORD_OF", "PacketRecord", "Document"),
    ("export_packet_item_edges", "HAS_ITEM", "Packet", "Item"),
    ("export_item_statements", "ABOUT", "Item", "Statement"),
    ("export_item_documents", "ABOUT", "Item", "Document"),
    ("export_packet_predecessors", "SUPERSEDES", "Packet", "Packet"),
    ("export_packet_record_echoes", "ECHOES", "PacketRecord", "Packet"),
    ("export_dispositions", "DISPOSES", "PacketRecord", "PacketRecord"),
)
_LOGGED_RECORD_EDGES = (
    ("export_generated", "GENERATED", "Agent", "Statement"),
    ("export_statement_records", "GENERATED_BY", "Statement", "Document"),
    ("export_verification_records", "GENERATED_BY", "Verification", "Document"),
)
_LOGGED_EDGES = (
    ("export_citations", "CITES"),
    ("export_references", None),
    ("export_verdicts", None),
    ("export_requesters", "REQUESTED_VERIFICATION"),
    ("export_targets", "TARGETS"),
    ("export_validates", "VALIDATES"),
    ("export_performed_by", "PERFORMED_BY"),
)


class GraphReader:
    """Reads the graph as it was at `size` log entries, for a reader with a clearance."""

    def __init__(self, store: Store, size: int, clearance: Boundary) -> None:
        self._store = store
        self._size = size
        self._withholding = Withholding(store, clearance)

    async def nodes(self) -> AsyncIterator[Nodes]:
        """Yield all nodes, in the order of `NODE_KEYS`."""
        async for rows in self._logged("export_log_entries"):
            yield _nodes("LogEntry", rows)
        for label, query in _PAGED_NODES.items():
            async for rows in self._paged(query):
                if label in SOURCE_TEXTS:
                    about = [row.get("statement") or row["properties"]["target_hash"] for row in rows]
                    await self._withhold_about(rows, about, label)
                if label in PUBLIC_OF_PACKETS:
                    self._withhold_packets(rows, label)
                yield _nodes(label, rows)
        async for rows in self._ranges("export_chunks"):
            _withhold(rows, await self._withholding.of_documents(rows), "Chunk")
            yield _nodes("Chunk", rows)
        statements = 0
        async for rows in self._logged("export_statements"):
            statements += len(rows)
            await self._withhold_about(rows, [row["properties"]["signed_hash"] for row in rows], "Statement")
            yield _nodes("Statement", rows)
        async for rows in self._logged("export_requests"):
            yield _nodes("VerificationRequest", rows)
        async for rows in self._logged("export_verifications"):
            about = [row["statement"] for row in rows]
            await self._withhold_about(rows, about, "Verification")
            yield _nodes("Verification", rows)
        yield _nodes("LogHead", await self._store.read("export_log_head", size=self._size, statements=statements))

    async def edges(self) -> AsyncIterator[Edges]:
        """Yield all relationships, type by type or a few types at a time, the same few in every page."""
        for kind, query in _PAGED_EDGES.items():
            async for rows in self._paged(query):
                yield _edges(kind, rows)
        async for rows in self._ranges("export_part_of"):
            yield _edges("PART_OF", rows)
        for query, only in _LOGGED_EDGES:
            async for rows in self._logged(query):
                if only == "CITES":
                    about = [{**row, "source_document": row["properties"].get("source_document")} for row in rows]
                    _withhold(rows, await self._withholding.of_documents(about), only)
                if query == "export_verdicts":
                    await self._withhold_about(rows, [row["end"] for row in rows], "CHALLENGED")
                for kind in [only] if only else sorted({row["type"] for row in rows}):
                    yield _edges(kind, [row for row in rows if only or row["type"] == kind])

        for query, *names in _PAGED_RECORD_EDGES:
            async for rows in self._paged(query):
                yield _edges_between(*names, rows=rows)
        for query, *names in _LOGGED_RECORD_EDGES:
            async for rows in self._logged(query):
                yield _edges_between(*names, rows=rows)

    async def _logged(self, query: str) -> AsyncIterator[list[Row]]:
        for start in range(0, self._size, STRETCH):
            end = min(start + STRETCH, self._size)
            rows = await self._store.read(query, start=start, end=end, **self._limit(query))
            if rows:
                yield rows

    async def _paged(self, query: str) -> AsyncIterator[list[Row]]:
        after = ""
        while rows := await self._store.read(query, after=after, first=STRETCH, **self._limit(query)):
            after = rows[-1]["key"]
            yield rows

    async def _ranges(self, query: str) -> AsyncIterator[list[Row]]:
        (counted,) = await self._store.read("count_chunks")
        parts = min(-(-counted["number"] // STRETCH), 0x10000)
        bounds = [f"{0x10000 * part // parts:04x}" for part in range(parts)] + ["g"] if parts else []
        for start, end in pairwise(bounds):
            rows = await self._store.read(query, start=start, end=end)
            if rows:
                yield rows

    def _limit(self, query: str) -> dict[str, int]:
        return {"size": self._size} if "size" in load_query(query).parameters else {}

    async def _withhold_about(self, rows: Sequence[Row], statements: Sequence[str], label: str) -> None:
        """Take out what was written about statements that cite what this reader is not cleared for."""
        withheld = await self._withholding.of_statements(statements)
        for row, statement in zip(rows, statements, strict=True):
            if statement in withheld:
                _withhold([row], [withheld[statement].reason], label)

    def _withhold_packets(self, rows: Sequence[Row], label: str) -> None:
        """Leave of what this reader is not cleared for only that it is there."""
        for row in rows:
            reason = self._withholding.reader.reason_withheld(boundary_of(row["boundary"]))
            if reason is not None:
                kept = {name: row["properties"].get(name) for name in PUBLIC_OF_PACKETS[label]}
                row["properties"] = {**kept, "withheld": reason}


def _withhold(rows: Sequence[Row], reasons: Sequence[str | None], label: str) -> None:
    for row, reason in zip(rows, reasons, strict=True):
        properties = row["properties"]
        texts = [name for name in SOURCE_TEXTS[label] if properties.get(name)]
        if reason is None or not texts:
            continue
        for name in texts:
            found = properties[name]
            properties[name] = [""] * len(found) if isinstance(found, list) else ""
        properties["withheld"] = reason


def _nodes(label: str, rows: Sequence[Row]) -> Nodes:
    return Nodes(label, [row["properties"] for row in rows])


def _edges(kind: str, rows: Sequence[Row]) -> Edges:
    return _edges_between(kind, *EDGE_LABELS[kind], rows=rows)


def _edges_between(kind: str, start: str, end: str, *, rows: Sequence[Row]) -> Edges:
    return Edges(
        kind,
        start,
        end,
        [
            Edge(row["start"], row["end"], row["properties"])
            for row in rows
            if row["start"] is not None and row["end"] is not None
        ],
    )
