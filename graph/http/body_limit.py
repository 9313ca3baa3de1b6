"""A limit on the bodies that a framework reads whole, as Strawberry does: as announced, and counted as they arrive."""

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graph.errors import TooLargeError
from graph.http.requests import check_announced


class BodyLimit:
    """Raises `TooLargeError` into the application once a body below `path` is longer than `limit` bytes."""

    def __init__(self, app: ASGIApp, path: str, limit: int) -> None:
        self._app = app
        self._path = path
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its body counted."""
        if scope["type"] != "http" or not scope["path"].startswith(self._path):
            await self._app(scope, receive, send)
            return
        request, taken = Request(scope), 0

        async def counted() -> Message:
            nonlocal taken
            check_announced(request, self._limit)
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._limit:
                raise TooLargeError(f"the body has more than {self._limit} bytes")
            return message

        await self._app(scope, counted, send)
