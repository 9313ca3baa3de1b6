"""`a2ap packet forward` and `a2ap packet register`: a packet passed on, and a packet submitted to a platform."""

from pathlib import Path
from typing import Annotated

import typer

from a2ap.boundary import Boundary, Use
from a2ap.packet.authority import roles_of
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
from graph.cli.packet_keys import KeySources, KnownKeyTexts, Literal, open_keyring
from graph.cli.packet_out import PATH as RECORDS
from graph.cli.packet_out import Desk, Folder, RecordBoundary, Submit
from graph.cli.signing import now, open_key, print_receipt
from graph.packets.forwarding import Forwarding, forward
from graph.packets.receipts import make_receipt

PATH = "/packets"


def forward_packet(
    file: Annotated[Path, typer.Argument(help="The packet that you were handed.", show_default=False)],
    recipient: Annotated[
        str, typer.Option("--for", help="The agent to which it is passed on, by id.", show_default=False)
    ],
    key: Key,
    purpose: Annotated[str | None, typer.Option("--purpose", help="The purpose from now on, in words.")] = None,
    ceiling: Annotated[Boundary | None, typer.Option("--ceiling", help="A lower ceiling.")] = None,
    use: Annotated[Use | None, typer.Option("--use", help="A lesser use.")] = None,
    seconds: Annotated[int | None, typer.Option("--seconds", min=1, help="A shorter time to act on it.")] = None,
    recipient_type: Annotated[
        str, typer.Option("--recipient-type", help="agent, model, human, tool, workflow or runtime.")
    ] = "agent",
    keys: KeySources = None,
    known_key: KnownKeyTexts = None,
    by_letter: Literal = False,
    output: Output = None,
    folder: Folder = None,
    submit: Submit = False,
    boundary: RecordBoundary = Boundary.INTERNAL,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
) -> None:
    """Pass a packet on, restricted.

    It becomes a packet of its own, signed by you, that names its original. Nothing is relaxed: no class, no use, no
    time, no quotation. You need a part in the packet, as its recipient, producer or governor; a governor whose
    governance is not shown is not passed on, and neither is a level that the packet no longer reaches. A receipt says
    that you forwarded it.
    """
    agent, document, moment = open_key(key, signer), load_packet(file), now()
    wanted = Forwarding(agent.agent_id, recipient, recipient_type, purpose, ceiling, use, seconds)
    ring = open_keyring(keys, known_key, [document.members], url, token, agent)
    if not by_letter and not roles_of(document).of(agent.agent_id):
        raise CommandError(f"{agent.agent_id} has no part in the packet, which is for another agent")
    passed_on = forward(document, wanted, moment, ring.origin(document, by_letter))
    members = seal_packet(passed_on, key=agent.key, key_id=agent.key_id)
    passed = write_members(members)
    widened = [one for one in check_forwarding(document, passed) if one.severity is Severity.ERROR]
    if widened:
        raise CommandError(f"the packet cannot be passed on: {widened[0]}")
    write_output(passed.data, output)
    receipt = make_receipt(document, ReceiptEvent.FORWARDED, ring.author(agent), moment, passed.packet_id)
    Desk(agent, folder or Path(), url, token, submit, boundary).put([receipt], quiet=output is None)


def register_packet(
    file: Annotated[Path, typer.Argument(help="A packet, receipt, return or disposition.", show_default=False)],
    boundary: Annotated[
        Boundary,
        typer.Option("--boundary", help="Its class, which says which readers may have it.", show_default=False),
    ],
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Submit a packet, or a record about one, to a platform.

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
