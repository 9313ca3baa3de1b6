"""`a2ap packet return` and `a2ap packet disposition`: what comes back from a packet, and what becomes of that.

Neither changes durable memory: a return proposes, a disposition says what somebody decided (Context Packet §11).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from a2ap.boundary import Boundary
from a2ap.packet.check_return import check_return
from a2ap.packet.finding import Severity
from a2ap.packet.packet import OpenLoop
from a2ap.packet.records import (
    Output,
    PacketDisposition,
    PacketRecord,
    PacketReturn,
    Proposal,
    ProposalAction,
)
from a2ap.packet.vocabulary import Outcome, ReceiptEvent
from a2ap.times import format_instant
from graph.cli.errors import CommandError
from graph.cli.options import DEFAULT_URL, Key, SignerCommand, Token, Url, open_client
from graph.cli.packet_file import load_packet, load_record
from graph.cli.packet_out import Desk, Folder, RecordBoundary, Submit, hash_of, short_id, state_of
from graph.cli.signing import now, open_key
from graph.cli.terminal import remark
from graph.packets.receipts import make_receipt

_LONGEST_FILE = 256 * 1024  # bytes: a record is at most a mebibyte


def return_packet(
    file: Annotated[Path, typer.Argument(help="The packet that was used.", show_default=False)],
    key: Key,
    output: Annotated[
        list[str] | None,
        typer.Option("--output", metavar="TYPE=TEXT", help="What you made; @FILE is the text of a file; repeatable."),
    ] = None,
    propose: Annotated[
        list[str] | None,
        typer.Option(
            "--propose",
            metavar="ACTION=TEXT",
            help="What memory should say: append, correct, supersede, contest or close_loop; repeatable.",
        ),
    ] = None,
    question: Annotated[list[str] | None, typer.Option("--question", help="What is left open; repeatable.")] = None,
    trace: Annotated[str | None, typer.Option("--trace", help="A reference to the trace of your run.")] = None,
    human: Annotated[bool, typer.Option("--human", help="You are a person.")] = False,
    folder: Folder = None,
    submit: Submit = False,
    boundary: RecordBoundary = Boundary.INTERNAL,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
) -> None:
    """Return what came of a packet, as proposals.

    The return is compared with the packet's contract and refused where it goes beyond it. Receipts say that outputs
    were emitted and updates proposed. Nothing is written anywhere else.
    """
    agent, document, moment = open_key(key, signer), load_packet(file), now()
    if document.packet_id is None:
        raise CommandError("the packet has no id that a return could name")
    by, at = f"{'human' if human else 'agent'}:{agent.agent_id}", format_instant(moment)
    outputs = [_pair(text, "--output") for text in output or ()]
    proposals = [_pair(text, "--propose") for text in propose or ()]
    if not outputs and not proposals and not question:
        raise CommandError("--output, --propose or --question says what comes back")
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
        open_loops=tuple(OpenLoop(f"olp_{own}_{place}", text) for place, text in enumerate(question, 1))
        if question
        else None,
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
    file: Annotated[Path, typer.Argument(metavar="RETURN", help="What came back.", show_default=False)],
    outcome: Annotated[Outcome, typer.Option("--outcome", help="What becomes of it.", show_default=False)],
    by: Annotated[
        str, typer.Option("--by", help="Who decides: human:NAME, org:NAME, or another author.", show_default=False)
    ],
    key: Key,
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
    """Record what becomes of a return.

    A disposition says what was decided, and by whom; it promotes nothing by itself. What is promoted is stated as a
    claim of somebody, verified like every other, and only then is the state of the platform the one to name.
    """
    agent, returned = open_key(key, signer), load_record(file).value
    if not isinstance(returned, PacketReturn):
        raise CommandError(f"{file} is no return")
    known = [one.proposal_id for one in returned.proposals]
    unknown = sorted(set(proposal or ()) - set(known))
    if unknown:
        raise CommandError(f"the return has no proposal {unknown[0]}")
    if not by.startswith(("human:", "agent:", "system:", "org:")):
        raise CommandError(f"--by is {by!r}, and begins with human:, agent:, system: or org:")
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
