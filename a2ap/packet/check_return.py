"""The check of a return against the contract of its packet (§11): a return proposes, and writes nothing."""

from collections.abc import Iterator

from a2ap.boundary import Boundary
from a2ap.packet.canon import same_hash
from a2ap.packet.check_contract import PROPOSALS
from a2ap.packet.document import PacketDocument, texts_of
from a2ap.packet.extensions import read_boundary
from a2ap.packet.finding import Finding, Severity
from a2ap.packet.member_check import Subject
from a2ap.packet.records import PacketReturn
from a2ap.packet.shown import shown
from a2ap.packet.thread import contract_of

OPEN_QUESTIONS = "open_questions"
"""The output kind of a return's open loops, an empty list of them included."""


def check_return(document: PacketDocument, returned: PacketReturn) -> tuple[Finding, ...]:
    """Find where a return goes beyond the contract of its packet, or falls short of it; raises nothing."""
    subject = Subject(f"the return {shown(returned.return_id)}", "", {})
    return (
        *_check_packet(subject, document, returned),
        *_check_outputs(subject, document, returned),
        *_check_proposals(subject, document, returned),
        *_check_boundaries(subject, document, returned),
    )


def _check_packet(subject: Subject, document: PacketDocument, returned: PacketReturn) -> Iterator[Finding]:
    if returned.packet_id != document.packet_id:
        words = f" is about {shown(returned.packet_id)}, and the packet is {shown(document.packet_id)}"
        yield subject.say("11-return", words, "packet_id")
    if document.packet_hash is not None and not same_hash(returned.packet_hash, document.packet_hash):
        yield subject.say("9-hash", " echoes another hash than the packet's", "packet_hash")
    if contract_of(document).get("trace_required") is True and returned.observability_ref is None:
        yield subject.say("11-trace", " names no trace, and the contract requires one", "observability_ref")


def _check_outputs(subject: Subject, document: PacketDocument, returned: PacketReturn) -> Iterator[Finding]:
    contract = contract_of(document)
    # In their order, and each once.
    expected = dict.fromkeys(texts_of(contract, "expected_outputs"))
    forbidden = frozenset(texts_of(contract, "forbidden_outputs"))
    for output in returned.outputs:
        if output.type in forbidden:
            words = f" has the output {shown(output.output_id)} of type {shown(output.type)}, which is forbidden"
            yield subject.say("11-return", words, "outputs")
        elif expected and output.type not in expected:
            words = f" has the output {shown(output.output_id)} of type {shown(output.type)}, which is not expected"
            yield subject.say("11-return", words, "outputs", Severity.WARNING)
    emitted = {output.type for output in returned.outputs}
    emitted |= {PROPOSALS} if returned.proposals else set()
    emitted |= {OPEN_QUESTIONS} if returned.open_loops is not None else set()
    for one in expected:
        if one not in emitted:
            yield subject.say("11-return", f" has no output of type {shown(one)}", "outputs", Severity.WARNING)


def _check_proposals(subject: Subject, document: PacketDocument, returned: PacketReturn) -> Iterator[Finding]:
    contract = contract_of(document)
    if not returned.proposals:
        return
    if contract.get("may_propose_memory_updates") is not True:
        yield subject.say("11-return", " proposes memory updates, and the contract does not let it", "proposals")
    elif PROPOSALS in texts_of(contract, "forbidden_outputs"):
        yield subject.say("11-return", f" proposes memory updates, and {PROPOSALS} is forbidden", "proposals")


def _check_boundaries(subject: Subject, document: PacketDocument, returned: PacketReturn) -> Iterator[Finding]:
    """Find outputs and proposals that are marked less protected than every item of the packet (§6-3)."""
    classes = [read_boundary(item.get("boundary")) for item in document.items]
    known = [one for one in classes if one is not None]
    if not known:
        return
    least: Boundary = min(known, key=lambda one: one.rank)
    for name, boundary in (
        *((one.output_id, one.boundary) for one in returned.outputs),
        *((one.proposal_id, one.boundary) for one in returned.proposals),
    ):
        if boundary is not None and boundary < least:
            words = f" marks {shown(name)} {boundary}, and no item of the packet is below {least}"
            yield subject.say("6-3", words, "outputs")
