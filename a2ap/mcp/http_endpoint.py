"""The server over streamable HTTP: on this machine alone, or with a bearer token under stated names.

A page of another site reaches nothing: requests with another `Host` (DNS rebinding) or `Origin` are refused, and no
answer has a header of CORS. With a token, each request has it in its `Authorization` header.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from a2ap.mcp.errors import ServerError

PATH = "/mcp"
DEFAULT_PORT = 8700
TOKEN_VARIABLE = "A2AP_MCP_TOKEN"

MAX_BODY = 2**20
"""The most bytes of a request."""

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_LEAST_TOKEN = 16  # characters
_MAX_SESSIONS = 100
_IDLE = 3600.0  # seconds until a session without requests ends


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address to serve, the names under which others reach it, and the token that requests have, if any."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    names: Sequence[str] = ()
    token: str | None = None

    def __post_init__(self) -> None:
        token = self.token
        if token is not None and not (token.isascii() and token.isprintable() and len(token) >= _LEAST_TOKEN):
            raise ServerError(f"{TOKEN_VARIABLE} is not {_LEAST_TOKEN} or more visible ASCII characters")
        if token is None and not self.is_loopback:
            raise ServerError(
                f"{self.host} is reached from other machines: {TOKEN_VARIABLE} states the token they need"
            )
        if not self.is_loopback and not self.names:
            raise ServerError(f"{self.host} is reached from other machines: --name states its host names")

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches the server."""
        return self.host in ("127.0.0.1", "localhost", "::1")


def create_app(server: MCPServer, endpoint: Endpoint) -> ASGIApp:
    """Return the application, which answers at `PATH`."""
    hosts = [*_LOOPBACK, *endpoint.names]
    security = TransportSecuritySettings(
        allowed_hosts=[name for host in hosts for name in (host, f"{host}:*")],
        allowed_origins=[
            origin
            for scheme in ("http", "https")
            for host in hosts
            for origin in (f"{scheme}://{host}", f"{scheme}://{host}:*")
        ],
    )
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=MAX_BODY,
        max_sessions=_MAX_SESSIONS,
        session_idle_timeout=_IDLE,
        transport_security=security,
    )
    return app if endpoint.token is None else _BearerToken(app, endpoint.token)


class _BearerToken:
    """Answers 401 to a request without the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scheme, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
            if scheme.lower() != "bearer" or not hmac.compare_digest(given.encode(), self._token):
                refused = PlainTextResponse("the token is missing or wrong", 401, {"www-authenticate": "Bearer"})
                await refused(scope, receive, send)
                return
        await self._app(scope, receive, send)
