"""Texts for browsers as gzip, for clients that accept it (RFC 9110 §8.4.1.3 and §12.5.3)."""

import asyncio
import gzip

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graph.http.accept import read_range

_LEVEL = 6
_AT_ONCE = 64 * 1024  # bytes; a longer page is compressed in a thread, while the loop serves other requests


def accepts_gzip(header: str | None) -> bool:
    """Return whether an `Accept-Encoding` header accepts gzip."""
    weights = dict(read_range(part) for part in (header or "").lower().split(",") if part.strip())
    return weights.get("gzip", weights.get("*", 0.0)) > 0


def compress(content: bytes) -> bytes:
    """Return bytes as gzip."""
    return gzip.compress(content, _LEVEL, mtime=0)


class PageCompression:
    """Compresses pages (`text/html`) that come in one message.

    The page of a request with an `Authorization` header, as each request of a session has one, stays as it is: its
    reader may be cleared for closed texts, and if these have words in common with the text of the address, the size of
    the compressed page would tell them to an eavesdropper (BREACH).
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and compress its response if it is a page and the client accepts that."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        accepted = accepts_gzip(headers.get("accept-encoding")) and "authorization" not in headers
        start: Message | None = None

        async def send_page(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_page(message):
                MutableHeaders(raw=message["headers"]).add_vary_header("Accept-Encoding")
                if accepted:
                    start = message  # its headers state the length of the body
                    return
            if start is not None:
                if not message.get("more_body"):
                    message = await _compressed(start, message)
                await send(start)
                start = None
            await send(message)

        await self._app(scope, receive, send_page)


def _is_page(message: Message) -> bool:
    headers = Headers(raw=message["headers"])
    return headers.get("content-type", "").startswith("text/html") and "content-encoding" not in headers


async def _compressed(start: Message, message: Message) -> Message:
    """Return the body of a response compressed, and state it in the headers of its start."""
    content = message.get("body", b"")
    body = await asyncio.to_thread(compress, content) if len(content) > _AT_ONCE else compress(content)
    headers = MutableHeaders(raw=start["headers"])
    headers["content-encoding"], headers["content-length"] = "gzip", str(len(body))
    return {**message, "body": body}
