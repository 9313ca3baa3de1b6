"""GET and batch fetch of accepted messages by the hash of their received bytes, for auditors and peers."""

import base64
from collections.abc import AsyncIterator, Sequence
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from a2ap.errors import MessageError
from a2ap.json_text import read_json
from graph.errors import ForbiddenError, InputError, NotFoundError, RedactedError
from graph.export.messages_by_hash import MAX_HASHES, FoundMessage, messages_by_hash, stream_messages
from graph.http.answers import document_response, write_members
from graph.http.documents import RECEIVED
from graph.http.requests import IN_PLACE, PlatformOf, ReaderOf, read_body
from graph.retention.redactions import RedactionRecord

NDJSON = "application/x-ndjson"

_BODY = {"content": {"application/json": {"schema": {"type": "object"}}}, "required": True}
_MAX_BODY = 256 * MAX_HASHES

router = APIRouter(tags=["messages"])


@router.head("/messages/{document_hash}", include_in_schema=False)
@router.get("/messages/{document_hash}", operation_id="get_message")
async def get_message(document_hash: str, request: Request, platform: PlatformOf, reader: ReaderOf) -> Response:
    """Give an accepted message of any type, byte for byte as received, by the hash of these bytes."""
    (found,) = await messages_by_hash(platform.store, platform.content, [document_hash], reader.clearance)
    if found.redaction is not None:
        left = found.redaction.redacted_document_hash
        raise RedactedError(f"{document_hash} was {found.redaction.sentence}; {left or 'nothing'} is left of it")
    if found.quotes_erased:
        raise RedactedError(f"{document_hash} quotes bytes of a source that were {found.withheld}")
    if found.withheld is not None:
        raise ForbiddenError(f"{document_hash} cannot be shown whole: {found.withheld}")
    if found.content is None:
        raise NotFoundError(f"no message {document_hash} is here")
    return document_response(request, found.content, RECEIVED)


@router.post(
    "/messages/fetch", operation_id="fetch_messages", openapi_extra={"requestBody": _BODY}, dependencies=[IN_PLACE]
)
async def fetch_messages(request: Request, platform: PlatformOf, reader: ReaderOf) -> Response:
    """Give up to 256 messages by `hashes`, each on a line, in order: in base64, or with the reason why not."""
    hashes = _read_hashes(await read_body(request, _MAX_BODY))
    found = stream_messages(platform.store, platform.content, hashes, reader.clearance)
    # The first before the status: a store that is gone is an error and not an empty answer.
    first = await anext(found, None)

    async def lines() -> AsyncIterator[bytes]:
        if first is not None:
            yield write_members(members_of(first)) + b"\n"
        async for message in found:
            yield write_members(members_of(message)) + b"\n"

    headers = {"vary": "Authorization", "x-content-type-options": "nosniff"}
    return StreamingResponse(lines(), media_type=NDJSON, headers=headers)


def members_of(found: FoundMessage) -> dict[str, Any]:
    """Return a message as the API writes it for a reader."""
    document = base64.b64encode(found.content).decode("ascii") if found.content is not None else None
    return {
        "hash": found.document_hash,
        "document": document,
        "withheld": found.withheld,
        "redacted": None if found.redaction is None else _redacted(found.redaction),
    }


def _redacted(redaction: RedactionRecord) -> dict[str, Any]:
    return {"by": redaction.redaction_id, "documentHash": redaction.redacted_document_hash}


def _read_hashes(body: bytes) -> Sequence[str]:
    try:
        hashes = read_json(body).get("hashes")
    except MessageError as error:
        raise InputError(str(error)) from error
    if not isinstance(hashes, list) or not all(isinstance(name, str) for name in hashes):
        raise InputError("hashes is not a list of hashes", "hashes")
    if len(hashes) > MAX_HASHES:
        raise InputError(f"{len(hashes)} hashes are asked for, and {MAX_HASHES} are given at once", "hashes")
    return hashes
