"""`a2ap packet assemble`: a packet made from the graph of a platform for one agent, one purpose and a while."""

import json
from pathlib import Path
from typing import Annotated

import typer

from a2ap.boundary import Boundary, Use
from a2ap.packet.building import seal_packet, write_members
from a2ap.packet.document import read_document
from a2ap.packet.vocabulary import Degree, PacketType
from graph.cli.errors import CommandError
from graph.cli.options import DEFAULT_URL, SignerCommand, Token, Url, open_client
from graph.cli.packet_file import write_output
from graph.cli.signing import open_key
from graph.cli.terminal import remark
from graph.packets.order import DEFAULT_ITEMS, DEFAULT_SECONDS, DEFAULT_TOKENS, PacketOrder

Output = Annotated[Path | None, typer.Option("--output", "-o", help="A new file, instead of standard output.")]


def assemble(
    recipient: Annotated[str, typer.Option("--for", help="The agent that it is for, by its id.", show_default=False)],
    purpose: Annotated[str, typer.Option("--purpose", help="The purpose of the packet, in words.", show_default=False)],
    ceiling: Annotated[Boundary, typer.Option("--ceiling", help="The highest class that goes in.", show_default=False)],
    topic: Annotated[
        list[str] | None, typer.Option("--topic", help="Words, for statements about them; repeatable.")
    ] = None,
    statement: Annotated[
        list[str] | None, typer.Option("--statement", help="A statement, by id or signed hash; repeatable.")
    ] = None,
    recipient_type: Annotated[
        str, typer.Option("--recipient-type", help="agent, model, human, tool, workflow or runtime.")
    ] = "agent",
    session: Annotated[str | None, typer.Option("--session", help="The recipient's session.")] = None,
    task: Annotated[str | None, typer.Option("--task", help="A reference to the task; the order without it.")] = None,
    packet_type: Annotated[PacketType, typer.Option("--type", help="The type of packet.")] = PacketType.RESEARCH,
    workspace: Annotated[str | None, typer.Option("--workspace", help="The workspace; the platform without.")] = None,
    project: Annotated[str | None, typer.Option("--project", help="The project.")] = None,
    use: Annotated[Use, typer.Option("--use", help="The worst use that it allows.")] = Use.DRAFT_ONLY,
    stakes: Annotated[Degree, typer.Option("--stakes", help="How much depends on it.")] = Degree.MEDIUM,
    items: Annotated[int, typer.Option("--items", min=1, help="Items at most.")] = DEFAULT_ITEMS,
    budget: Annotated[int, typer.Option("--budget", min=1, help="Tokens at most, about.")] = DEFAULT_TOKENS,
    seconds: Annotated[int, typer.Option("--seconds", min=1, help="How long it may be acted on.")] = DEFAULT_SECONDS,
    supersedes: Annotated[
        str | None, typer.Option("--supersedes", help="The packet that it takes the place of.")
    ] = None,
    audited: Annotated[bool, typer.Option("--audited", help="Claim CP-Audited, and ask for a trace.")] = False,
    review: Annotated[bool, typer.Option("--review/--no-review", help="Whether a person reviews the return.")] = True,
    promoter: Annotated[
        list[str] | None,
        typer.Option("--promoter", help="An agent that may decide about the return, by its id; repeatable."),
    ] = None,
    sign: Annotated[
        Path | None, typer.Option("--sign", help="A key file: you sign it. Without, nobody does.", show_default=False)
    ] = None,
    node_signs: Annotated[bool, typer.Option("--signed", help="Have the platform sign it.")] = False,
    output: Output = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
) -> None:
    """Assemble a packet from the graph.

    Statements become items with their verdicts and passages; undecided points about them become open loops; statements
    above the ceiling, superseded or beyond the budget are left out and counted. Words of others are quoted data.
    Nothing is registered: `a2ap packet register` submits it. `a2ap packet validate` prints the level that it reaches.
    """
    if sign is not None and node_signs:
        raise CommandError("--sign is instead of --signed")
    order = PacketOrder(
        recipient=recipient,
        purpose=purpose,
        ceiling=ceiling,
        statements=tuple(statement or ()),
        topics=tuple(topic or ()),
        recipient_type=recipient_type,
        session=session,
        task=task,
        packet_type=packet_type,
        workspace=workspace,
        project=project,
        use=use,
        stakes=stakes,
        max_items=items,
        max_tokens=budget,
        seconds=seconds,
        supersedes=supersedes,
        audited=audited,
        signed=node_signs,
        requires_review=review,
        promoters=tuple(promoter or ()),
    )
    if not order.statements and not order.topics:
        raise CommandError("neither --topic nor --statement names the subject of the packet")
    with open_client(url, token) as client:
        content = client.assemble_packet(json.dumps(order.members).encode())
    if sign is not None:
        key = open_key(sign, signer)
        content = write_members(seal_packet(read_document(content).members, key=key.key, key_id=key.key_id)).data
    write_output(content, output)
    document = read_document(content)
    left_out = sum(one["count"] for one in document.parts("exclusions"))
    remark(
        f"{document.packet_id}: {len(document.items)} items, {len(document.parts('open_loops'))} open loops, "
        f"{left_out} left out; {document.packet_hash}"
    )
