"""`a2ap packet forward` and `a2ap packet register`: a packet passed on, and a packet handed in to a platform."""

from pathlib import Path
from typing import Annotated

import typer

from a2ap.boundary import Boundary, Use
from a2ap.packet.building import seal_packet, write_members
from a2ap.packet.errors import PacketError
from a2ap.packet.finding import Severity
from a2ap.packet.forwarding import check_forwarding
from a2ap.packet.records import read_record
from a2ap.packet.vocabulary import ReceiptEvent
from graph.cli.errors import CommandError
from graph.cli.options import DEFAULT_URL, AsJson, Key, SignerCommand, Token, Url, open_client
from graph.cli.packet_assemble import Output
from graph.cli.packet_file import load_packet, write_output
from graph.cli.packet_out import PATH as RECORDS
from graph.cli.packet_out import Desk, Folder, RecordBoundary, Submit
from graph.cli.signing import now, open_key, print_receipt
from graph.packets.forwarding import Forwarding, forward
from graph.packets.receipts import make_receipt

PATH = "/packets"


def forward_packet(
    file: Annotated[Path, typer.Argument(help="The packet that you were handed.", show_default=False)],
    recipient: Annotated[str, typer.Option("--for", help="Whom it is passed on to, by id.", show_default=False)],
    key: Key,
    purpose: Annotated[str | None, typer.Option("--purpose", help="What it is for now, in words.")] = None,
    ceiling: Annotated[Boundary | None, typer.Option("--ceiling", help="A lower ceiling.")] = None,
    use: Annotated[Use | None, typer.Option("--use", help="A lesser use.")] = None,
    seconds: Annotated[int | None, typer.Option("--seconds", min=1, help="A shorter time to act on it.")] = None,
    recipient_type: Annotated[
        str, typer.Option("--recipient-type", help="agent, model, human, tool, workflow or runtime.")
    ] = "agent",
    output: Output = None,
    folder: Folder = None,
    submit: Submit = False,
    boundary: RecordBoundary = Boundary.INTERNAL,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
) -> None:
    """Pass a packet on, restricted.

    It becomes a packet of its own, signed by you, that names the one it comes from. Nothing is relaxed: no class, no
    use, no time, no quotation. A receipt says that you forwarded it.
    """
    agent, document, moment = open_key(key, signer), load_packet(file), now()
    wanted = Forwarding(agent.agent_id, recipient, recipient_type, purpose, ceiling, use, seconds)
    members = seal_packet(forward(document, wanted, moment), key=agent.key, key_id=agent.key_id)
    passed = write_members(members)
    widened = [one for one in check_forwarding(document, passed) if one.severity is Severity.ERROR]
    if widened:
        raise CommandError(f"the packet cannot be passed on: {widened[0]}")
    write_output(passed.data, output)
    receipt = make_receipt(document, ReceiptEvent.FORWARDED, f"agent:{agent.agent_id}", moment, passed.packet_id)
    Desk(agent, folder or Path(), url, token, submit, boundary).put([receipt], quiet=output is None)


def register_packet(
    file: Annotated[Path, typer.Argument(help="A packet, receipt, return or disposition.", show_default=False)],
    boundary: Annotated[Boundary, typer.Option("--boundary", help="Who may read it.", show_default=False)],
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Hand a packet, or a record about one, in to a platform.

    It is kept byte for byte, and the platform registers that it was received.
    """
    content = file.read_bytes()
    path = RECORDS if _is_record(content) else PATH
    with open_client(url, token) as client:
        for receipt in client.register_records(path, content, boundary=boundary.value):
            print_receipt(receipt, as_json)


def _is_record(content: bytes) -> bool:
    try:
        read_record(content)
    except PacketError:
        return False
    return True
