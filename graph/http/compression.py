"""Texts for browsers as gzip, for clients that accept it (RFC 9110 §8.4.1.3 and §12.5.3)."""

import asyncio
import secrets
from gzip import GzipFile
from io import BytesIO

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graph.http.accept import read_range

_LEVEL = 6
_MOST_PADDING = 100  # bytes
_AT_ONCE = 64 * 1024  # bytes; a longer page is compressed in a thread, while the loop serves other requests


def accepts_gzip(header: str | None) -> bool:
    """Return whether an `Accept-Encoding` header accepts gzip."""
    weights = dict(read_range(part) for part in (header or "").lower().split(",") if part.strip())
    return weights.get("gzip", weights.get("*", 0.0)) > 0


def compress(content: bytes, padding: int = 0) -> bytes:
    """Return bytes as gzip; its header has a file name of `padding` bytes, which no client uses (RFC 1952 §2.3.1)."""
    buffer = BytesIO()
    with GzipFile("a" * padding, "wb", _LEVEL, buffer, mtime=0) as file:
        file.write(content)
    return buffer.getvalue()


class PageCompression:
    """Compresses pages (`text/html`) that come in one message.

    A page may have text of its address beside text that a proxy shows to its own users alone. The size of the
    compressed page would tell an eavesdropper if both have words in common (BREACH). So each response has a length of
    its own by a padding of random length, as in Django's middleware.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and compress its response if it is a page and the client accepts that."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        accepted = accepts_gzip(Headers(scope=scope).get("accept-encoding"))
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
    content, padding = message.get("body", b""), 1 + secrets.randbelow(_MOST_PADDING)
    if len(content) > _AT_ONCE:
        body = await asyncio.to_thread(compress, content, padding)
    else:
        body = compress(content, padding)
    headers = MutableHeaders(raw=start["headers"])
    headers["content-encoding"], headers["content-length"] = "gzip", str(len(body))
    return {**message, "body": body}
