"""PUT and GET of the bytes of sources, by their hash."""

from collections.abc import AsyncIterator

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from a2ap.errors import A2APError
from a2ap.messages.message import read_message
from a2ap.messages.source_registration import SourceRegistration
from graph.clearance import Reader, boundary_of, parse_boundary
from graph.errors import (
    ContentMismatchError,
    InputError,
    NotFoundError,
    QueryError,
    RedactedError,
    StorageFullError,
)
from graph.http.answers import SAFE_HEADERS, is_known, receipt_members, write_members
from graph.http.byte_ranges import read_range
from graph.http.requests import REGISTRATION_HEADER, CallerOf, PlatformOf, ReaderOf, announced, limited, registration_in
from graph.platform import Platform
from graph.quotas.caller import Caller
from graph.records.reading import find_record
from graph.retention.redactions import RedactionRecord, redactions_of
from graph.store import Row

# Types that a browser shows and never runs; everything else is given as bytes.
_SHOWN = ("text/plain", "text/vtt", "text/csv", "application/x-subrip", "application/json", "application/pdf")

router = APIRouter(tags=["sources"])


@router.put(
    "/sources/{document_hash}",
    status_code=201,
    operation_id="put_source",
    openapi_extra={"requestBody": {"content": {"application/octet-stream": {}}, "required": True}},
)
async def put_source(
    document_hash: str,
    request: Request,
    platform: PlatformOf,
    caller: CallerOf,
    boundary: str | None = None,
) -> Response:
    """Take in the bytes of a registered source; they must have that hash. 200 if they are stored already.

    `boundary` is the mildest class under which new bytes are given: 403 if the class of the source is milder. The
    header `a2ap-registration` has the registration itself, if that proves possession of the bytes: a signed document
    in base64 (RFC 4648 §4). It is accepted with the bytes, and the answer has its receipt. Bytes that are here already
    need not be sent again.
    """
    least = None if boundary is None else parse_boundary(boundary)
    if (registration := registration_in(request)) is not None:
        return await _register(registration, document_hash, request, platform, caller)
    registered = await _registered_length(platform, document_hash)
    length, body = _source_body(request, platform, document_hash, registered)
    try:
        created = await platform.sources.put(document_hash, body, caller, length=length, boundary=least)
    except (StorageFullError, QueryError) as error:
        raise platform.space.told(error) from error
    return await _stored(document_hash, platform, created=created)


async def _register(
    registration: bytes, document_hash: str, request: Request, platform: Platform, caller: Caller
) -> Response:
    """Take in a registration that proves possession, and the bytes."""
    try:
        message = read_message(registration)
        if not isinstance(message, SourceRegistration) or message.possession_mac is None:
            raise InputError("it is not a source registration with a possessionMac", REGISTRATION_HEADER)
        if message.document_hash != document_hash:
            words = f"{document_hash} is uploaded, and its registration is of {message.document_hash}"
            raise ContentMismatchError(words)
    except (A2APError, InputError, ContentMismatchError):
        await platform.quotas.count_unreadable(caller, len(registration))
        raise
    length, body = _source_body(request, platform, document_hash, message.byte_length)
    try:
        receipt, created = await platform.sources.add(message, body, caller, length=length)
    except (StorageFullError, QueryError) as error:
        raise platform.space.told(error) from error
    members = {**await receipt_members(receipt, platform.log), "created": receipt.created}
    return await _stored(document_hash, platform, created=created, receipt=members)


async def _stored(document_hash: str, platform: Platform, *, created: bool, **members: object) -> Response:
    length = await platform.content.size(document_hash)
    content = write_members({"documentHash": document_hash, "byteLength": length, **members})
    return Response(content, 201 if created else 200, media_type="application/json")


@router.head("/sources/{document_hash}", include_in_schema=False)
@router.get("/sources/{document_hash}", operation_id="get_source")
async def get_source(document_hash: str, request: Request, platform: PlatformOf, reader: ReaderOf) -> Response:
    """Give the bytes of a source, or one range of them, to a reader that is cleared for it."""
    known = await find_readable(platform, reader, document_hash)
    length = await platform.content.size(document_hash)
    tag = f'"{document_hash}"'
    headers = {
        "etag": tag,
        "accept-ranges": "bytes",
        "vary": "Accept, Authorization",  # at this address there is a page as well
        "cache-control": "no-cache",
        **SAFE_HEADERS,
    }
    if is_known(request, tag):
        return Response(status_code=304, headers=headers)
    # A changed source has another name, so that any range of this one is current (RFC 9110 §13.1.5).
    if_range = request.headers.get("if-range")
    try:
        asked = read_range(request.headers.get("range"), length) if if_range in (None, tag) else None
    except LookupError:
        return Response(status_code=416, headers={**headers, "content-range": f"bytes */{length}"})
    start, end = asked or (0, length)
    headers["content-length"] = str(end - start)
    if asked is not None:
        headers["content-range"] = f"bytes {start}-{end - 1}/{length}"
    status, media_type = 206 if asked else 200, _media_type(known)
    if request.method == "HEAD":
        return Response(None, status, headers, media_type)
    content = platform.content.stream(document_hash, start, end)
    return StreamingResponse(content, status, headers, media_type)


async def find_readable(platform: Platform, reader: Reader, document_hash: str) -> Row:
    """Return the row of a source whose bytes this reader may read and this node has.

    Raises `NotFoundError`, `ForbiddenError`, or `RedactedError` if the source was erased.
    """
    # The remainder of a source has its class, whatever others state of these bytes.
    known = await _find_remainder(platform, document_hash) or await _find(platform, document_hash)
    if known is None:
        raise NotFoundError(f"no source {document_hash} is registered")
    reader.check(boundary_of(known["boundary"]), document_hash)
    erased = (await redactions_of(platform.store, [document_hash])).get(document_hash)
    if erased:
        left = erased[-1].redacted_document_hash or "nothing"
        raise RedactedError(f"{document_hash} was {erased[-1].sentence}; {left} is left of it")
    if not known["held"]:
        raise NotFoundError(f"the bytes of {document_hash} are not here")
    return known


async def _registered_length(platform: Platform, document_hash: str) -> int | None:
    """Return the length of a source in bytes, as the only agent that registered it states; None if that is not known.

    If several agents registered it, any of them may have stated a wrong length.
    """
    for known in await platform.store.read("documents_known", hashes=[document_hash]):
        if len({one["agent"] for one in known["registrants"]}) == 1 and known["byte_length"] is not None:
            return int(known["byte_length"])
    return None


def _source_body(
    request: Request, platform: Platform, document_hash: str, registered: int | None
) -> tuple[int, AsyncIterator[bytes]]:
    """Return the announced length of a body, and the body up to the registered length, if there is one."""
    limit = platform.settings.max_source_bytes
    length, body = announced(request), limited(request, limit)
    if registered is None:
        return length, body
    # `limited` refuses a body that is too long for any source.
    if length <= limit:
        _check_length(document_hash, length, registered)
    return length, _no_longer(body, document_hash, registered)


async def _no_longer(body: AsyncIterator[bytes], document_hash: str, registered: int) -> AsyncIterator[bytes]:
    """Yield a body up to the length that was registered. Raises `ContentMismatchError`."""
    received = 0
    async for piece in body:
        received += len(piece)
        _check_length(document_hash, received, registered)
        yield piece


def _check_length(document_hash: str, length: int, registered: int) -> None:
    if length > registered:
        raise ContentMismatchError(f"{document_hash} is registered with {registered} bytes, and {length} have come")


async def _find(platform: Platform, document_hash: str) -> Row | None:
    """Return the row of a registered source or record; the content store holds more than these."""
    rows = await platform.store.read("documents_known", hashes=[document_hash])
    if rows and rows[0]["registration_hash"] and rows[0]["held"]:
        return rows[0]
    record = await find_record(platform.store, document_hash)
    if record is not None and record["held"]:
        # Auditors fetch a record as they fetch a source.
        return {**record, "media_type": "application/json"}
    return rows[0] if rows and rows[0]["registration_hash"] else None


async def _find_remainder(platform: Platform, document_hash: str) -> Row | None:
    """Return the row of the source of which these bytes are the remainder, after the last redaction of passages."""
    for row in await platform.store.read("redactions_into", hashes=[document_hash]):
        record = RedactionRecord.from_row(row)
        last = (await redactions_of(platform.store, [record.document_hash]))[record.document_hash][-1]
        known = await _find(platform, record.document_hash) if record.of_source else None
        if known is not None and last.redacted_document_hash == document_hash:
            return {**known, "held": await platform.content.has(document_hash)}
    return None


def _media_type(known: Row) -> str:
    stated = (known["media_type"] or "").partition(";")[0].strip().lower()
    return stated if stated in _SHOWN else "application/octet-stream"
