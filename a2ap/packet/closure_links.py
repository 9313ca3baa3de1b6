"""The three links of a closed loop (§11.1), each checked by itself: returns, disposition, inheritance."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from a2ap.packet.canon import match_hash, read_hash, same_hash
from a2ap.packet.check_contract import PROPOSALS
from a2ap.packet.document import PacketDocument, text_of, texts_of
from a2ap.packet.errors import PacketHashError
from a2ap.packet.looks import read_moment
from a2ap.packet.shown import shown
from a2ap.packet.state_lineage import StateLineage
from a2ap.packet.thread import Members, Thread, contract_of, kind_of, proposals_of, state_refs
from a2ap.packet.vocabulary import Outcome, ReceiptEvent

_OF_RUN = frozenset(
    {
        ReceiptEvent.USED,
        ReceiptEvent.OUTPUT_EMITTED,
        ReceiptEvent.MEMORY_UPDATE_PROPOSED,
        ReceiptEvent.TRACED,
    }
)
_OF_RETURN = frozenset({ReceiptEvent.OUTPUT_EMITTED, ReceiptEvent.MEMORY_UPDATE_PROPOSED})


class Link(IntEnum):
    """One of the three links of §11.1."""

    RETURNS = 1
    DISPOSITION = 2
    INHERITANCE = 3

    @property
    def words(self) -> str:
        """Return the name of the link."""
        return ("returns", "disposition", "source-state inheritance")[self - 1]


@dataclass(frozen=True, slots=True)
class Break:
    """A break of a loop: its link, its packet, the packet that follows if that matters, and the reason."""

    link: Link
    packet: str
    following: str | None
    words: str

    def __str__(self) -> str:
        at = f" before {self.following}" if self.following is not None else ""
        return f"link {self.link.value} ({self.link.words}) of {self.packet}{at}: {self.words}"


def check_returns(thread: Thread, packet: PacketDocument) -> Iterator[Break]:
    """Find the reasons that no return came back as the contract asks."""

    def broken(words: str) -> Break:
        return Break(Link.RETURNS, label_of(packet), None, words)

    contract, own = contract_of(packet), packet.packet_id or ""
    receipts, returns = thread.receipts.get(own, ()), thread.returns.get(own, ())
    if read_hash(packet.packet_hash) is not None and not has_own_hash(packet):
        yield broken("its hash is not its own")
    if not contract:
        yield broken("it has no return contract, so that it names no expected return")
    for record in (*receipts, *returns):
        echoed = text_of(record, "packet_hash")
        if echoed is not None and not same_hash(echoed, packet.packet_hash):
            yield broken(f"{_name(record)} echoes another hash than the packet's")
    events = {text_of(one, "event") for one in receipts}
    proposed = ReceiptEvent.MEMORY_UPDATE_PROPOSED in events or any(proposals_of(one) for one in returns)
    emitted = ReceiptEvent.OUTPUT_EMITTED in events or bool(returns)
    may, expected = contract.get("may_propose_memory_updates") is True, texts_of(contract, "expected_outputs")
    if not emitted and not proposed:
        if not expects_nothing(packet):
            yield broken("no receipt or return says that anything came back")
        return
    if not emitted and set(expected) - {PROPOSALS}:
        yield broken("no receipt says that an output was emitted")
    if may and PROPOSALS in expected and not proposed:
        yield broken("the contract expects memory updates to be proposed, and none were")
    if contract and proposed and not may:
        yield broken("memory updates were proposed, and the contract does not let them be")
    if contract.get("trace_required") is True and not _has_trace(receipts, returns):
        yield broken("the contract requires a trace, and no receipt or return names one")


def check_dispositions(
    thread: Thread, packet: PacketDocument, lineage: StateLineage, *, decided: Iterable[str] | None = None
) -> Iterator[Break]:
    """Find returns that were not dispositioned, and dispositions that made no new state.

    `decided` has the sentences about returns without a decision, instead of those by the letter of the text.
    """

    def broken(words: str) -> Break:
        return Break(Link.DISPOSITION, label_of(packet), None, words)

    own, sources = packet.packet_id or "", state_refs(packet)
    found = thread.dispositions.get(own, ())
    if not found:
        if not expects_nothing(packet) or _came_back(thread, own):
            yield broken("no return of it was dispositioned")
        return
    for one in found:
        if text_of(one, "outcome") not in frozenset(Outcome):
            yield broken(f"{_name(one)} has the outcome {shown(one.get('outcome'))}, which is none of §11.1")
        echoed, result = text_of(one, "packet_hash"), text_of(one, "result_state")
        if echoed is not None and not same_hash(echoed, packet.packet_hash):
            yield broken(f"{_name(one)} echoes another hash than the packet's")
        if result is None:
            yield broken(f"{_name(one)} names no state that it made")
        elif any(map(lineage.downstream_of(result).has, sources)):
            yield broken(f"{_name(one)} made no new state: the packet was assembled from {shown(result)} or later")
        by = text_of(one, "by")
        if contract_of(packet).get("requires_human_review") is True and by is not None and not by.startswith("human:"):
            yield broken(f"{_name(one)} is by {shown(by)}, and the contract requires human review")
    yield from map(broken, _undispositioned(thread, own, found) if decided is None else decided)


def expects_nothing(packet: PacketDocument) -> bool:
    """Say whether a contract neither expects anything nor lets updates be proposed."""
    contract = contract_of(packet)
    may = contract.get("may_propose_memory_updates") is True
    return bool(contract) and not may and not texts_of(contract, "expected_outputs")


def _came_back(thread: Thread, own: str) -> bool:
    events = {text_of(one, "event") for one in thread.receipts.get(own, ())}
    return bool(thread.returns.get(own)) or bool(events & _OF_RETURN)


def _undispositioned(thread: Thread, own: str, found: Sequence[Members]) -> Iterator[str]:
    outcomes: dict[str, set[str]] = {}
    whole = set()
    for one in found:
        name, outcome = text_of(one, "proposal"), text_of(one, "outcome") or ""
        if name is None:
            whole.add(text_of(one, "return_id"))
        else:
            outcomes.setdefault(name, set()).add(outcome)
    for returned in thread.returns.get(own, ()):
        if whole & {None, text_of(returned, "return_id")}:
            continue
        named = proposals_of(returned)
        for name in named:
            if name not in outcomes:
                yield f"the proposal {shown(name)} was never dispositioned"
        if not named and not any(text_of(one, "return_id") == text_of(returned, "return_id") for one in found):
            yield f"{_name(returned)} was never dispositioned"
    for name, decided in outcomes.items():
        # An escalated loop is decided afterwards.
        if len(decided - {Outcome.ESCALATED}) > 1:
            yield f"the proposal {shown(name)} has more than one outcome: {', '.join(sorted(map(shown, decided)))}"


def check_inheritance(
    thread: Thread, packet: PacketDocument, following: PacketDocument, lineage: StateLineage
) -> Iterator[Break]:
    """Find the reasons that the following packet does not inherit the states that the dispositions made."""

    def broken(words: str) -> Break:
        return Break(Link.INHERITANCE, label_of(packet), label_of(following), words)

    refs = state_refs(following)
    if not refs:
        yield broken("the following packet names no state that it was assembled from")
    made = read_moment(following.members.get("created_at"))
    for one in thread.dispositions.get(packet.packet_id or "", ()):
        result, at = text_of(one, "result_state"), read_moment(one.get("at"))
        if result is not None and refs and not any(map(lineage.downstream_of(result).has, refs)):
            words = f"was assembled from {shown(refs[0])}, not from {shown(result)} or later"
            yield broken(f"the following packet {words}")
        if at is not None and made is not None and made < at:
            yield broken(f"the following packet was made before {_name(one)}")
    if read_hash(following.packet_hash) is not None and not has_own_hash(following):
        yield broken("the hash of the following packet is not its own")


def has_own_hash(packet: PacketDocument) -> bool:
    """Say whether the hash that a packet states is that of the packet, in any domain that is known."""
    try:
        return match_hash(packet) is not None
    except PacketHashError:
        return False


def _has_trace(receipts: Iterable[Members], returns: Iterable[Members]) -> bool:
    # That of the delivery is the producer's; §11 asks for that of the consumer's run.
    of_run = [one for one in receipts if text_of(one, "event") in _OF_RUN]
    return any(text_of(one, "observability_ref") is not None for one in (*of_run, *returns))


def _name(record: Members) -> str:
    for kind in ("receipt", "return", "disposition"):
        if kind == kind_of(record) and (own := text_of(record, f"{kind}_id")) is not None:
            return f"the {kind} {shown(own)}"
    proposal = text_of(record, "proposal")
    return "a record" if proposal is None else f"the disposition of {shown(proposal)}"


def label_of(packet: PacketDocument) -> str:
    """Return the label of a packet in a sentence."""
    return shown(packet.packet_id) if packet.packet_id is not None else "a packet without id"
