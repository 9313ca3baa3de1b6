"""`a2ap source`: registers a file as a source, uploads its bytes, and makes its class stricter."""

import hashlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from mimetypes import guess_type
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, DownloadColumn, TextColumn, TransferSpeedColumn

from a2ap.boundary import Boundary
from a2ap.client import Client, Receipt
from a2ap.client.possession import send_with_proof
from a2ap.messages.possession import PossessionMac
from a2ap.messages.source_registration import build_source_registration
from a2ap.times import parse_instant
from graph.cli.errors import CommandError
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, SignerCommand, Token, Url, open_client
from graph.cli.pages import walk_pages
from graph.cli.signing import fresh_id, now, open_key, print_receipt, sign
from graph.cli.terminal import print_document, print_json, progress, remark, say

_MEDIA_TYPES = {".srt": "application/x-subrip", ".vtt": "text/vtt"}
_PIECE = 1 << 20  # bytes

_DOCUMENT = """
query ($name: String!) {
  documents(first: 2, filter: {name: $name}) { nodes {
    id hash title boundary mediaType byteLength licence rightsHolder retainUntil
    boundaryRequests { boundary logIndex agent { id } } } }
}"""

_REQUESTED = """
query ($after: String) {
  documents(first: 100, after: $after, filter: {registered: true}) {
    pageInfo { endCursor hasNextPage } nodes { hash boundaryRequests { boundary logIndex agent { id } } } }
}"""

Name = Annotated[str, typer.Argument(help="The hash of the source, or the name that statements cite.")]


def add(
    file: Annotated[Path, typer.Argument(help="The file, whose bytes are taken as they are.")],
    urn: Annotated[str, typer.Option("--urn", help="The name that statements cite, such as urn:doc:meeting:7.")],
    key: Key,
    title: Annotated[str | None, typer.Option("--title", help="Its title; without it, the name of the file.")] = None,
    boundary: Annotated[
        Boundary, typer.Option("--boundary", help="Its class, which says which readers may have it.")
    ] = Boundary.PUBLIC,
    publisher: Annotated[str | None, typer.Option("--publisher", help="The publisher of the source.")] = None,
    origin: Annotated[str | None, typer.Option("--origin", help="The http or https address that it came from.")] = None,
    media_type: Annotated[
        str | None,
        typer.Option("--media-type", help="Its media type; without it, the type that the file name suggests."),
    ] = None,
    licence: Annotated[str | None, typer.Option("--licence", help="Its licence, an address or words.")] = None,
    rights_holder: Annotated[str | None, typer.Option("--rights-holder", help="The holder of the rights.")] = None,
    retain_until: Annotated[
        str | None,
        typer.Option("--retain-until", help="Until when it is kept, such as 2030-01-01T00:00:00Z."),
    ] = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Register a file as a source and upload it.

    Statements that cite it are checked against it at once. Bytes that the platform has already are not sent again. The
    registration proves that you have the bytes: if you are the first, no stranger makes the source stricter afterwards.
    """
    key_file = open_key(key, signer)
    document_hash, length, possession_mac = _digests_of(file, key_file.agent_id)
    date = None if retain_until is None else parse_instant(retain_until, "--retain-until")
    build = partial(
        build_source_registration,
        registration_id=fresh_id(),
        registered_at=now(),
        registering_agent=key_file.agent_id,
        source_id=urn,
        document_hash=document_hash,
        boundary=boundary,
        title=title if title is not None else file.name,
        publisher=publisher,
        origin=origin,
        media_type=media_type or _MEDIA_TYPES.get(file.suffix.lower()) or guess_type(file.name)[0],
        byte_length=length,
        licence=licence,
        rights_holder=rights_holder,
        retain_until=date,
    )
    pieces = partial(_pieces_of, file, length)
    if print_only:
        print_document(sign(build(), key_file))
        return

    with open_client(url) as client:
        is_here = client.has_source(document_hash)

        def hand_in(mac: str | None) -> Receipt:
            signed = sign(build(possession_mac=mac), key_file)
            if mac is not None:
                return client.add_source(signed, b"") if is_here else client.add_source(signed, pieces(), length)
            receipt = client.register_source(signed)
            if not is_here:
                client.put_source(document_hash, pieces(), length, boundary)
            return receipt

        receipt = send_with_proof(hand_in, possession_mac)
        if is_here:
            remark(f"the platform has these {length:,} bytes already")
        print_receipt(receipt, as_json)
        _compare(_document(client, document_hash), boundary, date)


def requests(
    document: Annotated[
        str | None, typer.Argument(help="Hash of a source, or the name that statements cite; omit to list all.")
    ] = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """List the requests for a stricter class of sources.

    The owner of the source, or the operator of the node, accepts with `a2ap source tighten`.
    """
    with open_client(url, token) as client:
        found = [_document(client, document)] if document is not None else list(_requested(client))
    asked = [{"document": one["hash"], **request} for one in found for request in one["boundaryRequests"]]
    if as_json:
        print_json(asked)
        return
    if not asked:
        about = "" if document is None else f"{document} is {found[0]['boundary']}, and "
        remark(f"{about}this reader sees no request for a stricter class")
    for one in asked:
        say(f"{one['document']}  {one['boundary']}  asked for by {one['agent']['id']} in entry {one['logIndex']}")


def tighten(
    document: Name,
    boundary: Annotated[Boundary, typer.Option("--boundary", help="The class that it gets; no class grows milder.")],
    key: Key,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Give a source a stricter class.

    Its owner and the agents that the operator answers for decide the class; for any other agent it is a request.
    """
    key_file = open_key(key, signer)
    with open_client(url, token) as client:
        found = _document(client, document)
        if found["title"] is None:
            raise CommandError(
                f"{document} is {found['boundary']}, and this reader is not cleared for its title, which a registration"
                " repeats: use --token, or register the file again with `a2ap source add --boundary`"
            )
        message = build_source_registration(
            registration_id=fresh_id(),
            registered_at=now(),
            registering_agent=key_file.agent_id,
            source_id=found["id"],
            document_hash=found["hash"],
            boundary=boundary,
            title=found["title"],
            media_type=found["mediaType"],
            byte_length=found["byteLength"],
            licence=found["licence"],
            rights_holder=found["rightsHolder"],
        )
        receipt = client.register_source(sign(message, key_file))
        after = Boundary(_document(client, document)["boundary"])
    print_receipt(receipt, as_json)
    if after < boundary:
        raise CommandError(f"the source is {after}: the owner or the operator has to accept the request for {boundary}")
    if after > boundary:
        raise CommandError(f"the source stays {after}: no class grows milder")


def _compare(found: Mapping[str, Any], boundary: Boundary, date: datetime | None) -> None:
    """Say which of a class and a date that were registered are not in force."""
    in_force = Boundary(found["boundary"])
    if in_force < boundary:
        remark(f"the class in force is {in_force}: {boundary} is a request, which the owner or the operator accepts")
    elif in_force > boundary:
        remark(f"the class in force is {in_force}: another registration stated it, and no class grows milder")
    due = found["retainUntil"]
    if date is not None and (due is None or parse_instant(due, "retainUntil") != date):
        words = "the node sets it, and an owner for which the operator answers"
        remark(f"the date in force is {due or 'none'}: {words}")


def _requested(client: Client) -> Iterator[dict[str, Any]]:
    """Yield each source that this reader may see and for which a stricter class is requested."""
    for page in walk_pages(lambda _, after: client.graphql(_REQUESTED, {"after": after}), "documents"):
        yield from (one for one in page["documents"]["nodes"] if one["boundaryRequests"])


def _document(client: Client, name: str) -> dict[str, Any]:
    """Return the one document of this URN or hash."""
    nodes = client.graphql(_DOCUMENT, {"name": name})["documents"]["nodes"]
    if not nodes:
        raise CommandError(f"{name} is no source here")
    if len(nodes) > 1:
        raise CommandError(f"{name} stands for several documents; name one by its hash")
    found: dict[str, Any] = nodes[0]
    return found


def _digests_of(file: Path, agent: str) -> tuple[str, int, str]:
    """Return the hash of a file, its length in bytes, and the agent's MAC of it."""
    digest, mac, length = hashlib.sha256(), PossessionMac(agent), 0
    with file.open("rb") as opened:
        while piece := opened.read(_PIECE):
            digest.update(piece)
            mac.update(piece)
            length += len(piece)
    return f"sha256:{digest.hexdigest()}", length, mac.text


def _pieces_of(file: Path, length: int) -> Iterator[bytes]:
    """Yield a file piece by piece, and show a person how much of it was sent."""
    columns = (TextColumn("Handing in"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with progress(*columns) as display, file.open("rb") as opened:
        task = display.add_task("", total=length)
        while piece := opened.read(_PIECE):
            yield piece
            display.advance(task, len(piece))
