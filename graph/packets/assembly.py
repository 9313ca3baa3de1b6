"""Makes a packet of a selection: a pure function of the order, the selection, the assembler and the time."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from a2ap.boundary import UseTerms
from a2ap.canonical import canonicalize
from a2ap.packet.authority import PROMOTERS
from a2ap.packet.packet import (
    Budget,
    Governor,
    Item,
    Lineage,
    Packet,
    Producer,
    Recipient,
    Reproducibility,
    ReturnContract,
    Scope,
    TemporalPolicy,
)
from a2ap.packet.vocabulary import ExclusionReason, GovernorMode, Level, ProducerType, StalenessPolicy
from a2ap.packet.wire import wire_members
from a2ap.times import format_instant
from graph.errors import NotFoundError
from graph.packets.candidates import Candidate, Exclusions, admitted, candidates_of, fitting
from graph.packets.facts import Selection
from graph.packets.loops import open_loops
from graph.packets.order import PacketOrder

GENERATOR = "a2ap-assembler/0.1.0"
ORDERED_BY = "a2ap.ordered_by"
"""The member of a packet's `ext` that names the reader that ordered it."""
PROMOTION_TARGET = "a2ap-packet-returns"
"""The destination of proposals: `POST /packet-records` of the node that assembled the packet."""

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ID_LENGTH = 26


def assemble(
    order: PacketOrder, selection: Selection, assembler: str, now: datetime, ordered_by: str | None = None
) -> Packet:
    """Return the packet for an order from a selection; `assembler` is the agent id of the node.

    `ordered_by` names the reader that ordered it (`graph.services.packet_assembly.name_of_reader`). Raises
    `NotFoundError` if no item may be in the packet.
    """
    exclusions = Exclusions()
    statements = admitted(selection, order, exclusions)
    candidates = candidates_of(order, selection, statements, now, exclusions)
    kept = fitting(candidates, order, exclusions)
    if not kept:
        counted = ", ".join(f"{one.count} {one.reason}" for one in exclusions.listed()) or "nothing was found"
        raise NotFoundError(f"no item may be in the packet: {counted}")
    exclusions.add(ExclusionReason.TOKEN_BUDGET, count=selection.verdicts_not_read)
    included = {one.statement for one in kept}
    packet = Packet(
        packet_id="cpk_",
        created_at=format_instant(now),
        producer=Producer(assembler, ProducerType.ASSEMBLER, GENERATOR),
        governor=Governor(assembler, "policy_engine", selection.state.policy_version, GovernorMode.ENFORCE),
        recipient=Recipient(order.recipient, order.recipient_type, order.session),
        purpose=order.purpose,
        task_ref=order.task or order.reference,
        packet_type=order.packet_type,
        scope=_scope(order, selection, now),
        budget=Budget(order.max_items, order.max_tokens, "behavior_relevant"),
        lineage=Lineage((selection.state.reference,), order.supersedes, order.reference),
        reproducibility=Reproducibility(
            generator_version=GENERATOR,
            source_state_refs=(selection.state.reference, f"a2ap-policy:{selection.state.policy_hash}"),
        ),
        temporal_policy=TemporalPolicy(format_instant(now), True, StalenessPolicy.REVALIDATE_BEFORE_ACTION),
        items=_numbered(kept, [one.signed_hash for one in statements]),
        open_loops=open_loops(selection, [one for one in statements if one.signed_hash in included], order.stakes),
        exclusions=exclusions.listed(),
        return_contract=_contract(order),
        ext={
            "a2ap.conformance_level": str(Level.AUDITED if order.audited else Level.GOVERNED),
            "a2ap.order": order.members,
            **({ORDERED_BY: ordered_by} if ordered_by is not None else {}),
            **({PROMOTERS: list(order.promoters)} if order.promoters else {}),
            "a2ap.checkpoint": selection.state.checkpoint,
        },
    )
    return replace(packet, packet_id=id_of(wire_members(packet)))


def id_of(members: Mapping[str, Any]) -> str:
    """Return the id derived from a packet's own content: packets that differ in anything have different ids."""
    number = int.from_bytes(sha256(canonicalize({**members, "packet_id": ""})).digest()) >> (256 - 5 * _ID_LENGTH)
    digits = (number >> 5 * place & 31 for place in reversed(range(_ID_LENGTH)))
    return "cpk_" + "".join(_CROCKFORD[digit] for digit in digits)


def _numbered(kept: Sequence[Candidate], order: Sequence[str]) -> tuple[Item, ...]:
    """Return the items with their ids; those about one statement stand together."""
    places = {name: place for place, name in enumerate(order)}
    ordered = sorted(kept, key=lambda one: (places[one.statement], one.place))
    return tuple(replace(one.item, item_id=f"itm_{number:03}") for number, one in enumerate(ordered, 1))


def _scope(order: PacketOrder, selection: Selection, now: datetime) -> Scope:
    terms = UseTerms.up_to(order.use)
    return Scope(
        workspace=order.workspace or selection.state.origin,
        boundary_ceiling=order.ceiling,
        project=order.project,
        expires_at=format_instant(now + timedelta(seconds=order.seconds)),
        allowed_use=terms.allowed,
        disallowed_use=terms.disallowed,
    )


def _contract(order: PacketOrder) -> ReturnContract:
    return ReturnContract(
        may_propose_memory_updates=True,
        promotion_required=True,
        promotion_target=PROMOTION_TARGET,
        requires_human_review=order.requires_review,
        trace_required=order.audited,
        # Each of these has to come back, or the loop stays open; a list of open questions may be empty.
        expected_outputs=("summary", "memory_update_proposals", "open_questions"),
        forbidden_outputs=("silent_memory_write", "credential_request"),
    )
