"""Server-sent events (WHATWG HTML §9.2) of one GraphQL operation, as GraphQL over SSE has them: `next` and `complete`.

- An event has the cursor behind it as its id, which an EventSource sends as `Last-Event-ID` when it connects again.
- While there is no event, the id of the place that was reached is sent as a sign of life; the first is sent at the
  start, so that a connection that is lost before the first event loses nothing either.
- Nothing is read ahead: the next event is read when the last one was sent. A client that does not read is given up
  after a while, and holds nothing until then but its place.
- A server that stops ends its streams without `complete`, so that clients come back.
"""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from strawberry.http import process_result
from strawberry.schema.schema import StreamResult
from strawberry.types import ExecutionResult
from strawberry.types.execution import PreExecutionError

from graph.graphql.context import Resuming
from graph.graphql.time_limit import until_gone
from graph.http.answers import SAFE_HEADERS
from graph.http.graphql_requests import EVENT_STREAM

logger = logging.getLogger(__name__)

KEEP_ALIVE = 15.0
"""Seconds without an event until a sign of life is sent."""

SEND_PATIENCE = 30.0
"""Seconds that a client may leave sent bytes unread."""

_START = 0.5  # seconds until the place where a subscription begins is told, where no event comes before
_HEADERS = {
    "content-type": f"{EVENT_STREAM}; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    **SAFE_HEADERS,
}
_COMPLETE = b"event: complete\ndata:\n\n"  # a browser passes over an event that has no data


class EventStream(Response):
    """The results of an operation as they come, until they end, their client leaves or the server stops."""

    def __init__(self, request: Request, results: StreamResult, resuming: Resuming, stopping: asyncio.Event) -> None:
        super().__init__(headers=_HEADERS)
        del self.headers["content-length"]
        self._request = request
        self._results = results
        self._resuming = resuming
        self._stopping = stopping

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
        try:
            async with aclosing(self._pieces()) as pieces:
                await _send(send, {"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                async for piece in pieces:
                    await _send(send, {"type": "http.response.body", "body": piece, "more_body": True})
            await _send(send, {"type": "http.response.body", "body": b"", "more_body": False})
        except TimeoutError:
            logger.warning("a subscriber left sent data unread for %s seconds, and was disconnected", SEND_PATIENCE)

    async def _pieces(self) -> AsyncGenerator[bytes, None]:
        stopping = asyncio.create_task(self._stopping.wait())
        gone = asyncio.create_task(until_gone(self._request))
        coming = asyncio.create_task(self._next())
        try:
            patience = _START
            while True:
                await asyncio.wait({coming, gone, stopping}, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
                patience = KEEP_ALIVE
                if gone.done() or stopping.done():
                    return
                if not coming.done():
                    yield self._sign_of_life()
                    continue
                result = coming.result()
                if result is None:
                    yield _COMPLETE
                    return
                yield _event(result)
                coming = asyncio.create_task(self._next())
        finally:
            await _end(coming, gone, stopping)
            await self._results.aclose()

    async def _next(self) -> Any:
        return await anext(self._results, None)

    def _sign_of_life(self) -> bytes:
        passed = self._resuming.passed
        return b":\n\n" if passed is None else f"id: {passed}\n\n".encode()


async def _send(send: Send, message: dict[str, Any]) -> None:
    async with asyncio.timeout(SEND_PATIENCE):
        await send(message)


async def _end(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _event(result: ExecutionResult) -> bytes:
    """Return a result as an event; all line breaks in its JSON are escaped."""
    answer = process_result(result)
    if isinstance(result, PreExecutionError):
        del answer["data"]  # it was not run
    data = json.dumps(answer, separators=(",", ":"))
    cursor = _cursor(result.extensions)
    name = "" if cursor is None else f"id: {cursor}\n"
    return f"{name}event: next\ndata: {data}\n\n".encode()


def _cursor(extensions: Mapping[str, Any] | None) -> str | None:
    cursor = (extensions or {}).get("cursor")
    return cursor if isinstance(cursor, str) else None
