"""Records about packets, each a document of its own that echoes the packet's hash: receipts, returns, dispositions.

The text shows receipts inside a packet and has no format for the other two, while a packet is immutable and most of its
receipts come after it. So each is a record by itself, with the names of the text if it has some, signed like
a packet. A record is the word of its author: that a return was promoted is true because of the agent that signed it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from a2ap.boundary import Boundary
from a2ap.errors import JsonTextError
from a2ap.json_text import read_json, write_json
from a2ap.packet.document import text_problem
from a2ap.packet.errors import PacketFormError, PacketTextError
from a2ap.packet.looks import read_moment
from a2ap.packet.packet import DataContent, Extensions, OpenLoop
from a2ap.packet.shown import shown
from a2ap.packet.signature import Signature, sign_members, verify_members
from a2ap.packet.vocabulary import Degree, EpistemicStatus, Kind, Outcome
from a2ap.packet.wire import read_members, wire_members
from a2ap.signing.keys import PublicKey, Signer

RECEIPT_SPEC = "a2ap-packet-receipt/1"
RETURN_SPEC = "a2ap-packet-return/1"
DISPOSITION_SPEC = "a2ap-packet-disposition/1"


class ProposalAction(StrEnum):
    """The effect of a proposal on durable memory, if it is promoted; none overwrites or deletes (§11)."""

    APPEND = "append"
    CORRECT = "correct"
    SUPERSEDE = "supersede"
    CONTEST = "contest"
    CLOSE_LOOP = "close_loop"


@dataclass(frozen=True, slots=True)
class PacketReceipt:
    """An event of a packet (§9)."""

    receipt_id: str
    event: str
    at: str
    by: str
    packet_id: str
    packet_hash: str
    observability_ref: str | None = None
    ext: Extensions = field(default_factory=dict)
    spec: str = RECEIPT_SPEC


@dataclass(frozen=True, slots=True)
class Output:
    """An output of a consumer; `type` is a word of `expected_outputs`, and `ref` says where it is kept."""

    output_id: str
    type: str
    content: str | DataContent | None = None
    ref: str | None = None
    boundary: Boundary | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """An update of durable memory that a consumer proposes: authority to propose is not authority to write (§11)."""

    proposal_id: str
    action: ProposalAction
    content: str | DataContent
    target: str | None = None
    kind: Kind | None = None
    epistemic_status: EpistemicStatus | None = None
    confidence: Degree | None = None
    boundary: Boundary | None = None


@dataclass(frozen=True, slots=True)
class PacketReturn:
    """The return of a packet's consumer; `observability_ref` is the trace of its run."""

    return_id: str
    packet_id: str
    packet_hash: str
    at: str
    by: str
    outputs: tuple[Output, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    open_loops: tuple[OpenLoop, ...] | None = None
    observability_ref: str | None = None
    ext: Extensions = field(default_factory=dict)
    spec: str = RETURN_SPEC


@dataclass(frozen=True, slots=True)
class PacketDisposition:
    """The outcome of a return, or of one proposal in it; `result_state` is the state of the substrate after it."""

    disposition_id: str
    from_packet: str
    outcome: Outcome
    at: str
    by: str
    result_state: str
    packet_hash: str | None = None
    return_id: str | None = None
    proposal: str | None = None
    reason: str | None = None
    ext: Extensions = field(default_factory=dict)
    spec: str = DISPOSITION_SPEC


PacketRecord = PacketReceipt | PacketReturn | PacketDisposition

_KINDS: dict[str, type[PacketReceipt] | type[PacketReturn] | type[PacketDisposition]] = {
    RECEIPT_SPEC: PacketReceipt,
    RETURN_SPEC: PacketReturn,
    DISPOSITION_SPEC: PacketDisposition,
}


@dataclass(frozen=True, slots=True, eq=False)
class RecordDocument:
    """A record as it was received, and as a value."""

    data: bytes
    members: dict[str, Any]
    value: PacketRecord


def read_record(data: bytes) -> RecordDocument:
    """Read the bytes of a receipt, return or disposition. Raises PacketTextError and PacketFormError."""
    try:
        members = read_json(data)
    except JsonTextError as error:
        raise PacketTextError(text_problem(error)) from error
    spec = members.get("spec")
    kind = _KINDS.get(spec) if isinstance(spec, str) else None
    if kind is None:
        raise PacketFormError(f"spec is {shown(spec)}, not one of {', '.join(_KINDS)}")
    value: PacketRecord = read_members(kind, members)
    if read_moment(value.at) is None:
        raise PacketFormError(f"at is {shown(value.at)}, not an ISO 8601 time")
    for name in (
        "receipt_id",
        "return_id",
        "disposition_id",
        "packet_id",
        "from_packet",
        "by",
        "event",
        "result_state",
    ):
        if isinstance(text := getattr(value, name, None), str) and not text.strip():
            raise PacketFormError(f"{name} is empty")
    return RecordDocument(data, members, value)


def write_record(record: PacketRecord, *, key: Signer | None = None, key_id: str | None = None) -> bytes:
    """Return the bytes of a record, signed if a key is given, after reading them as any reader would.

    Raises PacketFormError if they are not a record, and ValueError for a key without its id.
    """
    members: Mapping[str, Any] = {"spec": record.spec, **wire_members(record)}
    if key is not None:
        if key_id is None:
            raise ValueError("a key signs under an id")
        members = sign_members(members, key, key_id)
    try:
        return read_record(write_json(dict(members))).data
    except (ValueError, TypeError, RecursionError) as error:
        raise PacketFormError(f"the record cannot be written as JSON: {error}") from error


def verify_record(record: RecordDocument, key: PublicKey) -> Signature:
    """Return the signature of a record if this key made it; raises PacketSignatureError otherwise."""
    return verify_members(record.members, key)
