"""POST of signed documents: one a request, or many as NDJSON."""

from collections.abc import AsyncIterator
from tempfile import SpooledTemporaryFile
from typing import IO

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from a2ap.errors import A2APError
from a2ap.json_text import MAX_BYTES
from a2ap.message import MessageType
from graph.clearance import Reader
from graph.errors import GraphError, TooLargeError
from graph.http.answers import receipt_members, write_members
from graph.http.requests import PlatformOf, ReaderOf, limited, read_body
from graph.log.ledger import Outcome
from graph.platform import Platform

PATHS = {
    "/agents": MessageType.AGENT_REGISTRATION,
    "/sources": MessageType.SOURCE_REGISTRATION,
    "/endorsements": MessageType.ENDORSEMENT,
    "/policies": MessageType.POLICY,
    "/statements": MessageType.STATEMENT,
    "/verification-requests": MessageType.VERIFICATION_REQUEST,
    "/verifications": MessageType.VERIFICATION_RESPONSE,
    "/key-registrations": MessageType.KEY_REGISTRATION,
    "/key-revocations": MessageType.KEY_REVOCATION,
    "/deactivations": MessageType.AGENT_DEACTIVATION,
    "/agent-versions": MessageType.AGENT_VERSION,
    "/admission-policies": MessageType.ADMISSION_POLICY,
    "/log-key-rotations": MessageType.LOG_KEY_ROTATION,
    "/peer-agreements": MessageType.PEER_AGREEMENT,
    "/equivocations": MessageType.EQUIVOCATION,
    "/retractions": MessageType.RETRACTION,
    "/redactions": MessageType.REDACTION,
    "/gold-labels": MessageType.GOLD_LABEL,
    "/gold-disputes": MessageType.GOLD_DISPUTE,
    "/probes": MessageType.PROBE,
    "/declines": MessageType.VERIFICATION_DECLINE,
    "/challenge-answers": MessageType.CHALLENGE_ANSWER,
}

NDJSON = "application/x-ndjson"

_LINES_AT_ONCE = 500
_BYTES_AT_ONCE = 4 * MAX_BYTES
_IN_MEMORY = 8 * MAX_BYTES  # a longer body waits in a file
_DOCUMENT = {"content": {"application/ld+json": {"schema": {"type": "object"}}}, "required": True}

router = APIRouter(tags=["submissions"])


def _add_route(path: str, expected: MessageType) -> None:
    @router.post(
        path,
        status_code=201,
        summary=f"Submit an {expected.wire}" if expected.value[0] in "AE" else f"Submit a {expected.wire}",
        description="201 with the receipt; 200 with the same entry, newly proved, where these signed bytes are here.",
        openapi_extra={"requestBody": _DOCUMENT},
        operation_id=f"submit_{expected.name.lower()}",
    )
    async def submit(request: Request, platform: PlatformOf, reader: ReaderOf) -> Response:
        """Hand the body to the platform as it is."""
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() == NDJSON:
            return await _submit_lines(request, platform, reader)
        data = await read_body(request, MAX_BYTES)
        receipt = await platform.submit(
            data, expected=expected, authenticated=reader.operator, clearance=reader.clearance
        )
        content = write_members(await receipt_members(receipt, platform.log))
        return Response(content, 201 if receipt.created else 200, media_type="application/json")


for _path, _type in PATHS.items():
    _add_route(_path, _type)


async def _submit_lines(request: Request, platform: Platform, reader: Reader) -> Response:
    """Answer line by line, once the body is here: a client may send all of it before it reads anything."""
    spool = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 closed by the generator below
    try:
        async for piece in limited(request, platform.settings.max_bulk_bytes):
            spool.write(piece)
        spool.seek(0)
    except BaseException:
        spool.close()
        raise

    async def answers() -> AsyncIterator[bytes]:
        with spool:
            async for outcome in _outcomes(spool, platform, reader):
                yield await _line(request, platform, outcome)

    return StreamingResponse(answers(), media_type=NDJSON)


async def _outcomes(lines: IO[bytes], platform: Platform, reader: Reader) -> AsyncIterator[Outcome]:
    """Yield what becomes of each line, in order; lines of white space are none."""
    ended = False
    while not ended:
        batch: list[bytes | Exception] = []
        size = 0
        while len(batch) < _LINES_AT_ONCE and size < _BYTES_AT_ONCE:
            line = lines.readline(MAX_BYTES + 2)
            if not line:
                ended = True
                break
            if len(line.rstrip(b"\r\n")) > MAX_BYTES:
                _skip_line(line, lines)
                batch.append(TooLargeError(f"the line has more than {MAX_BYTES} bytes"))
            elif line.strip():
                batch.append(line.rstrip(b"\r\n"))
                size += len(line)
        for outcome in await _submit_batch(batch, platform, reader):
            yield outcome


async def _submit_batch(batch: list[bytes | Exception], platform: Platform, reader: Reader) -> list[Outcome]:
    documents = [item for item in batch if isinstance(item, bytes)]
    try:
        found = iter(await platform.submit_many(documents, authenticated=reader.operator, clearance=reader.clearance))
    except (A2APError, GraphError) as error:
        found = iter([error] * len(documents))
    return [next(found) if isinstance(item, bytes) else item for item in batch]


def _skip_line(line: bytes, lines: IO[bytes]) -> None:
    while line and not line.endswith(b"\n"):
        line = lines.readline(MAX_BYTES)


async def _line(request: Request, platform: Platform, outcome: Outcome) -> bytes:
    if not isinstance(outcome, Exception):
        try:
            members = await receipt_members(outcome, platform.log)
            return write_members({**members, "created": outcome.created}) + b"\n"
        except (A2APError, GraphError) as error:
            outcome = error
    return write_members(request.app.state.problem_of(outcome).members) + b"\n"
