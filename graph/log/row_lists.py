"""Rows of one transaction: a list for each of the queries that write them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

SHARED_WRITES = (
    "write_agents",
    "remove_memberships",
    "write_memberships",
    "write_key_registrations",
    "write_retired_keys",
    "write_key_events",
    "write_deactivations",
    "write_admission_policies",
    "move_search_passages",
    "write_sources",
    "write_record_registrations",
    "write_registered_classes",
    "write_search_titles",
    "write_passports",
    "write_passport_contents",
    "write_passport_parents",
    "write_passport_children",
    "write_passport_merges",
    "write_passport_agents",
    "write_passports_of_keys",
    "write_packs",
    "write_pack_contents",
    "write_pack_uses",
    "write_pack_outputs",
    "write_pack_steps",
    "write_step_outputs",
    "write_pack_parents",
    "write_endorsements",
    "write_policies",
    "write_epochs",
    "write_reliabilities",
    "write_operator_records",
    "write_peers",
    "write_peer_checkpoints",
    "write_equivocations",
    "write_statements",
    "write_twins",
    "write_citations",
    "write_search_passages",
    "write_supports",
    "write_contradicts",
    "write_revisions",
    "write_statement_records",
    "write_packets",
    "write_packet_contents",
    "write_packet_items",
    "write_item_statements",
    "write_item_documents",
    "write_packet_predecessors",
    "write_packet_successors",
    "write_packet_records",
    "write_packet_record_contents",
    "write_packet_record_echoes",
    "write_packet_hashes",
    "write_disposition_returns",
    "write_return_dispositions",
    "write_requests",
    "write_verifications",
    "write_verification_records",
    "write_challenges",
    "write_machine_checks",
    "write_evidence_passed",
)
"""The queries that write rows of several kinds of messages, or nodes that other kinds match, in the order of their use.

The nodes that a row matches are written before it. `graph.kinds.registry.WRITE_ORDER` adds the queries of each kind.
"""


Row = dict[str, Any]


@dataclass(slots=True)
class Rows:
    """The rows of one transaction, by query name."""

    by_query: defaultdict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))

    def add(self, query: str, row: Row) -> None:
        """Add one row to a query's list."""
        self.by_query[query].append(row)


def add_generated_by(rows: Rows, query: str, signed_hash: str, record_hashes: Sequence[str]) -> None:
    """Add the rows that name the records from which a message was generated, whether they are stored here or not."""
    for record_hash in record_hashes:
        rows.add(query, {"signed_hash": signed_hash, "record_hash": record_hash})
