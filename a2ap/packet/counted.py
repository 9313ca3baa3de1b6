"""The packets and records of a thread that count: those that come from an agent with the role that they need.

Other documents neither close a loop nor open one, and are remarks with the reason (`a2ap.packet.authority`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from a2ap.packet.authority import Governance, Speaker, check_record, check_successor, check_voucher
from a2ap.packet.canon import same_hash
from a2ap.packet.closure_links import label_of
from a2ap.packet.document import PacketDocument, text_of
from a2ap.packet.errors import PacketAuthorityError
from a2ap.packet.integrity import own_hash
from a2ap.packet.records import PacketDisposition, PacketReturn, RecordDocument
from a2ap.packet.shown import shown
from a2ap.packet.thread import Members, Thread, successors

_MAX_REMARKS = 50


@dataclass(frozen=True, slots=True)
class SignedPacket:
    """A packet, and the agent whose key signed it, None without a signature that holds."""

    document: PacketDocument
    speaker: Speaker | None


@dataclass(frozen=True, slots=True)
class SignedRecord:
    """A receipt, return or disposition, and the agent whose key signed it, None without a signature that holds."""

    document: RecordDocument
    speaker: Speaker | None


@dataclass(frozen=True, slots=True)
class Counted:
    """The counted documents of a thread, the pairs of packets that follow, as positions, and remarks on the rest."""

    thread: Thread
    packets: tuple[SignedPacket, ...]
    following: tuple[tuple[int, int], ...]
    returns: dict[str, tuple[PacketReturn, ...]]
    remarks: tuple[str, ...]


def count(packets: Sequence[SignedPacket], records: Iterable[SignedRecord], governance: Governance) -> Counted:
    """Return the packets that count, in their order, and the records that count."""
    kept, following, remarks = _packets_counted(packets, governance)
    by_kind: dict[str, dict[str, list[Members]]] = {"receipt": {}, "return": {}, "disposition": {}}
    values: dict[str, dict[str, PacketReturn]] = {}
    for record in records:
        packet = _packet_of(record, kept)
        kind, name = _name_of(record)
        if packet is None:
            remarks.append(f"the {kind} {name} is about no packet that is counted here")
            continue
        try:
            check_record(packet.document, record.document.value, record.speaker, governance)
        except PacketAuthorityError as error:
            remarks.append(f"the {kind} {name} does not count: {error}")
            continue
        about = packet.document.packet_id or ""
        by_kind[kind].setdefault(about, []).append(record.document.members)
        if isinstance(record.document.value, PacketReturn):
            values.setdefault(about, {})[repr(record.document.members)] = record.document.value
    thread = Thread(
        tuple(one.document for one in kept),
        receipts=_frozen(by_kind["receipt"]),
        returns=_frozen(by_kind["return"]),
        dispositions=_frozen(by_kind["disposition"]),
    )
    if len(remarks) > _MAX_REMARKS:
        remarks[_MAX_REMARKS:] = [f"{len(remarks) - _MAX_REMARKS} more documents do not count"]
    returns = {about: tuple(found.values()) for about, found in values.items()}
    return Counted(thread, tuple(kept), following, returns, tuple(remarks))


def _frozen(found: dict[str, list[Members]]) -> dict[str, tuple[Members, ...]]:
    return {about: tuple(records) for about, records in found.items()}


def _packets_counted(
    packets: Sequence[SignedPacket], governance: Governance
) -> tuple[list[SignedPacket], tuple[tuple[int, int], ...], list[str]]:
    """Return the packets that begin a thread or follow by right, the pairs that follow, and remarks on the others."""
    kept, remarks = _without_twins(packets)
    while True:
        following = successors(Thread(tuple(one.document for one in kept), {}, {}, {}))
        wrong: dict[int, str] = {}
        rightly: list[tuple[int, int]] = []
        for before, after in following:
            try:
                check_successor(kept[before].document, kept[after].speaker, governance)
                rightly.append((before, after))
            except PacketAuthorityError as error:
                label = label_of(kept[after].document)
                wrong[after] = f"{label} does not count after {label_of(kept[before].document)}: {error}"
        dropped = wrong.keys() - {after for _, after in rightly}
        if not dropped:
            return kept, tuple(rightly), remarks
        remarks += [wrong[at] for at in sorted(dropped)]
        kept = [one for at, one in enumerate(kept) if at not in dropped]


def _without_twins(packets: Sequence[SignedPacket]) -> tuple[list[SignedPacket], list[str]]:
    """Return the packets without those of other agents under the same id, and remarks on these.

    Of the agents that vouch for packets with one id, the agent counts that also signed a following packet, else the
    first.
    """
    of_id: dict[str | None, list[SignedPacket]] = {}
    for one in packets:
        of_id.setdefault(one.document.packet_id, []).append(one)
    wrong: set[int] = set()
    for name, twins in of_id.items():
        vouched = [one for one in twins if _is_vouched(one)]
        if name is None or not vouched:
            continue
        following = {_agent_of(one) for one in packets if _supersedes(one) == name}
        meant = next((one for one in vouched if _agent_of(one) in following), vouched[0])
        wrong |= {id(one) for one in twins if _agent_of(one) != _agent_of(meant)}
    kept = [one for one in packets if id(one) not in wrong]
    remarks = [
        f"another packet with the id {label_of(one.document)} does not count" for one in packets if id(one) in wrong
    ]
    return kept, remarks


def _agent_of(packet: SignedPacket) -> str | None:
    return None if packet.speaker is None else packet.speaker.agent_id


def _supersedes(packet: SignedPacket) -> str | None:
    return text_of(packet.document.part("lineage"), "supersedes_packet")


def _is_vouched(packet: SignedPacket) -> bool:
    try:
        check_voucher(packet.document, packet.speaker)
    except PacketAuthorityError:
        return False
    return True


def _packet_of(record: SignedRecord, packets: Sequence[SignedPacket]) -> SignedPacket | None:
    value = record.document.value
    about = value.from_packet if isinstance(value, PacketDisposition) else value.packet_id
    named = [one for one in packets if one.document.packet_id == about]
    # Of packets with one id, the one whose hash is echoed.
    echoed = [one for one in named if same_hash(value.packet_hash, own_hash(one.document))]
    return next(iter((*echoed, *named)), None)


def _name_of(record: SignedRecord) -> tuple[str, str]:
    value = record.document.value
    if isinstance(value, PacketReturn):
        return "return", shown(value.return_id)
    if isinstance(value, PacketDisposition):
        return "disposition", shown(value.disposition_id)
    return "receipt", shown(value.receipt_id)
