"""POST of Context Packs, as a tar file of a store, and GET of a manifest and of the contents that it names."""

import asyncio

from fastapi import APIRouter, Request
from starlette.responses import Response

from a2ap.messages.record_registration import RecordFormat
from graph.http.answers import SAFE_HEADERS, document_response
from graph.http.records import admitted_body, give_record, take_records
from graph.http.requests import CallerOf, PlatformOf, ReaderOf, read_body
from graph.records.packs import MAX_ARCHIVE, list_packs, read_blob, read_handed_in

_BODY = {
    "requestBody": {
        "content": {"application/x-tar": {"schema": {"type": "string", "format": "binary"}}},
        "required": True,
    }
}

router = APIRouter(tags=["packs"])


@router.post("/packs", status_code=201, operation_id="post_packs", openapi_extra=_BODY)
async def post_packs(request: Request, platform: PlatformOf, reader: ReaderOf, caller: CallerOf) -> Response:
    """Take in Context Packs with all the contents that they name, as `tar c .ctx` makes them, each kept byte for byte.

    No signature of A2AP is needed.
    """
    async with admitted_body(request, platform, reader, caller) as body:
        contents, blobs = await asyncio.to_thread(read_handed_in, await read_body(request, MAX_ARCHIVE, body))
        answer = await take_records(request, platform, reader, RecordFormat.PACK, contents, caller, blobs)
    await list_packs(platform.content, contents)
    return answer


@router.head("/packs/{record_hash}", include_in_schema=False)
@router.get("/packs/{record_hash}", operation_id="get_pack")
async def get_pack(record_hash: str, request: Request, platform: PlatformOf, reader: ReaderOf) -> Response:
    """Give the manifest of a Context Pack, as it was received, by its SHA-256."""
    return await give_record(request, platform, reader, record_hash, "Pack")


@router.head("/packs/{record_hash}/content/{content_hash}", include_in_schema=False)
@router.get("/packs/{record_hash}/content/{content_hash}", operation_id="get_pack_content")
async def get_pack_content(
    record_hash: str, content_hash: str, request: Request, platform: PlatformOf, reader: ReaderOf
) -> Response:
    """Give a prompt, an input, an output or the result of a step, to a reader that is cleared for the pack."""
    content = await read_blob(platform.store, platform.content, record_hash, content_hash, reader)
    return document_response(request, content, "application/octet-stream", SAFE_HEADERS)
