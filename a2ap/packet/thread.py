"""Threads, the input of the closure walk: the packets of one operation, and the receipts, returns and dispositions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from a2ap.packet.document import PacketDocument, part_of, parts_of, text_of, texts_of
from a2ap.packet.records import DISPOSITION_SPEC, RECEIPT_SPEC, RETURN_SPEC

Members = Mapping[str, Any]

MAX_STATES = 200  # of a packet; more would make the walk cost more than the documents


@dataclass(frozen=True, slots=True)
class Thread:
    """Packets in their order, and the records about them, each by the id of its packet."""

    packets: tuple[PacketDocument, ...]
    receipts: Mapping[str, tuple[Members, ...]]
    returns: Mapping[str, tuple[Members, ...]]
    dispositions: Mapping[str, tuple[Members, ...]]
    strays: tuple[str, ...] = ()


def read_thread(packets: Sequence[PacketDocument], records: Iterable[Members] = (), *, embedded: bool = True) -> Thread:
    """Sort records by kind and packet.

    The `spec` of a record gives its kind; one without is a disposition if it has an outcome, a receipt if it has an
    event, and a return otherwise. Receipts in the packets count like those beside them, unless `embedded`
    is false: nothing binds them, so that any agent that passes a packet on may have written them.
    """
    receipts = {packet.packet_id or "": list(packet.parts("receipts") if embedded else ()) for packet in packets}
    returns: dict[str, list[Members]] = {}
    dispositions: dict[str, list[Members]] = {}
    strays: list[str] = []
    known = {packet.packet_id for packet in packets}
    hashes = {packet.packet_hash: packet.packet_id for packet in packets if packet.packet_hash is not None}
    for record in records:
        about = text_of(record, "from_packet") or text_of(record, "packet_id")
        about = about or hashes.get(text_of(record, "packet_hash") or "")
        kind = {"receipt": receipts, "return": returns, "disposition": dispositions}[kind_of(record)]
        if about in known and about is not None:
            kind.setdefault(about, []).append(record)
        else:
            strays.append(f"a {kind_of(record)} is about no packet that is here")
    return Thread(tuple(packets), _frozen(receipts), _frozen(returns), _frozen(dispositions), tuple(strays))


def kind_of(record: Members) -> str:
    """Return the kind of a record: receipt, return or disposition."""
    spec = record.get("spec")
    if spec == DISPOSITION_SPEC or (spec != RETURN_SPEC and spec != RECEIPT_SPEC and "outcome" in record):
        return "disposition"
    return "receipt" if spec == RECEIPT_SPEC or (spec != RETURN_SPEC and "event" in record) else "return"


def state_refs(packet: PacketDocument) -> tuple[str, ...]:
    """Return the states of the substrate that a packet says it was assembled from, the first `MAX_STATES`."""
    return texts_of(packet.part("reproducibility"), "source_state_refs")[:MAX_STATES]


def proposals_of(returned: Members) -> tuple[str, ...]:
    """Return the ids of the proposals in a return."""
    return tuple(name for one in parts_of(returned, "proposals") if (name := text_of(one, "proposal_id")) is not None)


def successors(thread: Thread) -> tuple[tuple[int, int], ...]:
    """Return the pairs of packets that follow each other, as positions.

    A packet follows the one that it supersedes or names in `assembled_from`. A packet that names none of the thread
    follows the last one before it that does not itself follow from it: without names, the order is that of the thread.
    """
    places = {packet.packet_id: at for at, packet in enumerate(thread.packets) if packet.packet_id is not None}
    before = [_named_before(packet, at, places) for at, packet in enumerate(thread.packets)]
    after: dict[int, list[int]] = {}
    for at, named in enumerate(before):
        for one in named:
            after.setdefault(one, []).append(at)
    for at, named in enumerate(before):
        if not named:
            later = _all_after(at, after)
            named.extend([one for one in range(at) if one not in later][-1:])
    return tuple((one, at) for at, named in enumerate(before) for one in named)


def _named_before(packet: PacketDocument, own: int, places: Mapping[str, int]) -> list[int]:
    lineage = packet.part("lineage")
    named = [text_of(lineage, "supersedes_packet"), *texts_of(lineage, "assembled_from")]
    found = dict.fromkeys(places[name] for name in named if name is not None and name in places)
    return [at for at in found if at != own]


def _all_after(at: int, after: Mapping[int, Sequence[int]]) -> set[int]:
    pending, seen = [at], {at}
    while pending:
        new = set(after.get(pending.pop(), ())) - seen
        seen |= new
        pending.extend(new)
    return seen


def packets_in_cycles(thread: Thread, following: Sequence[tuple[int, int]]) -> tuple[PacketDocument, ...]:
    """Return the packets that follow from themselves: those left after all that can come first are taken away."""
    before: dict[int, set[int]] = {at: set() for at in range(len(thread.packets))}
    after: dict[int, list[int]] = {at: [] for at in before}
    for one, other in following:
        before[other].add(one)
        after[one].append(other)
    ready = [at for at, needed in before.items() if not needed]
    while ready:
        at = ready.pop()
        del before[at]
        for other in after[at]:
            before[other].discard(at)
            if not before[other]:
                ready.append(other)
    return tuple(thread.packets[at] for at in before if any(other in before for other in after[at]))


def contract_of(packet: PacketDocument) -> Members:
    """Return the return contract of a packet, empty if it has none."""
    return part_of(packet.members, "return_contract")


def _frozen(found: Mapping[str, list[Members]]) -> dict[str, tuple[Members, ...]]:
    return {name: tuple(records) for name, records in found.items()}
