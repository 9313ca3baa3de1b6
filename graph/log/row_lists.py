"""Rows of one transaction: the queries that write them, in order, and a list for each."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

# The order in which rows are written: what a row matches is written before it.
WRITE_ORDER = (
    "write_agents",
    "remove_memberships",
    "write_memberships",
    "write_key_registrations",
    "write_retired_keys",
    "write_key_events",
    "write_deactivations",
    "write_admission_policies",
    "write_sources",
    "write_record_registrations",
    "write_passports",
    "write_passport_contents",
    "write_passport_parents",
    "write_passport_children",
    "write_passport_merges",
    "write_passport_agents",
    "write_passports_of_keys",
    "write_endorsements",
    "write_policies",
    "write_epochs",
    "write_reliabilities",
    "write_peers",
    "write_peer_checkpoints",
    "write_equivocations",
    "write_statements",
    "write_twins",
    "write_citations",
    "write_supports",
    "write_contradicts",
    "write_revisions",
    "write_statement_records",
    "write_requests",
    "write_verifications",
    "write_verification_records",
    "write_challenges",
    "write_machine_checks",
    "write_evidence_passed",
    "write_declines",
    "write_challenge_answers",
    "write_gold_labels",
    "write_gold_disputes",
    "write_probes",
    "write_retractions",
    "write_redactions",
    "write_redacted_sources",
    "write_redacted_chunks",
    "write_redacted_passages",
    "write_redacted_named_chunks",
    "write_redacted_named_passages",
    "write_redacted_quotes",
    "write_redacted_verdicts",
    "blank_passports",
)


Row = dict[str, Any]


@dataclass(slots=True)
class Rows:
    """The rows of one transaction, by query name."""

    by_query: defaultdict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))

    def add(self, query: str, row: Row) -> None:
        """Add one row to a query's list."""
        self.by_query[query].append(row)
