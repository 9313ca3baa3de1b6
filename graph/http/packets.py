"""Context Packets: POST of an order or a packet, GET of the bytes of one, and the records that belong to packets."""

import asyncio

from fastapi import APIRouter, Request
from starlette.responses import Response

from a2ap.errors import JsonTextError
from a2ap.json_text import MAX_BYTES, read_json
from a2ap.messages.record_registration import RecordFormat
from graph.errors import InputError
from graph.http.answers import SAFE_HEADERS
from graph.http.records import RECORD_BODY, admitted_body, give_record, take_records
from graph.http.requests import IN_PLACE, CallerOf, PlatformOf, ReaderOf, read_body
from graph.packets.order import PacketOrder
from graph.records.packet_lookup import PACKET, PACKET_RECORD, packet_row
from graph.records.packet_record_rows import format_of
from graph.services.packet_assembly import assemble_packet

MAX_PACKET = 4 * 1_048_576
"""The most bytes of a packet that are taken; `a2ap packet` reads longer packets."""

router = APIRouter(tags=["packets"])


@router.post("/packets/assemble", operation_id="assemble_packet", openapi_extra=RECORD_BODY, dependencies=[IN_PLACE])
async def post_order(request: Request, platform: PlatformOf, reader: ReaderOf, caller: CallerOf) -> Response:
    """Assemble a packet from the graph, as an order says, within the reader's clearance.

    Only the delivery of an audited packet is registered.
    """
    try:
        members = read_json(await read_body(request, MAX_BYTES))
    except JsonTextError as error:
        raise InputError(f"an order is a JSON object: {error}") from error
    content = await assemble_packet(platform, reader, PacketOrder.from_members(members), platform.clock(), caller)
    headers = {**SAFE_HEADERS, "vary": "Authorization", "cache-control": "no-store"}
    return Response(content, media_type="application/json", headers=headers)


@router.post("/packets", status_code=201, operation_id="post_packet", openapi_extra=RECORD_BODY)
async def post_packet(request: Request, platform: PlatformOf, reader: ReaderOf, caller: CallerOf) -> Response:
    """Take in one Context Packet, kept byte for byte; no signature of A2AP is needed."""
    async with admitted_body(request, platform, reader, caller) as body:
        content = await read_body(request, MAX_PACKET, body)
        return await take_records(request, platform, reader, RecordFormat.PACKET, [content], caller)


@router.head("/packets/{name}", include_in_schema=False)
@router.get("/packets/{name}", operation_id="get_packet")
async def get_packet(name: str, request: Request, platform: PlatformOf, reader: ReaderOf) -> Response:
    """Give the bytes of a Context Packet as received, by their SHA-256, or by the packet's own hash or id."""
    row = await packet_row(platform.store, name, reader)
    return await give_record(request, platform, reader, row["properties"]["record_hash"], PACKET)


@router.post("/packet-records", status_code=201, operation_id="post_packet_record", openapi_extra=RECORD_BODY)
async def post_record(request: Request, platform: PlatformOf, reader: ReaderOf, caller: CallerOf) -> Response:
    """Take in a receipt, a return or a disposition; it is put on record, and changes nothing else."""
    async with admitted_body(request, platform, reader, caller) as body:
        content = await read_body(request, MAX_BYTES, body)
        format = await asyncio.to_thread(format_of, content)
        return await take_records(request, platform, reader, format, [content], caller)


@router.head("/packet-records/{record_hash}", include_in_schema=False)
@router.get("/packet-records/{record_hash}", operation_id="get_packet_record")
async def get_record(record_hash: str, request: Request, platform: PlatformOf, reader: ReaderOf) -> Response:
    """Give the bytes of a receipt, a return or a disposition, by their SHA-256."""
    return await give_record(request, platform, reader, record_hash, PACKET_RECORD)
