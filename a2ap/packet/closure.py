"""Closure (§11.1): whether each packet's returns came back, were dispositioned, and are inherited by the next packets.

For each packet and each that follows it three links are checked, and every break is reported with its place:

1. returns: the consumer emitted returns as the contract asks, by receipts or by a record of the return;
2. disposition: every return was promoted, rejected, superseded or escalated, and that made a new state;
3. source-state inheritance: the next packet's source states are downstream of that state, and its hash is its own.

The last packet of a thread has no successor to inherit from it yet; its missing inheritance is a remark.

The text lets any receipt stand for a return and any record for a disposition, by any author: `closure_by_letter`
walks a thread like that, and a hash that is not echoed, or is elided, corroborates nothing and is a remark.
`check_closure` counts records by the agent that signed them (`a2ap.packet.authority`), and checks of each return that
it met the contract and that it was decided itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from a2ap.packet.authority import Governance
from a2ap.packet.canon import read_hash
from a2ap.packet.closure_links import (
    Break,
    Link,
    check_dispositions,
    check_inheritance,
    check_returns,
    label_of,
)
from a2ap.packet.contract_links import check_contract_met, check_decided, twins
from a2ap.packet.counted import SignedPacket, SignedRecord, count
from a2ap.packet.document import PacketDocument, text_of
from a2ap.packet.errors import PacketFormError
from a2ap.packet.shown import shown
from a2ap.packet.state_lineage import StateLineage, read_lineage
from a2ap.packet.thread import Members, Thread, packets_in_cycles, read_thread, state_refs, successors

MAX_DOCUMENTS = 2000
MAX_FOLLOWING = 8000


@dataclass(frozen=True, slots=True)
class ClosureReport:
    """The findings in a thread: `breaks` is empty if its loops are closed; `remarks` close and open nothing."""

    breaks: tuple[Break, ...]
    remarks: tuple[str, ...]

    @property
    def is_closed(self) -> bool:
        """Say whether every loop is closed."""
        return not self.breaks

    @property
    def state(self) -> str:
        """Return `closed`, or the name of the first open link."""
        if not self.breaks:
            return "closed"
        first = min(one.link for one in self.breaks)
        return f"open at link {first.value} ({first.words})"


def check_closure(
    packets: Sequence[SignedPacket],
    records: Iterable[SignedRecord] = (),
    governance: Governance | None = None,
    *,
    asked: PacketDocument | None = None,
) -> ClosureReport:
    """Walk the packets of a thread with the records that come from an agent with the role for them.

    `governance` names the agents that stand for a governor, `asked` the packet that the walk is about: if that packet
    does not count, nothing is closed. Receipts inside a packet are bound by nothing and do not count.
    Raises PacketFormError for more than `MAX_DOCUMENTS` or `MAX_FOLLOWING`, and nothing else for their content.
    """
    records = list(records)
    _check_size(len(packets) + len(records))
    counted = count(packets, records, governance or {})
    _check_following(counted.following)
    thread, lineage = counted.thread, _state_lineage(counted.thread)
    breaks = [*_round_trips(thread, counted.following), *twins(counted)]
    remarks = [*counted.remarks, *_remarks(thread)]
    if left := sum(len(one.document.parts("receipts")) for one in packets):
        remarks.append(f"{left} receipts in the packets are bound by nothing, and were not counted")
    if asked is not None and not any(one is asked for one in thread.packets):
        words = "it does not count: nobody with a part in the thread signed it"
        breaks.append(Break(Link.RETURNS, label_of(asked), None, words))
    if not thread.packets:
        breaks.append(Break(Link.RETURNS, "the thread", None, "it has no packet"))
        return ClosureReport(tuple(dict.fromkeys(breaks)), tuple(dict.fromkeys(remarks)))
    found = [
        [*check_contract_met(counted, packet), *check_decided(counted, packet, lineage)] for packet in counted.packets
    ]
    return _report(thread, counted.following, lineage, found, breaks, remarks)


def closure_by_letter(
    packets: Sequence[PacketDocument], records: Iterable[Members] = (), *, embedded: bool = True
) -> ClosureReport:
    """Walk the packets of a thread by the letter of §11.1, with records of any author.

    `embedded` says whether receipts in the packets count, which neither a hash nor a signature binds.
    Raises PacketFormError for more than `MAX_DOCUMENTS` or `MAX_FOLLOWING`, and nothing else for their content.
    """
    records = list(records)
    _check_size(len(packets) + len(records))
    thread = read_thread(packets, records, embedded=embedded)
    lineage = _state_lineage(thread)
    following = successors(thread)
    _check_following(following)
    breaks = list(_round_trips(thread, following))
    remarks: list[str] = [*thread.strays, *_remarks(thread)]
    if not embedded and (left := sum(len(packet.parts("receipts")) for packet in packets)):
        remarks.append(f"{left} receipts in the packets are bound by nothing, and were not counted")
    if not packets:
        return ClosureReport((Break(Link.RETURNS, "the thread", None, "it has no packet"),), tuple(remarks))
    found = [
        [*check_returns(thread, packet), *check_dispositions(thread, packet, lineage)] for packet in thread.packets
    ]
    return _report(thread, following, lineage, found, breaks, remarks)


def _check_size(documents: int) -> None:
    if documents > MAX_DOCUMENTS:
        raise PacketFormError(f"a thread of {documents} documents, more than {MAX_DOCUMENTS}")


def _check_following(following: Sequence[tuple[int, int]]) -> None:
    if len(following) > MAX_FOLLOWING:
        raise PacketFormError(f"packets that follow one another in {len(following)} ways, more than {MAX_FOLLOWING}")


def _round_trips(thread: Thread, following: Sequence[tuple[int, int]]) -> Iterator[Break]:
    if round_trip := packets_in_cycles(thread, following):
        words = f"packets follow from themselves: {', '.join(map(label_of, round_trip[:8]))}"
        yield Break(Link.INHERITANCE, label_of(round_trip[0]), None, words)


def _report(
    thread: Thread,
    following: Sequence[tuple[int, int]],
    lineage: StateLineage,
    found: Sequence[Sequence[Break]],
    breaks: list[Break],
    remarks: list[str],
) -> ClosureReport:
    """Return the report of a thread: `found` are the breaks of links 1 and 2 of each packet, in its order."""
    befores = {before for before, _ in following}
    for at, of_packet in enumerate(found):
        if at not in befores and len(thread.packets) > 1:
            remarks += [f"not yet, at the end of the thread: {one}" for one in of_packet]
        else:
            breaks += of_packet
    for before, after in following:
        breaks += check_inheritance(thread, thread.packets[before], thread.packets[after], lineage)
    if len(thread.packets) == 1:
        words = "no packet follows that inherits the state"
        breaks.append(Break(Link.INHERITANCE, label_of(thread.packets[0]), None, words))
    return ClosureReport(tuple(dict.fromkeys(breaks)), tuple(dict.fromkeys(remarks)))


def _state_lineage(thread: Thread) -> StateLineage:
    steps: list[tuple[Sequence[str], str]] = []
    for packet in thread.packets:
        for one in thread.dispositions.get(packet.packet_id or "", ()):
            if (result := text_of(one, "result_state")) is not None:
                steps.append((state_refs(packet), result))
    return read_lineage(steps)


def _remarks(thread: Thread) -> Iterator[str]:
    seen: dict[str, bytes] = {}
    places = {packet.packet_id for packet in thread.packets}
    for packet in thread.packets:
        label = label_of(packet)
        if packet.packet_id is not None and seen.setdefault(packet.packet_id, packet.data) != packet.data:
            yield f"{label} is there twice, with other bytes"
        if read_hash(packet.packet_hash) is None:
            yield f"{label} has no hash that corroborates anything"
        older = text_of(packet.part("lineage"), "supersedes_packet")
        if older is not None and older not in places:
            yield f"{label} supersedes {shown(older)}, which is not here"
        if any(text_of(one, "packet_hash") is None for one in thread.receipts.get(packet.packet_id or "", ())):
            yield f"{label} has receipts that echo no hash"
