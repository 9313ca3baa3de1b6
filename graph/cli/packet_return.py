"""`a2ap packet return` and `a2ap packet disposition`: the return of a packet, and the decision about it.

Neither changes durable memory: a return proposes, a disposition records a decision (Context Packet §11).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from a2ap.boundary import Boundary
from a2ap.packet.authority import (
    HUMAN,
    author_of,
    check_author,
    check_promoter,
    check_recipient,
    check_record,
    roles_of,
    speaker_of,
)
from a2ap.packet.check_return import check_return
from a2ap.packet.document import PacketDocument
from a2ap.packet.errors import PacketAuthorityError
from a2ap.packet.finding import Severity
from a2ap.packet.integrity import check_integrity
from a2ap.packet.packet import OpenLoop
from a2ap.packet.records import (
    Output,
    PacketDisposition,
    PacketRecord,
    PacketReturn,
    Proposal,
    ProposalAction,
    RecordDocument,
)
from a2ap.packet.vocabulary import Outcome, ReceiptEvent
from a2ap.times import format_instant
from graph.cli.errors import CommandError
from graph.cli.options import DEFAULT_URL, Key, SignerCommand, Token, Url, open_client
from graph.cli.packet_file import load_packet, load_record
from graph.cli.packet_keys import Keyring, KeySources, KnownKeyTexts, open_keyring
from graph.cli.packet_out import Desk, Folder, RecordBoundary, Submit, hash_of, short_id, state_of
from graph.cli.packet_receive import Human
from graph.cli.signing import AgentKey, now, open_key
from graph.cli.terminal import remark
from graph.packets.receipts import make_receipt

_LONGEST_FILE = 256 * 1024  # bytes: a record is at most a mebibyte


def return_packet(
    file: Annotated[Path, typer.Argument(help="The packet that was used.", show_default=False)],
    key: Key,
    output: Annotated[
        list[str] | None,
        typer.Option(
            "--output", metavar="TYPE=TEXT", help="A result of yours; @FILE is the text of a file; repeatable."
        ),
    ] = None,
    propose: Annotated[
        list[str] | None,
        typer.Option(
            "--propose",
            metavar="ACTION=TEXT",
            help="A change of memory: append, correct, supersede, contest or close_loop; repeatable.",
        ),
    ] = None,
    question: Annotated[list[str] | None, typer.Option("--question", help="An open question; repeatable.")] = None,
    trace: Annotated[str | None, typer.Option("--trace", help="A reference to the trace of your run.")] = None,
    human: Human = False,
    keys: KeySources = None,
    folder: Folder = None,
    submit: Submit = False,
    boundary: RecordBoundary = Boundary.INTERNAL,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
) -> None:
    """Return the results of a packet, as proposals.

    The packet must be for you, with a valid signature and hash. The return is compared with its contract and refused if
    it goes beyond that. Receipts say that outputs were emitted and updates proposed. Nothing is written anywhere else.
    """
    agent, document, moment = open_key(key, signer), load_packet(file), now()
    if document.packet_id is None:
        raise CommandError("the packet has no id that a return could name")
    check_integrity(document)
    speaker = open_keyring(keys, None, [document.members], url, token, agent).own(agent, human)
    check_recipient(roles_of(document), speaker)
    by, at = author_of(speaker), format_instant(moment)
    outputs = [_pair(text, "--output") for text in output or ()]
    proposals = [_pair(text, "--propose") for text in propose or ()]
    if not outputs and not proposals and not question:
        raise CommandError("the return is empty without --output, --propose or --question")
    own = short_id("ret", hash_of(document), by, at)
    returned = PacketReturn(
        return_id=own,
        packet_id=document.packet_id,
        packet_hash=hash_of(document),
        at=at,
        by=by,
        outputs=tuple(Output(f"out_{place}", kind, text) for place, (kind, text) in enumerate(outputs, 1)),
        proposals=tuple(
            Proposal(f"{own}_p{place}", _action(kind), text) for place, (kind, text) in enumerate(proposals, 1)
        ),
        # That there are none is an answer, where open questions are expected.
        open_loops=tuple(OpenLoop(f"olp_{own}_{place}", text) for place, text in enumerate(question or (), 1)),
        observability_ref=trace,
    )
    findings = check_return(document, returned)
    beyond = [one for one in findings if one.severity is Severity.ERROR]
    if beyond:
        raise CommandError(f"the return goes beyond its contract: {beyond[0]}")
    for one in findings:
        remark(str(one))
    records: list[PacketRecord] = [returned]
    if outputs:
        records.append(make_receipt(document, ReceiptEvent.OUTPUT_EMITTED, by, moment, trace))
    if proposals:
        records.append(make_receipt(document, ReceiptEvent.MEMORY_UPDATE_PROPOSED, by, moment, trace))
    Desk(agent, folder or Path(), url, token, submit, boundary).put(records)


def dispose(
    file: Annotated[Path, typer.Argument(metavar="RETURN", help="The return.", show_default=False)],
    outcome: Annotated[Outcome, typer.Option("--outcome", help="The decision about the return.", show_default=False)],
    packet: Annotated[Path, typer.Option("--packet", help="The packet that it came back from.", show_default=False)],
    key: Key,
    by: Annotated[
        str | None,
        typer.Option("--by", help="You, as an author: human:ID, agent:ID, system:ID or org:ID.", show_default=False),
    ] = None,
    keys: KeySources = None,
    known_key: KnownKeyTexts = None,
    proposal: Annotated[
        list[str] | None, typer.Option("--proposal", help="Of which proposals, by id; all of them without it.")
    ] = None,
    reason: Annotated[str | None, typer.Option("--reason", help="Why.")] = None,
    state: Annotated[
        str, typer.Option("--state", metavar="REF", help="The state that it made; `platform` asks the platform.")
    ] = "platform",
    folder: Folder = None,
    submit: Submit = False,
    boundary: RecordBoundary = Boundary.INTERNAL,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
) -> None:
    """Record the decision about a return.

    You are the packet's producer or governor, stand for the governor, or are named as a promoter, and did not return it
    yourself. If the contract requires human review, your key is that of a registered person (--keys). A disposition
    states the decision and its author; it promotes nothing by itself. A promoted proposal is stated as a claim of an
    agent, verified like every other, and only then is the state of the platform the state to name.
    """
    agent, record, document = open_key(key, signer), load_record(file), load_packet(packet)
    returned = record.value
    if not isinstance(returned, PacketReturn):
        raise CommandError(f"{file} is no return")
    ring = open_keyring(keys, known_key, [record.members, document.members], url, token, agent)
    by = _decider(document, record, agent, ring, by, outcome)
    known = [one.proposal_id for one in returned.proposals]
    unknown = sorted(set(proposal or ()) - set(known))
    if unknown:
        raise CommandError(f"the return has no proposal {unknown[0]}")
    if state == "platform":
        with open_client(url, token) as client:
            state = state_of(client)
    at = format_instant(now())
    named: Sequence[str | None] = proposal or known or (None,)
    records = [
        PacketDisposition(
            disposition_id=short_id("dsp", returned.return_id, name or "", outcome, at),
            from_packet=returned.packet_id,
            outcome=outcome,
            at=at,
            by=by,
            result_state=state,
            packet_hash=returned.packet_hash,
            return_id=returned.return_id,
            proposal=name,
            reason=reason,
        )
        for name in named
    ]
    Desk(agent, folder or Path(), url, token, submit, boundary).put(records)


def _decider(
    document: PacketDocument, record: RecordDocument, agent: AgentKey, ring: Keyring, by: str | None, outcome: Outcome
) -> str:
    """Return the author name of the deciding agent, once it may decide about this return of this packet.

    Raises CommandError, PacketSignatureError, PacketHashError and PacketAuthorityError.
    """
    check_integrity(document)
    returner, speaker = speaker_of(record.members, ring.keys), ring.own(agent)
    check_record(document, record.value, returner)
    roles = roles_of(document, ring.governance)
    check_promoter(roles, speaker)
    if speaker.key == returner.key:
        raise PacketAuthorityError("the return is signed with the same key: nobody decides about its own return")
    by = by or author_of(speaker)
    check_author(by, speaker)
    if document.part("return_contract").get("requires_human_review") is True and not by.startswith(HUMAN):
        raise CommandError(f"the contract requires human review, and {agent.agent_id} is not known to be a person")
    assert isinstance(record.value, PacketReturn)
    beyond = [one for one in check_return(document, record.value) if one.severity is Severity.ERROR]
    if beyond and outcome is Outcome.PROMOTED:
        raise CommandError(f"the return goes beyond its contract, and is not promoted: {beyond[0]}")
    return by


def _pair(text: str, option: str) -> tuple[str, str]:
    name, separator, rest = text.partition("=")
    if not separator or not name or not rest:
        raise CommandError(f"{option} is {text[:64]!r}, not a word, = and a text")
    if rest.startswith("@"):
        content = Path(rest[1:]).read_bytes()
        if len(content) > _LONGEST_FILE:
            raise CommandError(f"{rest[1:]} has more than {_LONGEST_FILE:,} bytes")
        return name, content.decode("utf-8", "replace")
    return name, rest


def _action(name: str) -> ProposalAction:
    try:
        return ProposalAction(name)
    except ValueError as error:
        raise CommandError(f"--propose is {name[:64]!r}, none of {', '.join(ProposalAction)}") from error
