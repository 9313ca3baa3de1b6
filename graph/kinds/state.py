"""The state of the graph for the names in one batch of messages; admission reads it and adds to it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import IntEnum
from itertools import chain
from typing import NamedTuple

from a2ap.boundary import Boundary, strictest
from a2ap.log.log_key import LogKeys
from a2ap.log.signed_note import VerifierKey
from a2ap.messages.admission_policy import AdmissionMode
from a2ap.messages.epoch import Epoch
from a2ap.messages.key_history import KeyEvent, KeyStatus
from a2ap.messages.record_registration import RecordRegistration
from a2ap.messages.scoping import origin_of
from a2ap.messages.source_registration import SourceRegistration
from a2ap.signing.keys import PublicKey
from graph.log.entry import Receipt
from graph.retention.redactions import RedactionRecord
from graph.versions.membership import Families, Membership


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """A registered key, the agent that it speaks for, and the log indices between which it does."""

    key_id: str
    agent_id: str
    public_key: PublicKey
    alias: str | None
    valid_from: int = -1
    retired_at: int | None = None
    not_trusted_since: int | None = None
    revoked_reason: str | None = None

    def speaks_at(self, place: int) -> bool:
        """Return whether the key's signatures count at this log index."""
        status = KeyStatus(self.key_id, self.agent_id, self.valid_from, self.retired_at, self.not_trusted_since)
        return status.speaks_at(place)


@dataclass(frozen=True, slots=True)
class StatementRecord:
    """A statement that other messages may refer to."""

    signed_hash: str
    statement_id: str
    agent_id: str


@dataclass(frozen=True, slots=True)
class VerdictRecord:
    """A verdict that its verifier may retract or supersede; `author`, the statement's, may answer a challenge."""

    signed_hash: str
    verification_id: str
    agent_id: str
    verdict: str
    statement: str
    author: str


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """A verification request that may be answered or declined, by any agent if `eligible_verifiers` is None."""

    signed_hash: str
    request_id: str
    target_hash: str
    eligible_verifiers: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class GoldRecord:
    """A gold label, and the statement (by signed hash) and criterion that it labels."""

    signed_hash: str
    label_id: str
    agent_id: str
    statement: str
    criterion: str


@dataclass(frozen=True, slots=True)
class GoldDisputeRecord:
    """A dispute of the gold label with the hash `label`."""

    signed_hash: str
    dispute_id: str
    agent_id: str
    label: str


@dataclass(frozen=True, slots=True)
class ProbeRecord:
    """The commitments of a probe, the agent that made them, and their log index."""

    agent_id: str
    commitments: frozenset[str]
    log_index: int


@dataclass(frozen=True, slots=True)
class ProbedRecord:
    """A statement that may be a probe: its log index, its agent, and whether that agent judges statements of others."""

    log_index: int
    agent_id: str
    judges: bool


class Right(IntEnum):
    """The right of an agent over the bytes of a document; a greater right is a greater number.

    The agent is none, registered the document, proved possession of the bytes, or is one that the operator answers for.
    """

    NONE = 0
    REGISTRATION = 1
    PROOF = 2
    ANSWERED_FOR = 3


class Registrant(NamedTuple):
    """An agent that registered a document, as a source or as a record, with the class that it stated.

    `has_proof` says that the registration came here with the bytes, and with the agent's proof of possession.
    """

    agent_id: str
    of_record: bool
    boundary: Boundary
    has_proof: bool

    @classmethod
    def of(cls, message: SourceRegistration | RecordRegistration, *, has_proof: bool) -> "Registrant":
        """Return the agent that signed a registration; `has_proof` is that of its log entry."""
        return cls(message.envelope.agent_id, isinstance(message, RecordRegistration), message.boundary, has_proof)


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """A source document; boundary, and hash and agent of the first registration, are None if it is only cited.

    `sources` are the names under which it is registered. `registrants` are in the order of the log. `held` says that
    its bytes are stored as those of a source, `has_record` as those of a record.
    """

    document_hash: str
    held: bool
    byte_length: int | None
    media_type: str | None
    boundary: Boundary | None
    registration_hash: str | None
    sources: frozenset[str] = frozenset()
    retain_until: datetime | None = None
    registered_by: str | None = None
    registrants: tuple[Registrant, ...] = ()
    has_record: bool = False


@dataclass(frozen=True, slots=True)
class AdmissionRecord:
    """The rules of admission: the mode in force and its lists; `seeds` are those of the policy in force."""

    mode: AdmissionMode = AdmissionMode.OPEN
    allowed_agents: frozenset[str] = frozenset()
    invitations: frozenset[str] = frozenset()
    seeds: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class EpochPart:
    """The last part of an epoch in the log, whether or not its table is complete."""

    log_index: int
    log_size: int
    part: int
    parts: int

    @classmethod
    def of(cls, message: Epoch, log_index: int) -> "EpochPart":
        """Return the part in this message at this log index."""
        return cls(log_index, message.log_size, message.part, message.parts)


@dataclass(slots=True)
class State:
    """The part of the graph that one batch refers to, as of log size `size`.

    Admission adds each accepted message, so that later messages of the same batch can build on it; `place` is the log
    index of the next one. `recovery_hashes` and `deactivated` (with the log index) are by agent; `places` has the first
    log index received at a time or later. `retracted` has the id of the retraction by the hash of the retracted
    message, `contradicted` the statements that each statement contradicts, by hash, `redactions` those of messages by
    signed hash and of sources by hash and by name. `endorsers` is filled if the admission mode or a source needs it,
    `policy_seeds` for a source. `probed` has the statements, by hash, that gold labels reveal as probes, `probing` the
    agents that submitted such probes, `judging` the agents that have judged in this batch.
    """

    size: int
    node_agent: str = ""
    place: int = -1
    log_keys: LogKeys | None = None
    keys: dict[str, list[KeyRecord]] = field(default_factory=dict)
    agents: dict[str, str] = field(default_factory=dict)
    receipts: dict[str, Receipt] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
    statements: dict[str, StatementRecord] = field(default_factory=dict)
    statement_ids: dict[str, list[str]] = field(default_factory=dict)
    documents: dict[str, DocumentRecord] = field(default_factory=dict)
    verdicts: dict[str, VerdictRecord] = field(default_factory=dict)
    requests: dict[str, RequestRecord] = field(default_factory=dict)
    contradicted: dict[str, set[str]] = field(default_factory=dict)
    retracted: dict[str, str] = field(default_factory=dict)
    gold_labels: dict[str, GoldRecord] = field(default_factory=dict)
    gold_disputes: dict[str, GoldDisputeRecord] = field(default_factory=dict)
    probes: dict[str, ProbeRecord] = field(default_factory=dict)
    probed: dict[str, ProbedRecord] = field(default_factory=dict)
    probing: set[str] = field(default_factory=set)
    judging: set[str] = field(default_factory=set)
    redactions: dict[str, list[RedactionRecord]] = field(default_factory=dict)
    recovery_hashes: dict[str, str] = field(default_factory=dict)
    deactivated: dict[str, int] = field(default_factory=dict)
    places: dict[datetime, int] = field(default_factory=dict)
    key_events: dict[str, KeyEvent] = field(default_factory=dict)
    admission: AdmissionRecord = AdmissionRecord()
    endorsers: dict[str, set[str]] = field(default_factory=dict)
    policy_seeds: frozenset[str] = frozenset()
    used_invitations: set[str] = field(default_factory=set)
    memberships: dict[str, Membership] = field(default_factory=dict)
    families: set[str] = field(default_factory=set)
    confirmed_versions: dict[str, int] = field(default_factory=dict)
    peer_keys: dict[str, VerifierKey] = field(default_factory=dict)
    last_epoch_part: EpochPart | None = None

    def __post_init__(self) -> None:
        if self.place < 0:
            self.place = self.size

    @property
    def known_families(self) -> Families:
        """The known agents, as versions of families."""
        return Families(self.agents, self.memberships, self.families, self.confirmed_versions)

    def add_membership(self, member: Membership) -> None:
        """Set the membership of its agent, and count it if it is newly confirmed."""
        before = self.memberships.get(member.agent_id)
        self.memberships[member.agent_id] = member
        self.families.add(member.family)
        if member.confirmed and not (before is not None and before.confirmed and before.family == member.family):
            self.confirmed_versions[member.family] = self.confirmed_versions.get(member.family, 0) + 1

    def add_key(self, record: KeyRecord) -> None:
        """Make the key findable by its id, its did:key and its alias."""
        for reference in {record.key_id, record.public_key.did_key, record.alias} - {None}:
            known = self.keys.setdefault(str(reference), [])
            if record not in known:
                known.append(record)

    def add_statement(self, record: StatementRecord) -> None:
        """Make the statement findable by its hash and its id."""
        if record.signed_hash not in self.statements:
            self.statements[record.signed_hash] = record
            self.statement_ids.setdefault(record.statement_id, []).append(record.signed_hash)

    def key_of(self, reference: str, agent_id: str) -> KeyRecord | None:
        """Return the key that `reference` names for this agent; an alias may be claimed by several agents.

        Of several keys of one agent with one alias, it is the one that speaks, else the latest.
        """
        own = [key for key in self.keys.get(reference, ()) if key.agent_id == agent_id]
        if len(own) == 1:
            return own[0]
        return max(own, key=lambda key: (key.speaks_at(self.place), key.valid_from), default=None)

    def retire_key(self, key_id: str) -> None:
        """Record that the message being recorded replaces the key."""
        key = next(iter(self.keys.get(key_id, ())), None)
        if key is not None and key.retired_at is None:
            retired = replace(key, retired_at=self.place)
            for reference in (key.key_id, key.public_key.did_key, key.alias):
                known = self.keys.get(reference or "", [])
                known[:] = [retired if one == key else one for one in known]

    def place_of(self, time: datetime) -> int:
        """Return the first log index received at this time or later; the next one if there is none."""
        return self.places.get(time, self.place)

    def is_answered_for(self, agent_id: str | None) -> bool:
        """Return whether the operator answers for the agent: it is the node, a seed, or endorsed by one of these."""
        if agent_id is None:
            return False
        operators = self.policy_seeds | {self.node_agent}
        return agent_id in operators or bool(self.endorsers.get(agent_id, set()) & operators)

    def registrations_of(self, document: DocumentRecord) -> Sequence[Registrant]:
        """Return the registrations of a document, in the order of the log.

        The node's registrations of records that no other agent signed are left out: they make no agent an owner.
        """
        return [one for one in document.registrants if not (one.of_record and one.agent_id == self.node_agent)]

    def registrants_of(self, document: DocumentRecord) -> Sequence[str]:
        """Return the agents that registered a document, each once, in the order of the log."""
        return tuple(dict.fromkeys(one.agent_id for one in self.registrations_of(document)))

    def right_of(self, document: DocumentRecord, agent_id: str | None) -> Right:
        """Return the right of an agent over the bytes of a document (docs/decisions/0043)."""
        if agent_id is None:
            return Right.NONE
        if self.is_answered_for(agent_id):
            return Right.ANSWERED_FOR
        has_proof = any(one.has_proof for one in document.registrants if one.agent_id == agent_id)
        return Right.PROOF if has_proof else Right.REGISTRATION

    def owner_of(self, document: DocumentRecord) -> str | None:
        """Return the owner of a document among its registrants, None without any (docs/decisions/0043).

        It is the first for which the operator answers, or else the first that proved possession, or else the first.
        """
        known = self.registrations_of(document)
        answered_for = (one.agent_id for one in known if self.is_answered_for(one.agent_id))
        proved = (one.agent_id for one in known if one.has_proof)
        return next(chain(answered_for, proved, (one.agent_id for one in known)), None)

    def class_after(self, document: DocumentRecord, registrant: Registrant) -> Boundary:
        """Return the class of a document once this registrant has stated one: the strictest stated with a right.

        A stranger has no right over the bytes of an agent that the operator answers for, or that proved possession of
        them, nor an agent of a peer over those that an agent of this node registered before. Only the node, for the
        operator, loosens a class: to the strictest that the node and the agents for which the operator answers have
        stated.
        """
        agent_id = registrant.agent_id
        if document.boundary is None:
            return registrant.boundary
        if agent_id == self.node_agent:
            own = (one.boundary for one in self.registrations_of(document) if self.is_answered_for(one.agent_id))
            return strictest(registrant.boundary, *own)
        owner = self.owner_of(replace(document, registrants=(*document.registrants, registrant)))
        if agent_id != owner and not self.is_answered_for(agent_id):
            is_from_peer = owner is not None and origin_of(owner) is None and origin_of(agent_id) is not None
            if is_from_peer or self.right_of(document, owner) >= Right.PROOF:
                return document.boundary
        return strictest(document.boundary, registrant.boundary)

    def holders_of(self, reference: str) -> Sequence[str]:
        """Return the agents for which `reference` names a key."""
        return tuple(key.agent_id for key in self.keys.get(reference, ()))
