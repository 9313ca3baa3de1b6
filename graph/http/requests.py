"""The parts of a request that routes need: the platform, the reader, and a body of bounded size."""

import base64
import binascii
from collections.abc import AsyncIterator
from contextlib import nullcontext
from typing import Annotated, cast

from fastapi import Depends, Request, WebSocketException
from starlette.requests import HTTPConnection
from starlette.status import WS_1008_POLICY_VIOLATION

from graph.clearance import Reader
from graph.errors import InputError, TooLargeError, UnauthenticatedError
from graph.federation.peer_reader import find_peer, is_signed
from graph.http.client_address import client_network
from graph.http.readers import readers_of
from graph.http.shares import share_of
from graph.platform import Platform, utc_now
from graph.quotas.body import Body
from graph.quotas.caller import Caller
from graph.requests.share import Share

REGISTRATION_HEADER = "a2ap-registration"
"""The header with the signed registration of a source or record, in base64 (RFC 4648 §4)."""

_PATIENCE = 30.0  # seconds that a request waits for its place


async def _platform(request: HTTPConnection) -> Platform:
    # Awaited, though nothing waits: FastAPI runs in another thread whatever cannot be awaited.
    return cast(Platform, request.app.state.platform)


async def _reader(request: HTTPConnection) -> Reader:
    if is_signed(request):
        platform = await _platform(request)
        return await find_peer(request, platform.store, utc_now, platform.settings.public_url)
    try:
        return readers_of(request).find(request.headers.get("authorization"))
    except UnauthenticatedError as error:
        if request.scope["type"] == "websocket":
            raise WebSocketException(WS_1008_POLICY_VIOLATION, str(error)) from error
        raise


async def _share(request: HTTPConnection, reader: Annotated[Reader, Depends(_reader)]) -> Share:
    # A signature counts and no token beside it, so that nobody has asked whose that is.
    return share_of(request, None if is_signed(request) else request.headers.get("authorization"))


async def _caller(request: HTTPConnection, reader: Annotated[Reader, Depends(_reader)]) -> Caller:
    return Caller(client_network(request), is_operator=reader.operator)


async def _place(
    platform: Annotated[Platform, Depends(_platform)], share: Annotated[Share, Depends(_share)]
) -> AsyncIterator[None]:
    async with platform.operations.place(share, _PATIENCE):
        yield


async def _export_place(
    platform: Annotated[Platform, Depends(_platform)],
    reader: Annotated[Reader, Depends(_reader)],
    share: Annotated[Share, Depends(_share)],
) -> AsyncIterator[None]:
    # The operator needs none: readers that read slowly keep theirs for long.
    async with nullcontext() if reader.operator else platform.exports.place(share, _PATIENCE):
        yield


IN_PLACE = Depends(_place)
"""Makes a route that reads much wait for a place of its reader, and keep the place until the response is sent."""

IN_EXPORT_PLACE = Depends(_export_place)
"""The same with a place for exports, for a route that reads the whole graph or the history of scores."""

PlatformOf = Annotated[Platform, Depends(_platform)]
ReaderOf = Annotated[Reader, Depends(_reader)]
ShareOf = Annotated[Share, Depends(_share)]
CallerOf = Annotated[Caller, Depends(_caller)]


async def read_body(request: Request, limit: int, meter: Body | None = None) -> bytes:
    """Return the body; raise `TooLargeError` as soon as it is longer than `limit` bytes.

    With a `meter`, raise `QuotaError` as soon as the received bytes exceed its sender's room.
    """
    pieces = limited(request, limit)
    return b"".join([piece async for piece in (pieces if meter is None else meter.metered(pieces))])


def registration_in(request: Request) -> bytes | None:
    """Return the registration that a request has for its body; None if it has none. Raises `InputError`."""
    registration = request.headers.get(REGISTRATION_HEADER)
    if registration is None:
        return None
    try:
        return base64.b64decode(registration, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InputError("it is not base64", REGISTRATION_HEADER) from error


def announced(request: Request) -> int:
    """Return the length of the body as the request announces it; 0 if it does not."""
    length = request.headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else 0


def check_announced(request: Request, limit: int) -> None:
    """Raise `TooLargeError` if the request announces a body of more than `limit` bytes."""
    length = announced(request)
    if length > limit:
        raise TooLargeError(f"the body has {length} bytes, and {limit} are taken")


async def limited(request: Request, limit: int) -> AsyncIterator[bytes]:
    """Yield the body as it arrives; raise `TooLargeError` as soon as it is longer than `limit` bytes."""
    check_announced(request, limit)
    left = limit
    async for piece in request.stream():
        left -= len(piece)
        if left < 0:
            raise TooLargeError(f"the body has more than {limit} bytes")
        if piece:
            yield piece
