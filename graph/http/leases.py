"""POST of lease requests: a verifier requests work, and may wait for it."""

import asyncio
import math
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from a2ap.errors import MessageError
from a2ap.json_text import MAX_BYTES
from a2ap.messages.lease_request import read_lease_request
from a2ap.times import format_instant
from graph.errors import InputError
from graph.graphql.time_limit import until_gone
from graph.http.answers import write_members
from graph.http.requests import CallerOf, PlatformOf, read_body
from graph.requests.lease import Lease
from graph.submission.leases import MAX_WAIT

_DOCUMENT = {"content": {"application/ld+json": {"schema": {"type": "object"}}}, "required": True}

router = APIRouter(tags=["verification"])


@router.post("/leases", operation_id="lease_requests", openapi_extra={"requestBody": _DOCUMENT})
async def lease_requests(request: Request, platform: PlatformOf, caller: CallerOf, wait: float = 0.0) -> Response:
    """Lease verification requests to the verifier that signed the body; wait up to 60 seconds if there are none."""
    if not math.isfinite(wait) or not 0 <= wait <= MAX_WAIT:
        raise InputError(f"wait is {wait:g}, not from 0 to {MAX_WAIT:g} seconds", "wait")
    data = await read_body(request, MAX_BYTES)
    try:
        asked = read_lease_request(data)
    except MessageError:
        await platform.quotas.count_unreadable(caller, len(data))
        raise
    # Requests leased to a verifier that has hung up would wait for nobody until the leases expire.
    gone = asyncio.create_task(until_gone(request))
    try:
        async with platform.quotas.signed_call(caller, asked.agent_id, len(data)):
            leases = await platform.leases.lease(asked, wait, gone.done)
    finally:
        gone.cancel()
    content = write_members({"leases": [_members(lease) for lease in leases]})
    return Response(content, media_type="application/json", headers={"cache-control": "no-store"})


def _members(lease: Lease) -> dict[str, Any]:
    request = lease.request
    return {
        "lease": lease.lease_id,
        "expiresAt": format_instant(lease.expires_at),
        "request": {
            "id": request.request_id,
            "hash": request.signed_hash,
            "criteria": list(request.criteria),
            "deadline": None if request.deadline is None else format_instant(request.deadline),
            "requestingAgent": request.agent_id,
        },
        "statement": {"id": request.statement_id, "hash": request.statement},
    }
