"""`a2ap packet receive` and `a2ap packet use`: the permitted uses of a received packet, and its receipts.

Two steps with statuses of their own: a packet that is received is opened, and used only when no duty before its use is
outstanding. Status 0 if the step is allowed, 1 if it is refused, and of `use` 3 if something is outstanding.
"""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from a2ap.boundary import Boundary, Use
from a2ap.packet.authority import Origin
from a2ap.packet.canon import match_hash
from a2ap.packet.check_packet import check_packet
from a2ap.packet.document import PacketDocument
from a2ap.packet.errors import PacketHashError
from a2ap.packet.vocabulary import Degree
from graph.cli.options import DEFAULT_URL, AsJson, Key, SignerCommand, Token, Url, open_client
from graph.cli.packet_file import load_packet
from graph.cli.packet_keys import KeySources, KnownKeyTexts, Literal, open_keyring
from graph.cli.packet_out import Desk, Folder, RecordBoundary, Submit, state_of
from graph.cli.signing import now, open_key
from graph.cli.terminal import print_json, say
from graph.packets.receipts import receipts_of, receipts_of_use
from graph.packets.reception import Aim, Consumer, Reception, receive

File = Annotated[Path, typer.Argument(help="The packet; - reads standard input.", allow_dash=True, show_default=False)]
Human = Annotated[bool, typer.Option("--human", help="You are a person, and your key is registered as one.")]
Clearance = Annotated[Boundary, typer.Option("--clearance", help="Your clearance: a packet above it is refused.")]
State = Annotated[
    str | None,
    typer.Option("--state", help="Where the substrate stands now; `platform` asks the platform.", metavar="REF"),
]

OUTSTANDING = 3
"""The status of `use` if something has to be done first."""


def receive_packet(
    file: File,
    aim: Annotated[Aim, typer.Option("--for", help="The purpose for which it is received.", show_default=False)],
    key: Key,
    use: Annotated[Use, typer.Option("--use", help="The action for which it is received.")] = Use.READ_ONLY,
    clearance: Clearance = Boundary.INTERNAL,
    stakes: Annotated[Degree, typer.Option("--stakes", help="How much depends on it.")] = Degree.MEDIUM,
    human: Human = False,
    state: State = None,
    keys: KeySources = None,
    known_key: KnownKeyTexts = None,
    by_letter: Literal = False,
    folder: Folder = None,
    submit: Submit = False,
    boundary: RecordBoundary = Boundary.INTERNAL,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Receive a packet, and print its permitted uses.

    Every duty of a consumer is applied: origin, expiry, clearance, uses, staleness, unknown and superseded items,
    branches, quoted data, open loops. Nothing of the packet is executed or fetched. Receipts are written beside it,
    signed: of the delivery, and that it was opened or refused. Its use is another step, `a2ap packet use`. Ends with 0
    only if it is accepted.
    """
    agent, document, moment = open_key(key, signer), load_packet(file), now()
    ring = open_keyring(keys, known_key, [document.members], url, token, agent)
    consumer = Consumer(
        agent.agent_id, aim, use, clearance, stakes, ring.own(agent, human).person, _state(state, url, token)
    )
    reception = _receive(document, consumer, moment, ring.origin(document, by_letter), as_json=as_json)
    if document.packet_id is not None:
        desk = Desk(agent, folder or Path(), url, token, submit, boundary)
        desk.put(receipts_of(document, reception, ring.author(agent), moment), quiet=as_json)
    if not reception.accepted:
        raise typer.Exit(1)


def use_packet(
    file: File,
    key: Key,
    use: Annotated[Use, typer.Option("--use", help="The action for which it is received.")] = Use.READ_ONLY,
    clearance: Clearance = Boundary.INTERNAL,
    stakes: Annotated[Degree, typer.Option("--stakes", help="How much depends on it.")] = Degree.MEDIUM,
    human: Human = False,
    state: State = None,
    keys: KeySources = None,
    known_key: KnownKeyTexts = None,
    by_letter: Literal = False,
    trace: Annotated[
        str | None, typer.Option("--trace", help="A reference to the trace of your run: it goes into the receipts.")
    ] = None,
    revalidated: Annotated[
        bool, typer.Option("--revalidated", help="You validated it again, against the state in --state.")
    ] = False,
    folder: Folder = None,
    submit: Submit = False,
    boundary: RecordBoundary = Boundary.INTERNAL,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Put on record that a packet is used.

    It is received for action once more, as of now. The receipt of the use is written only if nothing is outstanding:
    the packet is validated again if it asks for that, and a trace is named if its contract requires one. Ends with 0 if
    it may be used, with 1 if it is refused, and with 3 if something has to be done first.
    """
    agent, document, moment = open_key(key, signer), load_packet(file), now()
    ring = open_keyring(keys, known_key, [document.members], url, token, agent)
    found = _state(state, url, token)
    person = ring.own(agent, human).person
    consumer = Consumer(
        agent.agent_id, Aim.ACTION, use, clearance, stakes, person, found, trace is not None, revalidated
    )
    reception = _receive(document, consumer, moment, ring.origin(document, by_letter), as_json=as_json)
    if not reception.accepted:
        raise typer.Exit(1)
    if not reception.usable:
        raise typer.Exit(OUTSTANDING)
    validated = found if revalidated else None
    receipts = receipts_of_use(document, reception, ring.author(agent), moment, trace, validated)
    Desk(agent, folder or Path(), url, token, submit, boundary).put(receipts, quiet=as_json)


def _state(state: str | None, url: str, token: str | None) -> str | None:
    if state != "platform":
        return state
    with open_client(url, token) as client:
        return state_of(client)


def _receive(
    document: PacketDocument, consumer: Consumer, moment: datetime, origin: Origin | None, *, as_json: bool
) -> Reception:
    """Receive a packet, and print its permitted uses."""
    report = check_packet(document, now=moment, by_letter=origin is None)
    found = receive(document, consumer, moment, level=report.level, hash_holds=_hash_holds(document), origin=origin)
    if as_json:
        print_json(found.members)
    else:
        _tell(found)
    return found


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
        ("first", reception.outstanding),
        ("open", reception.constraints),
    ):
        for one in reasons:
            say(f"{title:<11} §{one.rule}: {one.words}")
    level = reception.level or "no level"
    permitted = reception.permitted or "nothing"
    say(f"{reception.decision} for {reception.aim}: {level}, permits {permitted}, returns are proposals")
