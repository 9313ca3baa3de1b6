"""The names that a node is known by, and the pages that may send it requests.

A page in a browser reaches every address that the browser reaches, this machine's too. Two headers that no page can
choose say where a request comes from: `Host` names the node that the page believes it speaks with, and `Origin` the
page's own origin. A name whose address others decide (DNS rebinding) is refused with 421 (RFC 9110 §15.5.20), and a
page of another origin with 403.

- Others can redirect neither an address nor `localhost`: both are known without a setting. On a connection over
  loopback an address has to be loopback's.
- The port of `Host` is not checked, because the way here may have changed it; of an origin, the port counts.
- Without `Origin`, Fetch Metadata (`Sec-Fetch-Site`) says whether a page of another origin sends the request. Such a
  page may still link here, so that the browser shows another page.
"""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Self
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from graph.errors import ForbiddenError, GraphError, MisdirectedError
from graph.problem import MEDIA_TYPE
from graph.problem_table import problem_of
from graph.settings import Settings

_AUTHORITY = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\s\[\]:@/?#\\]+)(?::(?P<port>[0-9]{1,5}))?")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_OWN_SITES = ("none", "same-origin")


@dataclass(frozen=True, slots=True)
class Authority:
    """A host in lower case, without brackets, and a port if one is stated."""

    host: str
    port: int | None

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Return the authority in a text; None if it is not one."""
        found = _AUTHORITY.fullmatch(text.strip())
        if found is None:
            return None
        host = found["host"].strip("[]").rstrip(".").lower()
        return cls(host, int(found["port"]) if found["port"] else None) if host else None

    def is_of(self, origin: "Authority", default_port: int | None) -> bool:
        """Return whether an origin, whose scheme has that default port, is this host and port."""
        return (self.host, self.port or default_port) == (origin.host, origin.port or default_port)


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a node beside addresses and `localhost`, each with its port if it is not the scheme's."""

    authorities: tuple[Authority, ...] = ()

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the names in the settings: A2AP_HOST, A2AP_PUBLIC_URL and A2AP_NAMES."""
        stated = [settings.host if ":" not in settings.host else f"[{settings.host}]", *settings.names]
        if settings.public_url is not None:
            stated.append(urlsplit(settings.public_url).netloc)
        return cls(tuple(read for one in stated if (read := Authority.read(one)) is not None))

    def check_host(self, stated: str | None, server: str) -> None:
        """Raise MisdirectedError for a `Host` that is none of this node's, on a connection to the address `server`.

        HTTP/1.0 has requests without `Host`, which no browser sends.
        """
        if stated is None:
            return
        authority = Authority.read(stated)
        if authority is None or not self._is_known(authority.host, server):
            raise MisdirectedError(f"this node is not known as {stated[:200]!r}")

    def check_origin(self, headers: Headers, method: str) -> None:
        """Raise ForbiddenError for a request that a page of another origin makes."""
        origin = headers.get("origin")
        if origin is not None:
            # Sec-Fetch-Site compares schemes too: a page of the same name over http is of another site.
            is_own_site = headers.get("sec-fetch-site", "none") in _OWN_SITES
            if not is_own_site or not self._is_own(origin, headers.get("host")):
                raise ForbiddenError(f"a page of {origin[:200]!r} may not ask this node")
        elif headers.get("sec-fetch-site", "none") not in _OWN_SITES and not _shows_a_page(headers, method):
            raise ForbiddenError("a page of another origin may not ask this node")

    def _is_known(self, host: str, server: str) -> bool:
        if host == "localhost" or any(host == authority.host for authority in self.authorities):
            return True
        try:
            return ip_address(host).is_loopback or not ip_address(server).is_loopback
        except ValueError:
            return False

    def _is_own(self, origin: str, host: str | None) -> bool:
        scheme, _, rest = origin.partition("://")
        read, default_port = Authority.read(rest), _DEFAULT_PORTS.get(scheme.lower())
        asked = Authority.read(host) if host is not None else None
        if read is None or default_port is None:
            return False
        return any(one.is_of(read, default_port) for one in (*((asked,) if asked else ()), *self.authorities))


class KnownNames:
    """An application behind the check of names and origins, for each request and WebSocket."""

    def __init__(self, app: ASGIApp, names: Names) -> None:
        self._app = app
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request that is meant for this node and comes from no page of another origin; refuse any other."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            self._names.check_host(headers.get("host"), (scope.get("server") or ("",))[0])
            self._names.check_origin(headers, scope.get("method", "GET"))
        except GraphError as error:
            await _refuse(error, scope, receive, send)
            return
        # An origin that is the node's own behind a proxy is not that of `Host`, with which others compare it.
        kept = [(name, value) for name, value in scope["headers"] if name != b"origin"]
        await self._app({**scope, "headers": kept}, receive, send)


def _shows_a_page(headers: Headers, method: str) -> bool:
    """Return whether a link was followed, and the browser shows the answer alone."""
    stated = (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest", "document"))
    return method in ("GET", "HEAD") and stated == ("navigate", "document")


async def _refuse(error: GraphError, scope: Scope, receive: Receive, send: Send) -> None:
    problem = problem_of(error)
    # Of a WebSocket, Starlette makes it the answer to the handshake.
    await Response(problem.content, problem.status, media_type=MEDIA_TYPE)(scope, receive, send)
