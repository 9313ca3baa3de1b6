"""The page on which a reader signs in with a token and signs out (`graph.http.session`).

The routes identify the reader themselves: a session whose token was removed must still reach the form.
"""

from urllib.parse import parse_qs, urlsplit

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from graph.clearance import Reader
from graph.errors import InputError, UnauthenticatedError
from graph.http.readers import KnownReaders
from graph.http.requests import PlatformOf, read_body
from graph.http.session import closing_cookie, opening_cookie, token_of
from graph.settings import Settings
from graph.web.address import root_of
from graph.web.page import HEADERS, page_facts, page_response

router = APIRouter(include_in_schema=False)

_MOST_BYTES = 8192
_FORM = "application/x-www-form-urlencoded"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@router.get("/session")
async def session(request: Request, platform: PlatformOf) -> Response:
    """Show the form to sign in or, in a session, its reader and the button to sign out."""
    is_encrypted = _is_encrypted(request, platform.settings)
    token = token_of(request.headers.get("cookie"))
    if token is None:
        return _show(request, is_encrypted=is_encrypted)
    try:
        return _show(request, _readers(request).find(f"Bearer {token}"), is_encrypted=is_encrypted)
    except UnauthenticatedError:
        reason = "The token of your session is no longer valid. Sign in with another token."
        return _show(request, is_encrypted=is_encrypted, reason=reason)


@router.post("/session")
async def sign_in(request: Request, platform: PlatformOf) -> Response:
    """Open a session with the token of the form, and lead to the page `to`."""
    stated, is_encrypted = await _form(request), _is_encrypted(request, platform.settings)
    token = stated.get("token", "").strip()
    try:
        if not token.isascii():
            raise UnauthenticatedError("the token has characters that no token has")
        _readers(request).find(f"Bearer {token}")
    except UnauthenticatedError:
        return _show(request, is_encrypted=is_encrypted, reason="This is no token of this node.", status=401)
    address = root_of(request.url.path) + local_path(stated.get("to", ""))
    return RedirectResponse(address, 303, {**HEADERS, "set-cookie": opening_cookie(token, is_encrypted=is_encrypted)})


@router.post("/session/end")
async def sign_out(request: Request) -> Response:
    """End the session, and lead to the form."""
    return RedirectResponse("../session", 303, {**HEADERS, "set-cookie": closing_cookie()})


def local_path(stated: str) -> str:
    """Return the address of a page of this node from the root; the root's own for any other address."""
    parts = urlsplit(stated)
    if parts.scheme or parts.netloc or stated.startswith(("/", "\\")) or not stated.isprintable() or ".." in stated:
        return ""
    return stated


def _is_encrypted(request: Request, settings: Settings) -> bool:
    """Return whether the browser reached the node over https, itself or by way of another server."""
    return request.url.scheme == "https" or (settings.public_url or "").startswith("https:")


def _show(
    request: Request, reader: Reader | None = None, *, is_encrypted: bool, reason: str = "", status: int = 200
) -> Response:
    shown = {
        "reader": reader,
        "reason": reason,
        "to": local_path(request.query_params.get("to", "")),
        "is_open": not is_encrypted and request.url.hostname not in _LOOPBACK,
    }
    response = page_response("session", page_facts(request, reader), shown, status)
    if status == 401:
        response.headers["www-authenticate"] = "Bearer"
    return response


def _readers(request: Request) -> KnownReaders:
    readers: KnownReaders = request.app.state.readers
    return readers


async def _form(request: Request) -> dict[str, str]:
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
