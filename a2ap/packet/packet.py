"""The parts of a Context Packet as values, named as on the wire, for making and for reading packets.

`None` is a member that is not there, and `()` a list that is there and empty. Times and dates are texts.
A value has only the members of the text: further members of a received packet are in its document.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from a2ap.boundary import Boundary, Use
from a2ap.packet.vocabulary import (
    CANONICALIZER,
    SPEC,
    BranchStatus,
    Degree,
    EpistemicStatus,
    GovernorMode,
    HashAlgorithm,
    Kind,
    ProducerType,
    PromotionState,
    StalenessPolicy,
    Trust,
)

Extensions = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Producer:
    """The assembler of a packet (§4.1)."""

    id: str
    type: ProducerType
    version: str | None = None


@dataclass(frozen=True, slots=True)
class Governor:
    """The governor that applied boundaries, confidence, promotion and escalation (§4.1)."""

    id: str | None
    type: str | None = None
    version: str | None = None
    mode: GovernorMode | None = None


@dataclass(frozen=True, slots=True)
class Recipient:
    """The recipient of a packet; `type` is an open word, `human` and `agent` among them (§4.1)."""

    id: str
    type: str
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """The workspace, boundary ceiling, expiry and permitted uses of a packet (§4.1)."""

    workspace: str
    boundary_ceiling: Boundary
    project: str | None = None
    expires_at: str | None = None
    allowed_use: tuple[Use, ...] | None = None
    disallowed_use: tuple[Use, ...] | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    """The size that a packet was held to (§4.1)."""

    max_items: int | None = None
    approx_tokens: int | None = None
    compression: str | None = None


@dataclass(frozen=True, slots=True)
class Lineage:
    """The references and the query from which a packet was assembled, and the packet that it supersedes (§4.1)."""

    assembled_from: tuple[str, ...]
    supersedes_packet: str | None = None
    assembly_query_ref: str | None = None


@dataclass(frozen=True, slots=True)
class Reproducibility:
    """The hash and the states that show which state was delivered (§4.3)."""

    packet_hash: str | None = None
    hash_algorithm: str | None = HashAlgorithm.BLAKE2B_256
    canonicalizer_version: str | None = CANONICALIZER
    generator_version: str | None = None
    source_state_refs: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class TemporalPolicy:
    """The moment that a packet reflects, and the policy for when it is past (§4.1)."""

    assembled_as_of: str | None = None
    freshness_required: bool | None = None
    staleness_policy: StalenessPolicy | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of an item; `author` begins with `human:`, `agent:`, `system:`, `org:` or `unknown:` (§5.1)."""

    source: str
    author: str
    recorded_at: str
    trust: Trust


@dataclass(frozen=True, slots=True)
class ValidTime:
    """The period in which a claim applies; a missing end is open (§5.1)."""

    from_: str | None = None
    to: str | None = None


@dataclass(frozen=True, slots=True)
class DataContent:
    """Content that is data: words of others, quoted (§5.3), or an artifact by its address (§5.1), or both."""

    quoted_data: str | None = None
    interpretation: str | None = None
    uri: str | None = None
    media_type: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One unit of content with the conditions under which it may be trusted and used (§5)."""

    item_id: str
    kind: Kind
    content: str | DataContent
    epistemic_status: EpistemicStatus
    confidence: Degree
    provenance: Provenance
    boundary: Boundary
    promotion_state: PromotionState | None = None
    stakes: Degree | None = None
    valid_time: ValidTime | None = None
    supersedes: str | None = None
    superseded_by: str | None = None
    reopen_conditions: str | None = None
    branch_status: BranchStatus | None = None
    use_guidance: str | None = None
    ext: Extensions = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """A matter that is undecided, blocked, contested or waiting (§7)."""

    loop_id: str | None
    question: str
    blocked_by: str | None = None
    last_movement: str | None = None
    stakes: Degree | None = None
    owner: str | None = None
    next_action: str | None = None


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Excluded content and the reason, without disclosing the content (§8)."""

    reason: str
    boundary: Boundary | None = None
    count: int | None = None
    escalation_path: str | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """An event of a packet, as an entry in it (§9); as a record by itself it is `records.PacketReceipt`."""

    receipt_id: str
    event: str
    at: str
    by: str
    observability_ref: str | None = None
    packet_hash: str | None = None


@dataclass(frozen=True, slots=True)
class ReturnContract:
    """The returns that a recipient may make (§11)."""

    may_propose_memory_updates: bool | None = None
    promotion_required: bool | None = None
    promotion_target: str | None = None
    requires_human_review: bool | None = None
    trace_required: bool | None = None
    expected_outputs: tuple[str, ...] | None = None
    forbidden_outputs: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Packet:
    """A Context Packet (§4)."""

    packet_id: str
    created_at: str
    producer: Producer
    recipient: Recipient
    purpose: str
    scope: Scope
    lineage: Lineage
    items: tuple[Item, ...]
    governor: Governor | None = None
    task_ref: str | None = None
    packet_type: str | None = None
    budget: Budget | None = None
    reproducibility: Reproducibility | None = None
    temporal_policy: TemporalPolicy | None = None
    open_loops: tuple[OpenLoop, ...] | None = None
    exclusions: tuple[Exclusion, ...] | None = None
    receipts: tuple[Receipt, ...] | None = None
    return_contract: ReturnContract | None = None
    ext: Extensions = field(default_factory=dict)
    spec: str = SPEC
