"""Passes a packet on: a new packet with an id and hash of its own, as protected as before or more (§6-3).

Items, open loops and the return contract are passed on unchanged, quoted data quoted. Items left out under the lower
ceiling are counted in the exclusions, and everything that may tell of them is left out too
(`graph.packets.left_behind`); the allowed use and the time of expiry only shrink. Signature and receipts of the packet
are not passed on: they belong to the original, which `lineage.assembled_from` names.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from a2ap.boundary import Boundary, Use, UseTerms
from a2ap.packet.authority import Origin, check_origin
from a2ap.packet.building import seal_packet
from a2ap.packet.canon import packet_hash
from a2ap.packet.check_packet import check_packet
from a2ap.packet.document import Members, PacketDocument, open_document, part_of
from a2ap.packet.errors import PacketAuthorityError
from a2ap.packet.extensions import is_namespaced, local_mappings, local_name, mappings_of, read_boundary
from a2ap.packet.looks import read_moment
from a2ap.packet.packet import Producer, Recipient
from a2ap.packet.signature import SIGNATURE
from a2ap.packet.vocabulary import ORDER, ExclusionReason, Level, ProducerType
from a2ap.packet.wire import wire_members
from a2ap.times import format_instant
from graph.errors import InputError
from graph.packets.assembly import GENERATOR, id_of
from graph.packets.left_behind import loops_of, words_of_ext
from graph.packets.terms import terms_of

CLAIM_NAME = "conformance_level"
CLAIM = f"a2ap.{CLAIM_NAME}"


@dataclass(frozen=True, slots=True)
class Forwarding:
    """The forwarder and recipient of a packet, and its narrower limits: None leaves a limit unchanged."""

    forwarder: str
    recipient: str
    recipient_type: str = "agent"
    purpose: str | None = None
    ceiling: Boundary | None = None
    use: Use | None = None
    seconds: int | None = None


def forward(document: PacketDocument, forwarding: Forwarding, now: datetime, origin: Origin | None) -> dict[str, Any]:
    """Return the members of the forwarded packet, without its hash.

    `origin` is the proven origin of the packet: if neither its producer nor its governor signed it, the governor that
    it names is unproven and is not passed on. None forwards the packet by the letter of the specification. Raises
    `InputError` for a packet whose signature or hash does not hold, that does not conform to CP-Core, that has expired,
    or of which no item is left.
    """
    if origin is not None and origin.problem is not None:
        raise InputError(f"the packet is not passed on: {origin.problem}")
    if check_packet(document, by_letter=origin is None).level is None:
        raise InputError("the packet does not conform to CP-Core, and is not passed on")
    members = document.members
    mappings = mappings_of(members)
    ceiling = _ceiling(members["scope"], mappings, forwarding)
    kept, left_out, counts = [], list[Members](), Counter[Boundary]()
    for item in document.items:
        boundary = _class_of(item, mappings)
        sensitive = boundary is Boundary.SAFETY_SENSITIVE and forwarding.recipient_type != "human"
        if boundary.rank > ceiling.rank or sensitive:
            left_out.append(item)
            counts[boundary] += 1
        else:
            kept.append(item)
    if not kept:
        raise InputError(f"no item of the packet is {ceiling} or below")
    producer = Producer(forwarding.forwarder, ProducerType.AGENT, GENERATOR)
    ext: Members = {name: value for name, value in document.part("ext").items() if name not in (SIGNATURE, CLAIM)}
    passed_on = frozenset(members) - {"receipts", "ext"}
    if left_out or ceiling is not _own_ceiling(members["scope"], mappings):
        # A text without a member for its class may be about anything that was under the old ceiling.
        ext, passed_on = words_of_ext(ext), passed_on & frozenset(ORDER)
    if origin is not None and not _is_vouched(document, origin):
        passed_on -= {"governor"}
    loops, withheld = loops_of(document.parts("open_loops"), kept, left_out)
    if withheld:
        counts[max(counts)] += withheld
    passed: dict[str, Any] = {
        **{name: value for name, value in members.items() if name in passed_on},
        "packet_id": "",
        "created_at": format_instant(now),
        "producer": wire_members(producer),
        "recipient": wire_members(Recipient(forwarding.recipient, forwarding.recipient_type)),
        "purpose": forwarding.purpose or members["purpose"],
        "scope": _scope(document, forwarding, ceiling, now),
        "lineage": _lineage(document),
        "items": kept,
        **({} if members.get("open_loops") is None else {"open_loops": loops}),
        "exclusions": [*(members.get("exclusions") or ()), *_exclusions(counts)],
        **({"ext": ext} if ext else {}),
    }
    if document.part("reproducibility"):
        block = {name: value for name, value in document.part("reproducibility").items() if name != "packet_hash"}
        passed["reproducibility"] = {**block, "generator_version": GENERATOR}
    passed = _with_claims_that_hold(passed)
    return {**passed, "packet_id": id_of(passed)}


def _is_vouched(document: PacketDocument, origin: Origin) -> bool:
    try:
        check_origin(document, origin)
    except PacketAuthorityError:
        return False
    return True


def _with_claims_that_hold(passed: dict[str, Any]) -> dict[str, Any]:
    """Return the members with every level that they claim, under any name, lowered to the level that they reach."""
    named = {**passed, "packet_id": id_of(passed)}
    level = check_packet(open_document(seal_packet(named))).level

    def lowered(members: Members) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in members.items():
            if local_name(name) == CLAIM_NAME and isinstance(value, str):
                claimed = next((one for one in Level if one == value), None)
                if claimed is None or level is None:
                    continue
                value = min(claimed, level, key=lambda one: one.rank).value
            elif isinstance(value, dict) and not is_namespaced(name):
                value = lowered(value)
            found[name] = value
        return found

    claims = {name: value for name, value in passed.items() if local_name(name) == CLAIM_NAME}
    kept = {name: value for name, value in passed.items() if name not in claims}
    ext = lowered(part_of(passed, "ext"))
    return {**kept, **lowered(claims), **({"ext": ext} if ext else {})}


def _own_ceiling(scope: Members, mappings: dict[str, str]) -> Boundary:
    own = read_boundary(scope.get("boundary_ceiling"), mappings)
    assert own is not None  # CP-Core has one
    return own


def _ceiling(scope: Members, mappings: dict[str, str], forwarding: Forwarding) -> Boundary:
    own = _own_ceiling(scope, mappings)
    if forwarding.ceiling is None or forwarding.ceiling.rank > own.rank:
        return own
    return forwarding.ceiling


def _class_of(item: Members, mappings: dict[str, str]) -> Boundary:
    found = read_boundary(item.get("boundary"), {**mappings, **local_mappings(item.get("ext"))})
    assert found is not None  # CP-Core has one
    return found


def _scope(document: PacketDocument, forwarding: Forwarding, ceiling: Boundary, now: datetime) -> dict[str, Any]:
    scope = dict(document.part("scope"))
    before = terms_of(document)
    terms = before.restricted_to(forwarding.use or before.highest or Use.READ_ONLY)
    ends = read_moment(scope.get("expires_at"))
    if ends is not None and ends <= now:
        raise InputError("the packet has expired, and is not passed on")
    wanted = None if forwarding.seconds is None else now + timedelta(seconds=forwarding.seconds)
    if wanted is not None and (ends is None or wanted < ends):
        scope["expires_at"] = format_instant(wanted)
    return {**scope, "boundary_ceiling": ceiling.value, **_use_lists(before, terms, scope)}


def _use_lists(before: UseTerms, terms: UseTerms, scope: Members) -> dict[str, list[str]]:
    # Prohibitions by local words stay as they are: whoever knows them is bound by them.
    local = [word for word in scope.get("disallowed_use") or () if word not in tuple(Use)]
    disallowed = dict.fromkeys([*(terms.disallowed or ()), *(before.disallowed or ())])
    return {
        "allowed_use": [use.value for use in terms.allowed or ()],
        "disallowed_use": [*(use.value for use in disallowed), *local],
    }


def _lineage(document: PacketDocument) -> dict[str, Any]:
    lineage = {name: value for name, value in document.part("lineage").items() if name != "supersedes_packet"}
    stated = document.packet_hash or packet_hash(document.members)
    sources = [*lineage["assembled_from"], document.packet_id, stated]
    return {**lineage, "assembled_from": list(dict.fromkeys(sources))}


def _exclusions(counts: Mapping[Boundary, int]) -> list[dict[str, Any]]:
    return [
        {"reason": ExclusionReason.BOUNDARY.value, "boundary": boundary.value, "count": count}
        for boundary, count in sorted(counts.items(), key=lambda entry: entry[0].rank)
    ]
