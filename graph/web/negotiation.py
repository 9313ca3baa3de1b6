"""Content negotiation of pages: one address gives HTML to people, and JSON or RDF to programs.

A route of a page matches only if the client prefers HTML (RFC 9110 §12.5.1). A link cannot state a preference, so the
parameter `_mediatype` does it in its place (Content Negotiation by Profile, W3C, §10: the query string arguments).
"""

from typing import ClassVar
from urllib.parse import parse_qs

from fastapi.routing import APIRoute
from starlette.datastructures import Headers, MutableHeaders
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from graph.http.accept import choose_type

_PAGE = "text/html"

# Each form for programs wins over HTML if a client gives both the same weight.
_FORMS = ("application/json", "application/ld+json", "text/turtle", "application/n-quads", _PAGE)

_PARAMETER = "_mediatype"


def prefers_page(accept: str | None) -> bool:
    """Return whether the client prefers a page to each of the forms for programs."""
    return choose_type(accept, _FORMS) == _PAGE


class PageRoute(APIRoute):
    """A route for clients that prefer a page; for others the routes behind it are tried."""

    forms: ClassVar[tuple[str, ...]] = (_PAGE,)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return how the route matches: not at all a request that prefers another form than the route's own."""
        match, matched = super().matches(scope)
        if match is not Match.FULL or choose_type(Headers(scope=scope).get("accept"), _FORMS) not in self.forms:
            return Match.NONE, {}
        return match, matched


class DataRoute(PageRoute):
    """A route whose page is the only resource at its address: a program gets the data of the page's query, as JSON."""

    forms: ClassVar[tuple[str, ...]] = (_PAGE, "application/json")


class MediaTypeParameter:
    """Puts the media type of the parameter `_mediatype` in the place of the `Accept` header."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, with the stated media type as the one that it accepts."""
        if scope["type"] == "http" and _PARAMETER.encode() in scope["query_string"]:
            stated = parse_qs(scope["query_string"].decode("latin-1")).get(_PARAMETER, [])
            if stated and stated[0].isascii() and stated[0].isprintable():
                scope = {**scope, "headers": list(scope["headers"])}
                MutableHeaders(scope=scope)["accept"] = stated[0]
        await self._app(scope, receive, send)
