"""POST of Context Passports, one or a chain of them as the body, and GET of the bytes of one."""

import asyncio

from fastapi import APIRouter, Request
from starlette.responses import Response

from a2ap.messages.record_registration import RecordFormat
from a2ap.passport.passport import read_chain
from graph.errors import InputError
from graph.http.records import RECORD_BODY, admitted_body, give_record, take_records
from graph.http.requests import CallerOf, PlatformOf, ReaderOf, read_body

MAX_CHAIN_BYTES = 4 * 1_048_576

router = APIRouter(tags=["passports"])


@router.post("/passports", status_code=201, operation_id="post_passports", openapi_extra=RECORD_BODY)
async def post_passports(request: Request, platform: PlatformOf, reader: ReaderOf, caller: CallerOf) -> Response:
    """Take in one Context Passport or an array of them, each kept byte for byte; no signature of A2AP is needed."""
    async with admitted_body(request, platform, reader, caller) as body:
        chain = await asyncio.to_thread(read_chain, await read_body(request, MAX_CHAIN_BYTES, body))
        if not chain.passports:
            raise InputError("there is no record in the array")
        contents = [passport.data for passport in chain.passports]
        return await take_records(request, platform, reader, RecordFormat.PASSPORT, contents, caller)


@router.head("/passports/{record_hash}", include_in_schema=False)
@router.get("/passports/{record_hash}", operation_id="get_passport")
async def get_passport(record_hash: str, request: Request, platform: PlatformOf, reader: ReaderOf) -> Response:
    """Give the bytes of a Context Passport, as they were received, by their SHA-256."""
    return await give_record(request, platform, reader, record_hash, "Passport")
