"""The reproducibility block (§4.3) and the receipts that echo its hash (§9)."""

from collections.abc import Iterator, Sequence
from typing import Any

from a2ap.packet.canon import match_hash, read_hash, same_hash
from a2ap.packet.document import PacketDocument, text_of
from a2ap.packet.errors import PacketHashError
from a2ap.packet.finding import Finding, Severity
from a2ap.packet.looks import a_moment, a_text, read_moment, texts
from a2ap.packet.member_check import MemberRule, Subject, check_members, check_objects
from a2ap.packet.shown import shown
from a2ap.packet.vocabulary import CANONICALIZER, HashAlgorithm, ReceiptEvent

_DELIVERY = frozenset({ReceiptEvent.DELIVERED, ReceiptEvent.OPENED})
_USE = frozenset({ReceiptEvent.USED, ReceiptEvent.OUTPUT_EMITTED})


def check_reproducibility(packet: Subject, document: PacketDocument) -> Iterator[Finding]:
    """Find members of the block that are missing, are not known, or do not hold."""
    block = packet.members.get("reproducibility")
    if block is None:
        yield packet.say("12-reproducibility", " has no reproducibility", "reproducibility")
    if not isinstance(block, dict):
        return
    subject = packet.inner("reproducibility")
    yield from check_members(subject, _MEMBERS)
    algorithm, canonicalizer = block.get("hash_algorithm"), block.get("canonicalizer_version")
    if isinstance(algorithm, str) and algorithm not in frozenset(HashAlgorithm):
        words = f": hash_algorithm is {shown(algorithm)}, which is not known here"
        yield subject.say("4.3-hash_algorithm", words, "hash_algorithm")
    if isinstance(canonicalizer, str) and canonicalizer != CANONICALIZER:
        words = f": canonicalizer_version is {shown(canonicalizer)}, which is not known here"
        yield subject.say("4.3-canonicalizer_version", words, "canonicalizer_version")
    if block.get("source_state_refs") == []:
        words = " names no state that it was assembled from"
        yield subject.say("4.3-source_state_refs", words, "source_state_refs")
    if text_of(block, "packet_hash") is not None:
        yield from _check_hash(subject, document, algorithm)


def check_receipts(packet: Subject, records: Sequence[Any]) -> Iterator[Finding]:
    """Find receipts that are incomplete or of another packet; `records` are the members of receipts beside it."""
    if packet.members.get("receipts") is None and not records:
        yield packet.say("4.1-receipts", " has no receipts, and none were given beside it", "receipts")
    yield from check_objects(packet, "receipts", "9")
    stated = packet.inner("reproducibility").members.get("packet_hash")
    made = read_moment(packet.members.get("created_at"))
    beside = Subject("", "", {"records": list(records)}).list_of("records", "receipt", "receipt_id")
    receipts = [one for _, one in (*packet.list_of("receipts", "receipt", "receipt_id"), *beside)]
    seen: set[str] = set()
    for receipt in receipts:
        yield from check_members(receipt, _RECEIPT)
        event, own = text_of(receipt.members, "event"), text_of(receipt.members, "receipt_id")
        if event is not None and event not in frozenset(ReceiptEvent):
            yield receipt.say("9-event", f": event is {shown(event)}, none of those in the text", "event")
        if own is not None and own in seen:
            yield receipt.say("9-order", " has the id of another receipt", "receipt_id")
        seen.update(() if own is None else (own,))
        at = read_moment(receipt.members.get("at"))
        if at is not None and made is not None and at < made:
            yield receipt.say("9-order", " is older than its packet", "at")
        yield from _check_echo(receipt, stated)
    if not receipts:
        # §18-5 asks for receipts that are really there; §9 weakens only those of delivery and use, which come later.
        yield packet.say("9-hash", " has no receipt that echoes its hash, and none was given beside it", "receipts")
    yield from _check_log(packet, receipts)


_MEMBERS = (
    MemberRule("packet_hash", a_text, "4.3-packet_hash"),
    MemberRule("hash_algorithm", a_text, "4.3-hash_algorithm"),
    MemberRule("canonicalizer_version", a_text, "4.3-canonicalizer_version"),
    MemberRule("generator_version", a_text, "4.3-generator_version"),
    MemberRule("source_state_refs", texts, "4.3-source_state_refs"),
)
_RECEIPT = (
    MemberRule("receipt_id", a_text, "9", "9"),
    MemberRule("event", a_text, "9", "9"),
    MemberRule("at", a_moment, "9", "9"),
    MemberRule("by", a_text, "9", "9"),
    MemberRule("observability_ref", a_text, "9-observability", "9"),
    MemberRule("packet_hash", a_text, "9-hash", "9"),
)


def _check_hash(subject: Subject, document: PacketDocument, algorithm: Any) -> Iterator[Finding]:
    stated = document.packet_hash
    if read_hash(stated) is None:
        words = f": packet_hash is {shown(stated)}, which is no hash of 64 digits"
        yield subject.say("4.3-packet_hash", words, "packet_hash")
        return
    try:
        match = match_hash(document)
    except PacketHashError:
        match = None
    if match is None:
        yield subject.say("4.3-packet_hash", ": packet_hash is not that of the packet", "packet_hash")
    elif not match.is_ours:
        # The text defines no domain, so that another's reading of it is no fault.
        words = f": packet_hash is {match.algorithm} over another domain than ours, {match.domain}"
        yield subject.say("4.3-packet_hash", words, "packet_hash", Severity.WARNING)
    elif isinstance(algorithm, str) and algorithm in frozenset(HashAlgorithm) and algorithm != match.algorithm:
        words = f": hash_algorithm is {algorithm}, and packet_hash is {match.algorithm}"
        yield subject.say("4.3-hash_algorithm", words, "hash_algorithm")


def _check_echo(receipt: Subject, stated: Any) -> Iterator[Finding]:
    echoed = text_of(receipt.members, "packet_hash")
    if echoed is not None and not same_hash(echoed, stated):
        of = shown(stated) if isinstance(stated, str) else "a packet without a hash"
        yield receipt.say("9-hash", f": packet_hash is {shown(echoed)}, and the packet is {of}", "packet_hash")


def _check_log(packet: Subject, receipts: Sequence[Subject]) -> Iterator[Finding]:
    events = {text_of(one.members, "event") for one in receipts}
    if not events & _DELIVERY:
        yield packet.say("9-log", " has no receipt of its delivery", "receipts")
    if not events & _USE:
        yield packet.say("9-log", " has no receipt of its use", "receipts")
