"""Two packets, one after the other, and a receipt, a return and a disposition of the first, with everything in them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from builders import agent_id, agent_key, key_id, signed_record

from a2ap.boundary import Boundary, Use
from a2ap.messages.message import read_message
from a2ap.messages.record_registration import RecordFormat
from a2ap.packet.building import write_packet
from a2ap.packet.document import read_document
from a2ap.packet.packet import (
    Exclusion,
    Governor,
    Item,
    Lineage,
    OpenLoop,
    Packet,
    Producer,
    Provenance,
    Recipient,
    Reproducibility,
    Scope,
)
from a2ap.packet.records import (
    Output,
    PacketDisposition,
    PacketReceipt,
    PacketReturn,
    Proposal,
    ProposalAction,
    write_record,
)
from a2ap.packet.vocabulary import (
    BranchStatus,
    Degree,
    EpistemicStatus,
    GovernorMode,
    Kind,
    Outcome,
    ProducerType,
    PromotionState,
    Trust,
)
from graph.submission.submission import Submission

AT = "2026-07-04T16:00:00Z"
STATE = f"a2ap-log:urn:agent:log@7#{'0' * 64}"


def item(number: int, source: str, **changes: object) -> Item:
    values: dict[str, object] = {
        "item_id": f"itm_{number}",
        "kind": Kind.FACT,
        "content": "The height limit stays.",
        "epistemic_status": EpistemicStatus.SUPERSEDED,
        "promotion_state": PromotionState.SUPERSEDED,
        "confidence": Degree.MEDIUM,
        "stakes": Degree.LOW,
        "provenance": Provenance(source, "agent:urn:agent:author", AT, Trust.AGENT_GENERATED),
        "supersedes": "obj:1",
        "superseded_by": "obj:3",
        "boundary": Boundary.PUBLIC,
        "branch_status": BranchStatus.BRANCH,
    }
    return Item(**{**values, **changes})  # type: ignore[arg-type]


def packet(
    number: int,
    statement_hash: str,
    document_hash: str,
    supersedes: str | None = None,
    signer: int | None = None,
    **changes: Any,
) -> bytes:
    """Return a packet with an item about a statement and one about a document, which an agent may have signed.

    `changes` are of its members.
    """
    usual = Packet(
        packet_id=f"cpk_world_{number}",
        created_at=AT,
        producer=Producer("urn:agent:assembler", ProducerType.ASSEMBLER, "1"),
        governor=Governor("urn:agent:assembler", "policy_engine", "1", GovernorMode.ENFORCE),
        recipient=Recipient("urn:agent:reader", "agent"),
        purpose="Write a summary.",
        task_ref="urn:task:1",
        packet_type="research",
        scope=Scope("ws", Boundary.PUBLIC, "project", "2026-07-05T16:00:00Z", tuple(Use)[:1], tuple(Use)[1:]),
        lineage=Lineage((STATE,), supersedes, "query:1"),
        reproducibility=Reproducibility(generator_version="test/1", source_state_refs=(STATE,)),
        items=(
            item(1, f"a2ap-statement:{statement_hash}"),
            item(2, f"a2ap-document:{document_hash}"),
        ),
        open_loops=(OpenLoop("olp_1", "Is it so?"),),
        exclusions=(Exclusion("boundary", Boundary.PRIVATE, 1),),
        ext={"a2ap.conformance_level": "CP-Core", "a2ap.promoters": ["urn:agent:promoter"]},
    )
    return write_packet(
        replace(usual, **changes),
        key=None if signer is None else agent_key(signer),
        key_id=None if signer is None else key_id(signer),
    )


def records_of(content: bytes, seed: int, said: str = "The limit stays.") -> list[bytes]:
    """Return a receipt, a return and a disposition of a packet, signed by an agent; the return says `said`."""
    document = read_document(content)
    own, stated, by = document.packet_id or "", document.packet_hash or "", f"agent:{agent_id(seed)}"
    proposal = Proposal("prop_1", ProposalAction.APPEND, said)
    output = Output("out_1", "summary", said)
    records = (
        PacketReceipt("rcp_world", "delivered", AT, by, own, stated, "trace:1"),
        PacketReturn("ret_world", own, stated, AT, by, (output,), (proposal,), None, "trace:1"),
        PacketDisposition(
            "dsp_world", own, Outcome.PROMOTED, AT, "human:clerk", STATE, stated, "ret_world", "prop_1", "It is so."
        ),
    )
    return [write_record(record, key=agent_key(seed), key_id=key_id(seed)) for record in records]


def packet_submissions(
    seed: int, statement_hash: str, document_hash: str, boundary: Boundary = Boundary.PUBLIC
) -> list[Submission]:
    """Return the packets and records as an agent registers them."""
    first = packet(1, statement_hash, document_hash)
    second = packet(2, statement_hash, document_hash, "cpk_world_1", seed)
    receipt, returned, disposition = records_of(first, seed)
    contents: Sequence[tuple[RecordFormat, bytes]] = (
        (RecordFormat.PACKET, first),
        (RecordFormat.PACKET, second),
        (RecordFormat.RECEIPT, receipt),
        (RecordFormat.RETURN, returned),
        (RecordFormat.DISPOSITION, disposition),
    )
    return [
        Submission(
            read_message(signed_record(seed, content=content, format=format, boundary=boundary)), blobs=(content,)
        )
        for format, content in contents
    ]
