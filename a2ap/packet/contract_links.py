"""Links 1 and 2 of a loop over counted records (§11.1): each return met the contract, and was decided.

A receipt that says that something came back is not a return: it has nothing to compare with the contract. A
disposition decides about the return that it names, and about nothing that comes back later under other ids.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from a2ap.packet.authority import check_voucher
from a2ap.packet.canon import read_hash
from a2ap.packet.check_contract import PROPOSALS
from a2ap.packet.check_return import OPEN_QUESTIONS, check_return
from a2ap.packet.closure_links import Break, Link, check_dispositions, expects_nothing, has_own_hash, label_of
from a2ap.packet.counted import Counted, SignedPacket
from a2ap.packet.document import PacketDocument, text_of, texts_of
from a2ap.packet.errors import PacketAuthorityError
from a2ap.packet.finding import Severity
from a2ap.packet.integrity import own_hash
from a2ap.packet.records import PacketReturn
from a2ap.packet.shown import shown
from a2ap.packet.state_lineage import StateLineage
from a2ap.packet.thread import Members, contract_of
from a2ap.packet.vocabulary import Outcome, ReceiptEvent

_CAME_BACK = frozenset({ReceiptEvent.OUTPUT_EMITTED, ReceiptEvent.MEMORY_UPDATE_PROPOSED})


def twins(counted: Counted) -> Iterator[Break]:
    """Find packets that are there twice under one id, with other content."""
    seen: dict[str, str | None] = {}
    for packet in counted.thread.packets:
        name = packet.packet_id
        if name is not None and seen.setdefault(name, own_hash(packet)) != own_hash(packet):
            yield Break(Link.RETURNS, label_of(packet), None, "it is there twice, with other content")


def check_contract_met(counted: Counted, packet: SignedPacket) -> Iterator[Break]:
    """Find the reasons that the returns of a packet's recipient do not meet its contract."""
    document = packet.document

    def broken(words: str) -> Break:
        return Break(Link.RETURNS, label_of(document), None, words)

    contract, own = contract_of(document), document.packet_id or ""
    returns = counted.returns.get(own, ())
    try:
        check_voucher(document, packet.speaker)
    except PacketAuthorityError as error:
        yield broken(str(error))
    if read_hash(document.packet_hash) is not None and not has_own_hash(document):
        yield broken("its hash is not its own")
    if not contract:
        yield broken("it has no return contract, so that it names no expected return")
    if not returns:
        yield from map(broken, _why_nothing_came(counted, document))
        return
    for returned in returns:
        for finding in check_return(document, returned):
            if finding.severity is Severity.ERROR:
                yield broken(finding.words)
    came = {kind for returned in returns for kind in _kinds_of(returned)}
    for kind in dict.fromkeys(texts_of(contract, "expected_outputs")):
        if kind not in came:
            yield broken(f"the contract expects {shown(kind)}, and no return has it")
    for name, number in Counter(one.return_id for one in returns).items():
        if number > 1:
            yield broken(f"{number} returns have the id {shown(name)}, and other content")


def check_decided(counted: Counted, packet: SignedPacket, lineage: StateLineage) -> Iterator[Break]:
    """Find returns and proposals of a packet without a decision, and decisions that made no new state."""
    thread, document = counted.thread, packet.document
    own = document.packet_id or ""
    returns, found = counted.returns.get(own, ()), thread.dispositions.get(own, ())
    if found:
        yield from check_dispositions(thread, document, lineage, decided=_undecided(returns, found))
    elif returns or not expects_nothing(document):
        yield Break(Link.DISPOSITION, label_of(document), None, "no return of it was dispositioned")


def _why_nothing_came(counted: Counted, document: PacketDocument) -> Iterator[str]:
    events = {text_of(one, "event") for one in counted.thread.receipts.get(document.packet_id or "", ())}
    if events & _CAME_BACK:
        yield "receipts say that something came back, and no return is here that can be held against the contract"
    elif not expects_nothing(document):
        yield "nothing came back that its recipient signed"


def _kinds_of(returned: PacketReturn) -> set[str]:
    kinds = {output.type for output in returned.outputs}
    if returned.proposals:
        kinds.add(PROPOSALS)
    if returned.open_loops is not None:
        kinds.add(OPEN_QUESTIONS)
    return kinds


def _undecided(returns: Sequence[PacketReturn], found: Sequence[Members]) -> Iterator[str]:
    """Yield a sentence for each return and proposal that has no outcome of its own, or more than one."""
    outcomes: dict[tuple[str | None, str | None], set[str]] = {}
    for one in found:
        key = text_of(one, "return_id"), text_of(one, "proposal")
        outcomes.setdefault(key, set()).add(text_of(one, "outcome") or "")
    for returned in returns:
        own = returned.return_id
        named: list[str | None] = [one.proposal_id for one in returned.proposals] or [None]
        for proposal in named:
            about = f"the return {shown(own)}" if proposal is None else f"the proposal {shown(proposal)}"
            decided = outcomes.get((own, proposal), set()) | outcomes.get((own, None), set())
            if not decided:
                yield f"{about} was never dispositioned"
            # An escalated loop is decided afterwards.
            elif len(decided - {Outcome.ESCALATED}) > 1:
                yield f"{about} has more than one outcome: {', '.join(sorted(map(shown, decided)))}"
