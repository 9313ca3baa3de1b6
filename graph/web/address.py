"""Addresses on the pages: relative to the page, because a node may be behind a path of another server's."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request

_DOTS = {".", ".."}
_SAFE = ":@,;=!$'()*+~"  # RFC 3986 §3.3: allowed in a segment of a path


def root_of(path: str) -> str:
    """Return the relative address of the node's root from a page at this path, percent-encoded as the client sent it.

    Each slash is a step; a slash that `address_of` has encoded is none.
    """
    return "../" * (path.count("/") - 1) or "./"


def path_of(request: Request) -> str:
    """Return the path of a request as the client sent it, percent-encoded."""
    sent: bytes | None = request.scope.get("raw_path")
    if sent is None:
        return quote(request.scope["path"], safe=_SAFE + "/")
    return quote(sent.partition(b"?")[0], safe=_SAFE + "/%")


def query_of(request: Request) -> str:
    """Return the query of a request as it stands behind the `?`, with that sign; empty if there is none."""
    stated = request.scope["query_string"].decode("latin-1")
    return f"?{stated}" if stated else ""


def address_of(*parts: str) -> str:
    """Return the address of these segments from the root, percent-encoded.

    A slash in a name stays one, but in a name such as `a/../b`: browsers resolve its dots, encoded or not, and it would
    lead to another page (WHATWG URL, double-dot path segment).
    """
    return "/".join(quote(part, safe=_SAFE if _DOTS & set(part.split("/")) else _SAFE + "/") for part in parts)


def node_address(stated: str | None, request: Request) -> str:
    """Return the address of the node without a slash at its end: the stated one, else that of the request."""
    return (stated or str(request.base_url)).rstrip("/")


def address_with(page: Mapping[str, Any], /, **changes: object) -> str:
    """Return the address of a page with changed parameters; None leaves a parameter out."""
    stated = {name: value for name, value in {**_kept(page), **changes}.items() if value is not None}
    return f"{page['path']}?{urlencode(stated)}" if stated else str(page["path"])


def parameters_of(page: Mapping[str, Any]) -> str:
    """Return the parameters of a page's address but its log size, each with an `&` behind it."""
    kept = {name: value for name, value in _kept(page).items() if name != "asOf"}
    return f"{urlencode(kept)}&" if kept else ""


def sign_in_address(page: Mapping[str, Any]) -> str:
    """Return the address from the root of the form to sign in, which leads back to the page."""
    back = address_with(page).removeprefix(page["root"])
    return f"session?{urlencode({'to': back})}" if back and not back.startswith("session") else "session"


def _kept(page: Mapping[str, Any]) -> dict[str, object]:
    return {name: value for name, value in page["parameters"].items() if value and not name.startswith("_")}
