"""Loads from the graph what a batch of messages refers to, in a number of queries that does not grow with it."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from a2ap.admission_policy import AdmissionMode
from a2ap.boundary import Boundary
from a2ap.keys import PublicKey
from a2ap.log.signed_note import VerifierKey
from a2ap.message import Message
from a2ap.times import format_instant
from graph.epochs.epoch_check import EpochPart
from graph.log.entry import Receipt, entry_from_row
from graph.log.name_here import name_here
from graph.log.state import (
    AdmissionRecord,
    DocumentRecord,
    GoldDisputeRecord,
    GoldRecord,
    KeyRecord,
    ProbedRecord,
    ProbeRecord,
    RequestRecord,
    State,
    StatementRecord,
    VerdictRecord,
)
from graph.log.wanted_names import WantedNames
from graph.retention.redactions import RedactionRecord
from graph.store import Transaction
from graph.versions.reputations import membership_of


class Reads(Protocol):
    """What runs named queries: a store, or one transaction of it through `InTransaction`."""

    async def read(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Run a named query and return its rows."""


class InTransaction:
    """A transaction as something to read from; of reads that are asked for together, one waits for the other."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._turn = asyncio.Lock()

    async def read(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Run a named query in the transaction and return its rows."""
        async with self._turn:
            return await self._transaction.run(name, **parameters)


async def log_size(store: Reads) -> int:
    """Return the number of entries in the log."""
    (row,) = await store.read("log_size")
    return int(row["size"])


async def load_state(store: Reads, messages: Sequence[Message]) -> State:
    """Return what the graph knows about every name in these messages."""
    return await load_names(store, WantedNames.of(messages))


async def load_names(store: Reads, wanted: WantedNames) -> State:
    """Return what the graph knows about these names.

    The size is read first: whatever is written while the rest is read makes the size stale, and the writer
    then validates again (design §5, "the sequence").
    """
    state = State(size=await log_size(store))
    reads = (
        ("log_entries_by_hash", "hashes", wanted.hashes, _take_receipt),
        ("log_entries_by_id", "ids", wanted.ids, _take_id),
        ("agents_known", "ids", wanted.agents, _take_agent),
        ("keys_by_id", "references", [r for r in wanted.keys if "#" in r], _take_key),
        ("keys_by_public_key", "references", [r for r in wanted.keys if r.startswith("did:key:")], _take_key),
        ("keys_by_alias", "references", [r for r in wanted.keys if _is_alias(r)], _take_key),
        ("statements_by_id", "ids", wanted.target_ids, _take_statement),
        ("documents_known", "hashes", wanted.documents, _take_document),
        ("redactions_by_source", "ids", wanted.sources, _take_redaction_of_name),
        ("redactions_by_target", "targets", wanted.documents | wanted.redacted, _take_redaction),
        ("verdicts_known", "hashes", wanted.targets, _take_verdict),
        ("requests_known", "hashes", wanted.requests, _take_request),
        ("contradicted_by", "hashes", wanted.contradicting, _take_contradiction),
        ("retractions_of", "hashes", wanted.targets, _take_retraction),
        ("gold_labels_known", "hashes", wanted.gold, _take_gold_label),
        ("gold_disputes_known", "hashes", wanted.gold_disputes, _take_gold_dispute),
        ("disputes_of_labels", "hashes", wanted.gold, _take_dispute_of_label),
        ("probes_known", "hashes", wanted.probes, _take_probe),
        ("statements_probed", "hashes", wanted.revealed, _take_probed),
        ("statements_by_hash", "hashes", wanted.cited, _take_statement),
        ("invitations_used", "hashes", wanted.invitations, _take_invitation),
        ("memberships_of", "ids", wanted.members, _take_membership),
        ("families_known", "ids", wanted.families, _take_family),
        ("peers_by_origin", "origins", wanted.origins, _take_peer),
    )

    async def load(name: str, parameter: str, values: Iterable[str], take: Any) -> None:
        listed = sorted(values)
        if listed:
            for row in await store.read(name, **{parameter: listed}):
                take(state, row)

    await asyncio.gather(*(load(*read) for read in reads), _load_admission(store, state, wanted))
    if wanted.epochs:
        for row in await store.read("last_epoch_part"):
            state.last_epoch_part = EpochPart(**row)
    for time in sorted(wanted.times):
        (row,) = await store.read("first_entry_since", time=format_instant(time))
        if row["log_index"] is not None:
            state.places[time] = row["log_index"]
    return state


async def _load_admission(store: Reads, state: State, wanted: "WantedNames") -> None:
    rows = await store.read("current_admission_policy")
    if not rows:
        return
    row = rows[0]
    mode, seeds = AdmissionMode(row["mode"]), frozenset[str]()
    if mode is AdmissionMode.ENDORSED:
        seeds = frozenset(seed for policy in await store.read("current_policy") for seed in policy["seeds"])
        for endorsed in await store.read("endorsers_of", ids=sorted(wanted.agents)):
            state.endorsers.setdefault(endorsed["agent_id"], set()).add(endorsed["operator"])
    state.admission = AdmissionRecord(mode, frozenset(row["allowed_agents"]), frozenset(row["invitations"]), seeds)


def _is_alias(reference: str) -> bool:
    return "#" not in reference and not reference.startswith("did:key:")


def _take_receipt(state: State, row: dict[str, Any]) -> None:
    entry = entry_from_row(row)
    state.receipts[name_here(entry.signed_hash, entry.type, entry.agent)] = Receipt(entry, created=False)


def _take_id(state: State, row: dict[str, Any]) -> None:
    state.ids.setdefault(row["id"], row["signed_hash"])


def _take_agent(state: State, row: dict[str, Any]) -> None:
    agent_id = row["agent_id"]
    state.agents[agent_id] = row["registration_hash"]
    if row["recovery_key_hash"] is not None:
        state.recovery_hashes[agent_id] = row["recovery_key_hash"]
    if row["probing"]:
        state.probing.add(agent_id)
    if row["deactivated_at"] is not None:
        state.deactivated[agent_id] = row["deactivated_at"]


def _take_key(state: State, row: dict[str, Any]) -> None:
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


def _take_invitation(state: State, row: dict[str, Any]) -> None:
    state.used_invitations.add(row["invitation_hash"])


def _take_membership(state: State, row: dict[str, Any]) -> None:
    state.memberships[row["agent_id"]] = membership_of(row)


def _take_family(state: State, row: dict[str, Any]) -> None:
    state.families.add(row["family"])
    state.confirmed_versions[row["family"]] = row["confirmed"]


def _take_statement(state: State, row: dict[str, Any]) -> None:
    state.add_statement(StatementRecord(row["signed_hash"], row["statement_id"], row["agent_id"]))


def _take_verdict(state: State, row: dict[str, Any]) -> None:
    name = row["signed_hash"]
    state.verdicts[name] = VerdictRecord(
        name, row["verification_id"], row["agent_id"], row["verdict"], row["statement"], row["author"]
    )


def _take_request(state: State, row: dict[str, Any]) -> None:
    eligible = row["eligible_verifiers"]
    state.requests[row["signed_hash"]] = RequestRecord(
        row["signed_hash"], row["request_id"], row["target_hash"], None if eligible is None else tuple(eligible)
    )


def _take_contradiction(state: State, row: dict[str, Any]) -> None:
    state.contradicted.setdefault(row["statement"], set()).add(row["contradicted"])


def _take_gold_label(state: State, row: dict[str, Any]) -> None:
    name = row["signed_hash"]
    state.gold_labels[name] = GoldRecord(name, row["label_id"], row["agent_id"], row["statement"], row["criterion"])


def _take_gold_dispute(state: State, row: dict[str, Any]) -> None:
    label = row["label_hash"]
    state.gold_labels[label] = GoldRecord(
        label, row["label_id"], row["labelled_by"], row["statement"], row["criterion"]
    )
    _take_dispute_of_label(state, row)


def _take_dispute_of_label(state: State, row: dict[str, Any]) -> None:
    name = row["signed_hash"]
    state.gold_disputes[name] = GoldDisputeRecord(name, row["dispute_id"], row["agent_id"], row["label_hash"])


def _take_probe(state: State, row: dict[str, Any]) -> None:
    commitments = frozenset(row["commitments"])
    state.probes[row["signed_hash"]] = ProbeRecord(row["agent_id"], commitments, row["log_index"])


def _take_probed(state: State, row: dict[str, Any]) -> None:
    state.probed[row["statement"]] = ProbedRecord(row["log_index"], row["agent_id"], row["judges"])


def _take_redaction_of_name(state: State, row: dict[str, Any]) -> None:
    state.redactions.setdefault(row["source_id"], []).append(RedactionRecord.from_row(row))


def _take_redaction(state: State, row: dict[str, Any]) -> None:
    state.redactions.setdefault(row["target"], []).append(RedactionRecord.from_row(row))


def _take_retraction(state: State, row: dict[str, Any]) -> None:
    if row["key_trusted"]:
        state.retracted.setdefault(row["target_hash"], row["retraction_id"])


def _take_peer(state: State, row: dict[str, Any]) -> None:
    state.peer_keys[row["origin"]] = VerifierKey.parse(row["log_key"])


def _take_document(state: State, row: dict[str, Any]) -> None:
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
    )
