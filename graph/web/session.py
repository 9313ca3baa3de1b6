"""The page on which a reader signs in with a token and signs out (`graph.http.session`).

The routes identify the reader themselves: a session whose token was removed must still reach the form.
"""

from urllib.parse import parse_qs, unquote, urlsplit

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from graph.clearance import Reader
from graph.errors import InputError, UnauthenticatedError
from graph.http.readers import readers_of
from graph.http.requests import PlatformOf, read_body
from graph.http.session import MOST_CHARACTERS, closing_cookies, opening_cookie
from graph.settings import Settings
from graph.web.address import path_of, root_of
from graph.web.page import HEADERS, page_facts, page_response

router = APIRouter(include_in_schema=False)

_MOST_BYTES = 8192
_FORM = "application/x-www-form-urlencoded"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@router.get("/session")
async def session(request: Request, platform: PlatformOf) -> Response:
    """Show the form to sign in or, in a session, its reader and the button to sign out."""
    form = _Form(request, platform.settings, request.query_params.get("to", ""))
    stated = request.headers.get("authorization")
    if stated is None:
        return form.show()
    try:
        return form.show(readers_of(request).find(stated))
    except UnauthenticatedError:
        return form.show(reason="The token of your session is no longer valid. Sign in with another token.")


@router.post("/session")
async def sign_in(request: Request, platform: PlatformOf) -> Response:
    """Open a session with the token of the form, and lead to the page `to`."""
    stated = await _fields(request)
    form, token = _Form(request, platform.settings, stated.get("to", "")), stated.get("token", "").strip()
    try:
        readers_of(request).find(f"Bearer {token}")
    except UnauthenticatedError:
        return form.show(reason="The token is unknown.", status=401)
    if not token.isascii() or len(token) > MOST_CHARACTERS:
        reason = f"A token with other characters than ASCII, or more than {MOST_CHARACTERS}, opens no session."
        return form.show(reason=reason, status=400)
    cookie = opening_cookie(token, is_encrypted=form.is_encrypted)
    return RedirectResponse(root_of(path_of(request)) + form.to, 303, {**HEADERS, "set-cookie": cookie})


@router.post("/session/end")
async def sign_out(request: Request) -> Response:
    """End the session, and lead to the form."""
    response = RedirectResponse("../session", 303, dict(HEADERS))
    for cookie in closing_cookies():
        response.headers.append("set-cookie", cookie)
    return response


def local_path(stated: str) -> str:
    """Return the address of a page of this node from the root; the root's own for any other address."""
    if stated.startswith(("/", "\\")) or not stated.isprintable():
        return ""
    try:
        parts = urlsplit(stated)
    except ValueError:
        return ""
    return "" if parts.scheme or parts.netloc or ".." in unquote(parts.path).split("/") else stated


class _Form:
    """The form of one request, which leads to the page `to`."""

    def __init__(self, request: Request, settings: Settings, to: str) -> None:
        self.to = local_path(to)
        self.is_encrypted = _is_encrypted(request, settings)
        self._request = request

    def show(self, reader: Reader | None = None, *, reason: str = "", status: int = 200) -> Response:
        """Return the page, for the reader of the session if there is one."""
        shown = {
            "reader": reader,
            "reason": reason,
            "to": self.to,
            "is_open": not self.is_encrypted and self._request.url.hostname not in _LOOPBACK,
            "most_characters": MOST_CHARACTERS,
        }
        response = page_response("session", page_facts(self._request, reader), shown, status)
        if status == 401:
            response.headers["www-authenticate"] = "Bearer"
        return response


def _is_encrypted(request: Request, settings: Settings) -> bool:
    """Return whether the browser reached the node over https: itself, or by the public address of the node."""
    public = urlsplit(settings.public_url or "")
    if request.url.scheme == "https":
        return True
    return public.scheme == "https" and (public.hostname, public.port) == (request.url.hostname, request.url.port)


async def _fields(request: Request) -> dict[str, str]:
    """Return the fields of a form, the last of each name. Raises `InputError`."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != _FORM:
        raise InputError(f"the body is {media_type[:40] or 'of no type'}, not {_FORM}", "Content-Type")
    body = await read_body(request, _MOST_BYTES)
    try:
        fields = parse_qs(body.decode(), keep_blank_values=True)
    except ValueError as error:
        raise InputError(f"the form cannot be read: {error}") from error
    return {name: values[-1] for name, values in fields.items()}
