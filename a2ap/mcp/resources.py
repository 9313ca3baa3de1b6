"""The resources: statements, bundles, sources and packets of the node, as far as the agent is cleared for them.

Text is framed as data of its author; bundles, packets and sources that are no text are given byte for byte. The list
has statements, then sources, then packets, newest or lowest hash first, a page at a time.
"""

import base64
import binascii
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.shared.exceptions import MCPError
from mcp.types import INTERNAL_ERROR, INVALID_PARAMS, ListResourcesResult, Resource, ResourceTemplate

from a2ap.bundle.bundle import MEDIA_TYPE as BUNDLE_TYPE
from a2ap.client.answers import ProblemError
from a2ap.errors import A2APError
from a2ap.mcp.access import Access
from a2ap.mcp.errors import resource_errors, sentence
from a2ap.mcp.queries import PACKET, PACKETS, SOURCE, SOURCES, STATEMENTS
from a2ap.mcp.quoted import Quoted, identifier, literal, one_line
from a2ap.mcp.reading_tools import bundle_of, trace_of

PAGE = 50
"""Resources in a page of the list."""

MAX_TEXT = 200_000
"""The most characters of a source or a packet that are framed as text."""

MAX_BLOB = 8 * 2**20
"""The most bytes of a resource."""

TEMPLATES = (
    ResourceTemplate(
        uri_template="statement://{name}",
        name="statement",
        title="A statement",
        description="A statement with its quotes and its standing, by its signed hash or its id.",
        mime_type="text/plain",
    ),
    ResourceTemplate(
        uri_template="bundle://{name}",
        name="bundle",
        title="The bundle of a statement",
        description="The file that proves a statement off-line, byte for byte.",
        mime_type=BUNDLE_TYPE,
    ),
    ResourceTemplate(
        uri_template="source://{hash}{?start,end}",
        name="source",
        title="A source",
        description="The bytes of a source by its hash, all of them or from start to end: text as quoted data.",
    ),
    ResourceTemplate(
        uri_template="packet://{name}",
        name="packet",
        title="A Context Packet",
        description="A packet by its hash or its id: as quoted data, and byte for byte.",
        mime_type="application/json",
    ),
)

_URI = re.compile(r"(statement|bundle|source|packet)://([^?#]+)(?:\?([^#]*))?")
_RANGE = re.compile(r"(start|end)=([0-9]{1,15})")
_MEDIA_TYPE = re.compile(r"[\w.+-]{1,100}/[\w.+-]{1,100}", re.ASCII)

Contents = list[ReadResourceContents]


@dataclass(frozen=True, slots=True)
class _Listing:
    """A part of the list: its query, the member of its answer, and the resource of a node of it."""

    query: str
    member: str
    resource: Callable[[Mapping[str, Any]], Resource | None]


async def list_page(access: Access, cursor: str | None) -> ListResourcesResult:
    """Return a page of the list; raises `MCPError` for a cursor that is none, and if the node does not answer."""
    name, after = _read_cursor(cursor)
    listing = _LISTINGS[name]
    try:
        page = (await access.reader.graphql(listing.query, first=PAGE, after=after))[listing.member]
    except ProblemError as error:
        code = INTERNAL_ERROR if after is None else INVALID_PARAMS
        raise MCPError(code=code, message=sentence(error)) from error
    except A2APError as error:
        raise MCPError(code=INTERNAL_ERROR, message=sentence(error)) from error
    resources = [found for found in map(listing.resource, page["nodes"]) if found is not None]
    return ListResourcesResult(resources=resources, next_cursor=_next_cursor(name, page["pageInfo"]))


def is_ours(uri: str) -> bool:
    """Say whether an address is of one of these resources."""
    return _URI.match(uri) is not None


async def read(access: Access, uri: str) -> Sequence[ReadResourceContents]:
    """Return the contents of a resource; raises `ResourceError`."""
    found = _URI.fullmatch(uri)
    if found is None or (found[3] is not None and found[1] != "source"):
        raise ResourceNotFoundError(f"{one_line(uri)} is no address of a resource")
    kind, name, query = found.groups()
    with resource_errors():
        if kind == "statement":
            text = "\n".join((await trace_of(access, name)).lines())
            return [ReadResourceContents(content=text, mime_type="text/plain")]
        if kind == "bundle":
            return [ReadResourceContents(content=_bounded(await bundle_of(access, name)), mime_type=BUNDLE_TYPE)]
        if kind == "packet":
            return await _packet(access, name)
        return await _source(access, name, _read_range(uri, query))


async def _source(access: Access, name: str, byte_range: tuple[int, int | None]) -> Contents:
    nodes = (await access.reader.graphql(SOURCE, name=name))["documents"]["nodes"]
    if len(nodes) != 1 or nodes[0]["hash"] != name:
        raise ResourceNotFoundError(f"the node has no source {one_line(name)}")
    start, end = byte_range
    length = int(nodes[0]["byteLength"] or MAX_BLOB)
    end = length if end is None else min(end, length)
    if length and start >= length:
        raise ResourceNotFoundError(f"the source has {length} bytes, and none from {start}")
    is_part = (start, end) != (0, length)
    if end - start > MAX_BLOB:
        raise ResourceError(f"the source has more than {MAX_BLOB} bytes: read a part of it, with start and end")
    response = await access.reader.fetch("sources", name, byte_range=(start, end) if is_part else None)
    content = _bounded(response.content)
    stated = _media_type(nodes[0])
    text = _as_text(content, is_part=is_part) if stated.startswith("text/") or stated == "application/json" else None
    if text is None:
        return [ReadResourceContents(content=content, mime_type=stated)]
    title = literal(nodes[0]["title"] or "", 300)
    told = f"Source {one_line(name)}, {stated}, title {title}, bytes {start} to {start + len(content)}."
    framed = Quoted.of(text, "source", None, MAX_TEXT).framed()
    return [ReadResourceContents(content=f"{told}\n{framed}", mime_type="text/plain")]


async def _packet(access: Access, name: str) -> Contents:
    found = (await access.reader.graphql(PACKET, name=name))["packet"]
    if found is None:
        raise ResourceNotFoundError(f"the node has no packet {one_line(name)}")
    if found["withheld"]:
        raise ResourceError(f"the packet is withheld: {literal(found['withheld'], 500)}")
    stated = [
        (words, found[member])
        for words, member in (
            ("id", "packetId"),
            ("type", "packetType"),
            ("producer", "producerId"),
            ("recipient", "recipientId"),
            ("expires", "expiresAt"),
            ("highest class", "boundaryCeiling"),
        )
        if found[member] is not None
    ]
    signer = found["signedBy"]
    told = [
        f"Packet {identifier(found['recordHash'])}, level {one_line(found['level'] or 'none')}, "
        + ("without a valid signature." if signer is None else f"signed by {identifier(signer)}."),
        "It states: " + "; ".join(f"{words} {literal(value, 300)}" for words, value in stated) + ".",
    ]
    contents: Contents = []
    if found["document"] is None:
        told.append("Its bytes are not here.")
    else:
        told.append(Quoted.of(found["document"], "packet", found["producerId"], MAX_TEXT).framed())
        content = (await access.reader.fetch("packets", found["recordHash"])).content
        contents.append(ReadResourceContents(content=_bounded(content), mime_type="application/json"))
    return [ReadResourceContents(content="\n".join(told), mime_type="text/plain"), *contents]


def _media_type(node: Mapping[str, Any]) -> str:
    """Return the media type of a source without its parameters; the registering agent may have stated any words."""
    stated = (node["mediaType"] or "").partition(";")[0].strip().lower()
    return stated if _MEDIA_TYPE.fullmatch(stated) else "application/octet-stream"


def _bounded(content: bytes) -> bytes:
    if len(content) > MAX_BLOB:
        raise ResourceError(f"the resource has more than {MAX_BLOB} bytes")
    return content


def _as_text(content: bytes, *, is_part: bool) -> str | None:
    """Return bytes as text, None if they are none; a part may begin or end within a character."""
    try:
        return content.decode("utf-8", "replace" if is_part else "strict")
    except UnicodeDecodeError:
        return None


def _read_range(uri: str, query: str | None) -> tuple[int, int | None]:
    stated: dict[str, int] = {}
    for part in query.split("&") if query else ():
        found = _RANGE.fullmatch(part)
        if found is None or found[1] in stated:
            raise ResourceNotFoundError(f"{one_line(uri)} has {one_line(part)}, not start or end and a number of bytes")
        stated[found[1]] = int(found[2])
    start, end = stated.get("start", 0), stated.get("end")
    if end is not None and end <= start:
        raise ResourceNotFoundError(f"{one_line(uri)} ends before it starts")
    return start, end


def _statement_resource(node: Mapping[str, Any]) -> Resource:
    author = identifier(node["generatedBy"]["id"])
    claim = literal(node["claimText"], 200)
    return Resource(
        uri=f"statement://{node['signedHash']}",
        name=f"statement {node['signedHash'][:19]}",
        description=f"{one_line(node['standing'])}; claim of {author}, quoted as data: {claim}",
        mime_type="text/plain",
    )


def _source_resource(node: Mapping[str, Any]) -> Resource | None:
    if node["hash"] is None or node["withheld"] or node["recordKind"]:
        return None
    size = None if node["byteLength"] is None else int(node["byteLength"])
    return Resource(
        uri=f"source://{node['hash']}",
        name=f"source {node['hash'][:19]}",
        description=f"{one_line(node['boundary'])}; title, quoted as data: {literal(node['title'] or '', 200)}",
        mime_type=_media_type(node),
        size=size,
    )


def _packet_resource(node: Mapping[str, Any]) -> Resource | None:
    if node["withheld"]:
        return None
    return Resource(
        uri=f"packet://{node['recordHash']}",
        name=f"packet {node['recordHash'][:19]}",
        description=f"Context Packet of producer {literal(node['producerId'] or '', 200)}",
        mime_type="application/json",
    )


_LISTINGS = {
    "statements": _Listing(STATEMENTS, "statements", _statement_resource),
    "sources": _Listing(SOURCES, "documents", _source_resource),
    "packets": _Listing(PACKETS, "packets", _packet_resource),
}


def _next_cursor(name: str, page: Mapping[str, Any]) -> str | None:
    if page["hasNextPage"]:
        return _write_cursor(name, page["endCursor"])
    names = list(_LISTINGS)
    later = names[names.index(name) + 1 :]
    return _write_cursor(later[0], "") if later else None


def _write_cursor(name: str, after: str) -> str:
    return base64.urlsafe_b64encode(f"{name} {after}".encode()).decode("ascii")


def _read_cursor(cursor: str | None) -> tuple[str, str | None]:
    if cursor is None:
        return "statements", None
    try:
        name, _, after = base64.b64decode(cursor.encode("ascii"), b"-_", validate=True).decode().partition(" ")
    except (binascii.Error, ValueError):
        name, after = "", ""
    if name not in _LISTINGS:
        raise MCPError(code=INVALID_PARAMS, message="the cursor is not one of this server")
    return name, after or None
