"""Exports for publication: names in the graph are replaced, each name always by the same pseudonym.

Rules:

- Only the properties stated here are given. Agents, families, and every message by its id or hash have pseudonyms;
  names, publishers and requesters too. Keys, signatures, places in the log, times of arrival, the log itself, events of
  keys, peers, and the records of other formats are left out.
- Claims, the passages they cite and the facts about the documents stay: they are the subject of the publication. The
  texts of agents about each other (reasons, findings in words, answers, declines) are left out, and so are the exact
  facts that the node publishes about an agent (capabilities, numbers of verdicts): they would lead from a pseudonym to
  a name.
- Rows come in the order of their pseudonyms (`graph.export.renamed`).
- A pseudonym is an HMAC-SHA256 under a key, so that nobody without the key can try out names; the same key gives the
  same pseudonyms in another export. `docs/how-to/exports.md` lists the properties that can still identify somebody.
"""

import base64
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graph.dictionary.labels import NODE_KEYS
from graph.export.graph_reader import Edge, Edges, Nodes

KEY_BYTES = 32

_PREFIX = "p-"
_PSEUDONYM = "*"  # behind the name of a property: its value, or each of its values, is replaced

_NODES = {
    "Agent": "agent_id* name* publisher* reputation",
    "AgentFamily": "family_id*",
    "Policy": """signed_hash* policy_id* threshold quorum seeds* method criteria unseeded_weight version epoch_length
        prior_claim prior_trusted prior_endorsed prior_unknown family_correlation draw_operators draw_from
        draw_window""",
    "Retraction": "signed_hash* retraction_id* agent_id* target_hash* target_type retracted_at key_trusted",
    "GoldLabel": """signed_hash* label_id* agent_id* target_hash* criterion passes probe own labelled_at in_force
        withdrawn suspended""",
    "Source": "source_id title publisher*",
    "Document": "document_key document_hash doc_id title media_type byte_length boundary held erased licence",
    "Chunk": """chunk_key chunk_id doc_id text byte_start byte_end timestamp_start timestamp_end document_hash
        content_hash withheld""",
    "Statement": """signed_hash* statement_id* claim_text confidence generated_at verified consensus_score key_trusted
        machine_check evidence_passed probe probe_passes retracted retracted_at superseded_by* conflicted carried
        carried_by* opposed_by*""",
    "VerificationRequest": """signed_hash* request_id* criteria deadline wanted_verdicts eligible_verifiers* agent_id*
        answered_by* requested_at""",
    "Verification": """signed_hash* verification_id* verdict confidence verified_at key_trusted target_hash* binds
        machine label finding_criteria finding_statuses finding_confidences request_hash* supersedes*
        counter_statement* cross_references* retracted retracted_at""",
}
_EDGES = {
    "SPECIALIZATION_OF": "founder confirmed",
    "ENDORSED": "timestamp key_trusted",
    "SOURCED_FROM": "",
    "PART_OF": "",
    "GENERATED": "timestamp",
    "CITES": """position chunk_id source_document content_hash quote_text relevance_score timestamp_start
        timestamp_end start_milliseconds end_milliseconds page withheld""",
    "SUPPORTS": "",
    "CONTRADICTS": "",
    "REVISION_OF": "",
    "VERIFIED": "verification_id* verdict timestamp",
    "CHALLENGED": "verification_id* timestamp",
    "REQUESTED_VERIFICATION": "request_id* timestamp",
    "TARGETS": "",
    "VALIDATES": "",
    "PERFORMED_BY": "",
    "LABELS": "",
    "STATED_BY": "",
}
_ROUNDED = {"reputation": 1}
"""Decimals of numbers that the node publishes with a name: all of them would reveal the name."""


@dataclass(frozen=True, slots=True)
class Pseudonyms:
    """Replaces names under one key of 32 bytes."""

    key: bytes = field(repr=False)

    def of(self, name: str) -> str:
        """Return the pseudonym of a name: 26 letters and digits behind `p-`."""
        digest = hmac.digest(self.key, name.encode("utf-8", "surrogatepass"), "sha256")
        return _PREFIX + base64.b32encode(digest[:16]).decode().rstrip("=").lower()

    def nodes(self, page: Nodes) -> Nodes | None:
        """Return a page with pseudonyms, None if nothing of its label is given."""
        if page.label not in _NODES:
            return None
        names = _NODES[page.label].split()
        return Nodes(page.label, [self._replaced(names, properties) for properties in page.properties])

    def edges(self, page: Edges) -> Edges | None:
        """Return a page with pseudonyms, None if nothing of its type, or between these labels, is given."""
        if page.type not in _EDGES or page.start_label not in _NODES or page.end_label not in _NODES:
            return None
        names = _EDGES[page.type].split()
        edges = [
            Edge(
                self._key(page.start_label, edge.start),
                self._key(page.end_label, edge.end),
                self._replaced(names, edge.properties),
            )
            for edge in page.edges
        ]
        return Edges(page.type, page.start_label, page.end_label, edges, page.is_instead, page.is_again)

    def _key(self, label: str, key: str) -> str:
        return self.of(key) if NODE_KEYS[label] + _PSEUDONYM in _NODES[label].split() else key

    def _replaced(self, names: list[str], properties: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for stated in names:
            name = stated.removesuffix(_PSEUDONYM)
            value = properties.get(name)
            if value is None:
                continue
            if name in _ROUNDED:
                value = round(value, _ROUNDED[name])
            found[name] = value if name == stated else self._pseudonym(value)
        return found

    def _pseudonym(self, value: Any) -> Any:
        # Sorted, as they were by name.
        return sorted(self.of(item) for item in value) if isinstance(value, (list, tuple)) else self.of(value)
