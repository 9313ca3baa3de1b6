"""`a2ap packet receive`: what may be done with a packet that one was handed, and the receipts of that."""

from pathlib import Path
from typing import Annotated

import typer

from a2ap.boundary import Boundary, Use
from a2ap.packet.canon import match_hash
from a2ap.packet.check_packet import check_packet
from a2ap.packet.document import PacketDocument
from a2ap.packet.errors import PacketHashError
from a2ap.packet.vocabulary import Degree
from graph.cli.options import DEFAULT_URL, AsJson, Key, SignerCommand, Token, Url, open_client
from graph.cli.packet_file import load_packet
from graph.cli.packet_out import Desk, Folder, RecordBoundary, Submit, state_of
from graph.cli.signing import now, open_key
from graph.cli.terminal import print_json, say
from graph.packets.receipts import receipts_of
from graph.packets.reception import Aim, Consumer, Reception, receive


def receive_packet(
    file: Annotated[
        Path, typer.Argument(help="The packet; - reads standard input.", allow_dash=True, show_default=False)
    ],
    aim: Annotated[Aim, typer.Option("--for", help="What it is received for.", show_default=False)],
    key: Key,
    use: Annotated[Use, typer.Option("--use", help="What is to be done with it.")] = Use.READ_ONLY,
    clearance: Annotated[Boundary, typer.Option("--clearance", help="What you may read.")] = Boundary.INTERNAL,
    stakes: Annotated[Degree, typer.Option("--stakes", help="How much depends on it.")] = Degree.MEDIUM,
    human: Annotated[bool, typer.Option("--human", help="You are a person, or one looks at all of it.")] = False,
    trace: Annotated[
        str | None, typer.Option("--trace", help="A reference to the trace of your run: it goes into the receipts.")
    ] = None,
    state: Annotated[
        str | None,
        typer.Option("--state", help="Where the substrate stands now; `platform` asks the platform.", metavar="REF"),
    ] = None,
    folder: Folder = None,
    submit: Submit = False,
    boundary: RecordBoundary = Boundary.INTERNAL,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Receive a packet, and say what may be done with it.

    Every duty of a consumer is applied: expiry, clearance, uses, staleness, unknown and superseded items, branches,
    quoted data, open loops. Nothing of the packet is executed or fetched. Receipts are written beside it, signed: of
    the delivery, of the use or the refusal, and of the trace. Ends with 0 only where it may be used.
    """
    agent = open_key(key, signer)
    document = load_packet(file)
    if state == "platform":
        with open_client(url, token) as client:
            state = state_of(client)
    moment = now()
    consumer = Consumer(agent.agent_id, aim, use, clearance, stakes, human, state)
    report = check_packet(document, now=moment)
    reception = receive(document, consumer, moment, level=report.level, hash_holds=_hash_holds(document))
    if as_json:
        print_json(reception.members)
    else:
        _tell(reception)
    if document.packet_id is not None:
        desk = Desk(agent, folder or Path(), url, token, submit, boundary)
        by = f"{'human' if human else 'agent'}:{agent.agent_id}"
        desk.put(receipts_of(document, reception, by, moment, trace), quiet=as_json)
    if not reception.accepted:
        raise typer.Exit(1)


def _hash_holds(document: PacketDocument) -> bool | None:
    if document.packet_hash is None:
        return None
    try:
        return match_hash(document) is not None
    except PacketHashError:
        return False


def _tell(reception: Reception) -> None:
    for item in reception.items:
        never = f" Never: {', '.join(item.never)}." if item.never else ""
        say(f"{item.treatment:<11} {item.item_id}: §{item.rule} {item.words}{never}")
    for title, reasons in (
        ("refused", reception.reasons),
        ("first", reception.before_action),
        ("open", reception.constraints),
    ):
        for one in reasons:
            say(f"{title:<11} §{one.rule}: {one.words}")
    level = reception.level or "no level"
    permitted = reception.permitted or "nothing"
    say(f"{reception.decision} for {reception.aim}: {level}, permits {permitted}, returns are proposals")
