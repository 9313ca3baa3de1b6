"""The session of a browser: the token of a reader, in a cookie that no script reads (docs/decisions/0077).

Rules:

- The cookie is `HttpOnly` and `SameSite=Strict`, and `Secure` where the browser reached the node over https.
- In a request without an `Authorization` header the cookie takes the place of that header. A request of another
  origin's page does not get here (`graph.http.known_names`), or comes without the cookie.
- A response in a session is for its reader alone, so that no shared cache keeps it.
"""

import base64
import binascii

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE, ENCRYPTED_COOKIE = "a2ap-session", "__Host-a2ap-session"
"""The name of the cookie, and over https: no server at a neighbouring name or over http sets one of the second name."""

DURATION = 12 * 3600
"""Seconds after which the browser forgets the token."""

MOST_CHARACTERS = 2900
"""The maximum length of a token; a browser drops a cookie of more than 4,096 bytes."""

_ATTRIBUTES = "Path=/; HttpOnly; SameSite=Strict"


def opening_cookie(token: str, *, is_encrypted: bool) -> str:
    """Return the `Set-Cookie` header that opens a session with an ASCII token; `is_encrypted`: the node has https."""
    value = base64.urlsafe_b64encode(token.encode("ascii")).decode()
    if is_encrypted:
        return f"{ENCRYPTED_COOKIE}={value}; Max-Age={DURATION}; {_ATTRIBUTES}; Secure"
    return f"{COOKIE}={value}; Max-Age={DURATION}; {_ATTRIBUTES}"


def closing_cookies() -> tuple[str, str]:
    """Return the `Set-Cookie` headers that end a session."""
    return f"{COOKIE}=; Max-Age=0; {_ATTRIBUTES}", f"{ENCRYPTED_COOKIE}=; Max-Age=0; {_ATTRIBUTES}; Secure"


def token_of(cookies: str | None) -> str | None:
    """Return the token in a `Cookie` header; None if there is no session in it."""
    # Cookies of other servers at the same host name come too, in any form (docs/decisions/0077).
    stated = cookie_parser(cookies or "")
    value = stated.get(ENCRYPTED_COOKIE) or stated.get(COOKIE, "")
    try:
        token = base64.b64decode(value, altchars=b"-_", validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        return None
    return token if token and token.isprintable() else None


class SessionCookie:
    """An application whose requests have the token of their session as `Authorization` header."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with the header if it has a session and no such header of its own."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        token = None if "authorization" in headers else token_of(headers.get("cookie"))
        if token is not None:
            scope = {**scope, "headers": [*scope["headers"], (b"authorization", f"Bearer {token}".encode())]}

        async def send_with_cache_rules(message: Message) -> None:
            if message["type"] == "http.response.start":
                _set_cache_rules(MutableHeaders(scope=message), in_session=token is not None)
            await send(message)

        await self._app(scope, receive, send_with_cache_rules)


def _set_cache_rules(headers: MutableHeaders, *, in_session: bool) -> None:
    """Let a response that depends on the reader depend on the cookie, and keep one in a session from shared caches."""
    depends = "authorization" in headers.get("vary", "").lower()
    if depends:
        headers.add_vary_header("Cookie")
    stated = headers.get("cache-control")
    if in_session and stated != "no-store" and (depends or stated is None):
        headers["cache-control"] = "private, no-cache"
