"""Loads from the graph what a batch of messages refers to, in a number of queries that does not grow with it."""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Protocol

from a2ap.admission_policy import AdmissionMode, invitation_hash
from a2ap.agent_deactivation import AgentDeactivation
from a2ap.agent_registration import AgentRegistration
from a2ap.agent_version import AgentVersion
from a2ap.boundary import Boundary
from a2ap.endorsement import Endorsement
from a2ap.equivocation import Equivocation
from a2ap.key_registration import KeyRegistration
from a2ap.key_revocation import KeyRevocation
from a2ap.keys import PublicKey
from a2ap.log.signed_note import VerifierKey
from a2ap.message import Message
from a2ap.peer_checkpoint import PeerCheckpoint
from a2ap.redaction import Redaction
from a2ap.retraction import Retraction
from a2ap.source_registration import SourceRegistration
from a2ap.statement import ProvenanceStatement
from a2ap.times import format_instant
from a2ap.verification_request import VerificationRequest
from a2ap.verification_response import VerificationResponse
from graph.log.entry import Receipt, entry_from_row
from graph.log.name_here import name_here
from graph.log.state import AdmissionRecord, DocumentRecord, KeyRecord, State, StatementRecord, VerdictRecord
from graph.retention.redactions import RedactionRecord
from graph.store import Transaction
from graph.versions.membership import stated_family
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
    """Return what the graph knows about every name in these messages.

    The size is read first: whatever is written while the rest is read makes the size stale, and the writer
    then validates again (design §5, "the sequence").
    """
    state = State(size=await log_size(store))
    wanted = _Wanted.of(messages)
    reads = (
        ("log_entries_by_hash", "hashes", wanted.hashes, _take_receipt),
        ("log_entries_by_id", "ids", wanted.ids, _take_id),
        ("agents_known", "ids", wanted.agents, _take_agent),
        ("keys_by_id", "references", [r for r in wanted.keys if "#" in r], _take_key),
        ("keys_by_public_key", "references", [r for r in wanted.keys if r.startswith("did:key:")], _take_key),
        ("keys_by_alias", "references", [r for r in wanted.keys if _is_alias(r)], _take_key),
        ("statements_by_id", "ids", wanted.target_ids, _take_statement),
        ("documents_known", "hashes", wanted.documents, _take_document),
        ("redactions_by_target", "targets", wanted.documents | wanted.redacted, _take_redaction),
        ("verdicts_known", "hashes", wanted.targets, _take_verdict),
        ("retractions_of", "hashes", wanted.targets, _take_retraction),
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
    for time in sorted(wanted.times):
        (row,) = await store.read("first_entry_since", time=format_instant(time))
        if row["log_index"] is not None:
            state.places[time] = row["log_index"]
    return state


async def _load_admission(store: Reads, state: State, wanted: "_Wanted") -> None:
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


class _Wanted:
    """The names that a batch refers to, by what they name."""

    def __init__(self) -> None:
        self.hashes: set[str] = set()
        self.ids: set[str] = set()
        self.agents: set[str] = set()
        self.keys: set[str] = set()
        self.target_ids: set[str] = set()
        self.documents: set[str] = set()
        self.targets: set[str] = set()
        self.redacted: set[str] = set()
        self.invitations: set[str] = set()
        self.times: set[datetime] = set()
        self.members: set[str] = set()
        self.families: set[str] = set()
        self.origins: set[str] = set()

    @classmethod
    def of(cls, messages: Sequence[Message]) -> "_Wanted":
        wanted = cls()
        for message in messages:
            wanted.add(message)
        return wanted

    def add(self, message: Message) -> None:
        envelope = message.envelope
        self.hashes.add(envelope.signed_hash)
        self.ids.add(envelope.id)
        self.agents.add(envelope.agent_id)
        if envelope.signature is not None:
            self.keys.add(envelope.signature.public_key)
        self.keys.update(proof.key_reference for proof in envelope.proofs)
        self._add_family(message)
        match message:
            case ProvenanceStatement():
                revised = (message.was_revision_of,) if message.was_revision_of else ()
                for reference in (*message.supports, *message.contradicts, *revised):
                    self.target_ids.add(reference.id)
                self.documents.update(s.document_hash for s in message.evidence if s.document_hash)
            case VerificationRequest() | VerificationResponse():
                self.target_ids.add(message.target_statement)
            case SourceRegistration():
                self.documents.add(message.document_hash)
            case Retraction():
                self.target_ids.add(message.target_message)
                self.targets.add(message.target_hash)
            case Redaction():
                if message.target_hash is not None:
                    self.hashes.add(message.target_hash)
                    self.redacted.add(message.target_hash)
                if message.document_hash is not None:
                    self.documents.add(message.document_hash)
            case Endorsement():
                self.agents.add(message.endorsed_agent)
            case AgentRegistration() if message.invitation is not None:
                self.invitations.add(invitation_hash(message.invitation))
            case KeyRegistration():
                self.keys.update({message.key_id, message.public_key.did_key, *message.replaces})
                if message.alias is not None:
                    self.keys.add(message.alias)
            case KeyRevocation():
                self.agents.add(message.agent)
                self.keys.add(message.key_id)
                if message.not_trusted_since_time is not None:
                    self.times.add(message.not_trusted_since_time)
            case AgentDeactivation():
                self.agents.add(message.agent)
            case PeerCheckpoint() | Equivocation():
                self.origins.add(message.origin)
            case _:
                pass

    def _add_family(self, message: Message) -> None:
        match message:
            case AgentRegistration():
                family = stated_family(message.agent)
                if family is None:
                    return
            case AgentVersion():
                family = message.family
                self.agents.add(message.agent)
                self.members.update({message.agent, message.envelope.agent_id})
            case _:
                return
        self.agents.add(family)
        self.families.add(family)


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


def _take_statement(state: State, row: dict[str, Any]) -> None:
    state.add_statement(StatementRecord(row["signed_hash"], row["statement_id"], row["agent_id"]))


def _take_verdict(state: State, row: dict[str, Any]) -> None:
    name = row["signed_hash"]
    state.verdicts[name] = VerdictRecord(name, row["verification_id"], row["agent_id"])


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
    )
