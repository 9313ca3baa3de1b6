"""The common part of the endpoints of all record formats: a record as the body, its class beside it, and the response.

`?boundary=` or the header `A2AP-Boundary` states the class of the record; if both are absent, known bytes keep the
class that they have, and others get the strictest. An agent that registers a record itself puts its signed
`a2ap:RecordRegistration` in the header `A2AP-Registration`, in base64.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from fastapi import Request
from starlette.responses import Response

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.record_registration import RecordFormat
from graph.clearance import Reader, parse_boundary
from graph.errors import InputError
from graph.http.answers import SAFE_HEADERS, document_response, receipt_members, write_members
from graph.http.requests import REGISTRATION_HEADER, announced, registration_in
from graph.log.entry import Receipt
from graph.platform import Platform
from graph.quotas.body import Body
from graph.quotas.caller import Caller
from graph.records.reading import bytes_of_record
from graph.services.record_permission import check_hand_in, counted_if_no_record
from graph.services.record_submission import register_received, register_signed

BOUNDARY_HEADER = "a2ap-boundary"
RECORD_BODY = {"requestBody": {"content": {"application/json": {"schema": {}}}, "required": True}}


@asynccontextmanager
async def admitted_body(request: Request, platform: Platform, reader: Reader, caller: Caller) -> AsyncIterator[Body]:
    """Yield the meter of a body that is to be read; raise if any body of this sender would be refused.

    A body that turns out to be no record counts for the sender's address.
    """
    signer = await check_hand_in(platform, reader, registration_in(request), caller, length=announced(request))
    body = await platform.quotas.body(caller, signer)
    try:
        async with counted_if_no_record(platform, caller, lambda: body.received):
            yield body
    finally:
        body.release()


async def take_records(
    request: Request,
    platform: Platform,
    reader: Reader,
    format: RecordFormat,
    contents: Sequence[bytes],
    caller: Caller,
    blobs: Sequence[bytes] = (),
) -> Response:
    """Register records, and answer with a receipt for each: 201 if one is new, 200 if all are stored already."""
    registration = registration_in(request)
    if registration is not None:
        if len(contents) != 1:
            raise InputError(f"a registration is of one record, and there are {len(contents)}", REGISTRATION_HEADER)
        receipts = [await register_signed(platform, registration, contents[0], format, blobs, caller)]
    else:
        receipts = await register_received(platform, reader, format, contents, boundary_in(request), blobs, caller)
    members = [await _members(platform, content, one) for content, one in zip(contents, receipts, strict=True)]
    status = 201 if any(one.created for one in receipts) else 200
    return Response(write_members({"records": members}), status, media_type="application/json")


async def give_record(request: Request, platform: Platform, reader: Reader, record_hash: str, label: str) -> Response:
    """Give the bytes of a record to a reader that is cleared for it."""
    content = await bytes_of_record(platform.store, platform.content, record_hash, label, reader)
    return document_response(request, content, "application/json", SAFE_HEADERS)


def boundary_in(request: Request) -> Boundary | None:
    """Return the class that a request states for its body; None if it states none."""
    stated = request.query_params.get("boundary") or request.headers.get(BOUNDARY_HEADER)
    return None if stated is None else parse_boundary(stated)


async def _members(platform: Platform, content: bytes, receipt: Receipt) -> dict[str, object]:
    members = await receipt_members(receipt, platform.log)
    return {"recordHash": sha256_digest(content), "created": receipt.created, **members}
