"""POST of signed documents: one a request, or many of any types, as lines or as a sequence of JSON texts."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from a2ap.errors import A2APError
from a2ap.json_text import MAX_BYTES
from a2ap.messages.message import MessageType
from graph.clearance import Reader
from graph.errors import GraphError
from graph.http.answers import receipt_members, write_members
from graph.http.document_stream import JSON_SEQUENCE, NDJSON, read_documents
from graph.http.requests import CallerOf, PlatformOf, ReaderOf, limited, read_body
from graph.log.entry import Outcome
from graph.platform import Platform
from graph.problem_table import problem_of
from graph.quotas.caller import Caller

_DOCUMENTS_AT_ONCE = 1_000
_BYTES_AT_ONCE = 16 * MAX_BYTES
_LINES_AT_ONCE = 20  # lines of an answer that are written before the loop turns to others
_IN_MEMORY = 8 * MAX_BYTES  # a longer body waits in a file, for which its sender's address must have room
_MANY = {media_type: {"schema": {"type": "string"}} for media_type in (NDJSON, JSON_SEQUENCE)}
_DOCUMENT = {"content": {"application/ld+json": {"schema": {"type": "object"}}, **_MANY}, "required": True}
_HERE: dict[str, Any] = {
    "description": "It was here already, or there are many documents: a line for each.",
    "content": {"application/json": {}, NDJSON: {}},
}

router = APIRouter(tags=["submissions"])


def _add_route(path: str, expected: MessageType) -> None:
    @router.post(
        path,
        status_code=201,
        summary=f"Submit an {expected.wire}" if expected.value[0] in "AE" else f"Submit a {expected.wire}",
        description="201 with the receipt; 200 with the same entry, newly proved, where these signed bytes are here. "
        "Many documents, of any types, are answered with a line each.",
        responses={200: _HERE},
        openapi_extra={"requestBody": _DOCUMENT},
        operation_id=f"submit_{expected.name.lower()}",
    )
    async def submit(request: Request, platform: PlatformOf, reader: ReaderOf, caller: CallerOf) -> Response:
        """Hand the body to the platform as it is."""
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type in (NDJSON, JSON_SEQUENCE):
            return await _submit_many(request, platform, reader, caller, media_type)
        data = await read_body(request, MAX_BYTES)
        receipt = await platform.submit(
            data, expected=expected, authenticated=reader.operator, clearance=reader.clearance, caller=caller
        )
        content = write_members(await receipt_members(receipt, platform.log))
        return Response(content, 201 if receipt.created else 200, media_type="application/json")


for _type in MessageType:
    if _type.path is not None:
        _add_route(_type.path, _type)


async def _submit_many(
    request: Request, platform: Platform, reader: Reader, caller: Caller, media_type: str
) -> Response:
    """Answer document by document, once the body has arrived: a client may send all of it before it reads anything."""
    # The signers of its documents are known afterwards: the bytes that an address may always send serve those of its
    # agents that are no strangers, and copies.
    body = await platform.quotas.body(caller, free=_IN_MEMORY)
    held = ExitStack()
    held.callback(body.release)
    try:
        spool = held.enter_context(SpooledTemporaryFile(max_size=_IN_MEMORY))  # noqa: SIM115 held is closed with it
        async for piece in body.metered(limited(request, platform.settings.max_bulk_bytes)):
            spool.write(piece)
        spool.seek(0)
    except BaseException:
        held.close()
        raise

    async def answers() -> AsyncIterator[bytes]:
        for batch in _batches(read_documents(spool, media_type)):
            outcomes = await platform.submit_many(
                batch, authenticated=reader.operator, clearance=reader.clearance, caller=caller
            )
            for number, outcome in enumerate(outcomes, 1):
                yield await _line(platform, outcome)
                if number % _LINES_AT_ONCE == 0:
                    await asyncio.sleep(0)

    return _Answers(answers(), held)


class _Answers(StreamingResponse):
    """A response to a body that is held until the response is sent, or its reader has gone."""

    def __init__(self, content: AsyncIterator[bytes], held: ExitStack) -> None:
        super().__init__(content, media_type=NDJSON)
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answers, and let the body go."""
        with self._held:
            await super().__call__(scope, receive, send)


def _batches(documents: Iterator[bytes]) -> Iterator[list[bytes]]:
    """Yield the documents in the batches that the platform takes at once."""
    batch: list[bytes] = []
    size = 0
    for document in documents:
        batch.append(document)
        size += len(document)
        if len(batch) == _DOCUMENTS_AT_ONCE or size >= _BYTES_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


async def _line(platform: Platform, outcome: Outcome) -> bytes:
    if not isinstance(outcome, Exception):
        try:
            members = await receipt_members(outcome, platform.log)
            return write_members({**members, "created": outcome.created}) + b"\n"
        except (A2APError, GraphError) as error:
            outcome = error
    return write_members(problem_of(outcome).members) + b"\n"
