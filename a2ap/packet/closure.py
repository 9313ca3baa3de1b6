"""Closure (§11.1): whether each packet's returns came back, were dispositioned, and are inherited by what follows.

For each packet and each that follows it three links are looked at, and every break is said with its place:

1. returns: the consumer emitted returns as the contract asks, by receipts or by a record of the return;
2. disposition: every return was promoted, rejected, superseded or escalated, and that made a new state;
3. source-state inheritance: the next packet's source states are downstream of that state, and its hash is its own.

The last packet of a thread has nothing that inherits from it yet; what it lacks is a remark. A hash that contradicts
breaks a link; a hash that is not echoed, or is elided, corroborates nothing and is a remark.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from a2ap.packet.canon import read_hash
from a2ap.packet.closure_links import (
    Break,
    Link,
    check_dispositions,
    check_inheritance,
    check_returns,
    label_of,
)
from a2ap.packet.document import PacketDocument, text_of
from a2ap.packet.errors import PacketFormError
from a2ap.packet.shown import shown
from a2ap.packet.state_lineage import StateLineage, read_lineage
from a2ap.packet.thread import Members, Thread, packets_in_cycles, read_thread, state_refs, successors

MAX_DOCUMENTS = 2000
MAX_FOLLOWING = 8000


@dataclass(frozen=True, slots=True)
class ClosureReport:
    """What was found of a thread: nothing in `breaks` where its loops are closed; `remarks` close and open nothing."""

    breaks: tuple[Break, ...]
    remarks: tuple[str, ...]

    @property
    def is_closed(self) -> bool:
        """Say whether every loop is closed."""
        return not self.breaks

    @property
    def state(self) -> str:
        """Return `closed`, or which link is the first that is open."""
        if not self.breaks:
            return "closed"
        first = min(one.link for one in self.breaks)
        return f"open at link {first.value} ({first.words})"


def check_closure(
    packets: Sequence[PacketDocument], records: Iterable[Members] = (), *, embedded: bool = True
) -> ClosureReport:
    """Walk the packets of a thread with the receipts, returns and dispositions beside them.

    `embedded` says whether receipts in the packets count, which neither a hash nor a signature binds.
    Raises PacketFormError for more than `MAX_DOCUMENTS` or `MAX_FOLLOWING`, and nothing else for what they say.
    """
    records = list(records)
    if len(packets) + len(records) > MAX_DOCUMENTS:
        raise PacketFormError(f"a thread of {len(packets) + len(records)} documents, more than {MAX_DOCUMENTS}")
    thread = read_thread(packets, records, embedded=embedded)
    lineage = _state_lineage(thread)
    following = successors(thread)
    if len(following) > MAX_FOLLOWING:
        raise PacketFormError(f"packets that follow one another in {len(following)} ways, more than {MAX_FOLLOWING}")
    breaks: list[Break] = []
    if round_trip := packets_in_cycles(thread, following):
        words = f"packets follow from themselves: {', '.join(map(label_of, round_trip[:8]))}"
        breaks.append(Break(Link.INHERITANCE, label_of(round_trip[0]), None, words))
    remarks: list[str] = [*thread.strays, *_remarks(thread)]
    if not embedded and (left := sum(len(packet.parts("receipts")) for packet in packets)):
        remarks.append(f"{left} receipts in the packets are bound by nothing, and were not counted")
    if not packets:
        return ClosureReport((Break(Link.RETURNS, "the thread", None, "it has no packet"),), tuple(remarks))
    ended = [at for at in range(len(packets)) if all(before != at for before, _ in following)]
    for at, packet in enumerate(thread.packets):
        found = [*check_returns(thread, packet), *check_dispositions(thread, packet, lineage)]
        if at in ended and len(packets) > 1:
            remarks += [f"not yet, at the end of the thread: {one}" for one in found]
        else:
            breaks += found
    for before, after in following:
        breaks += check_inheritance(thread, thread.packets[before], thread.packets[after], lineage)
    if len(packets) == 1:
        words = "no packet follows that inherits the state"
        breaks.append(Break(Link.INHERITANCE, label_of(packets[0]), None, words))
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
