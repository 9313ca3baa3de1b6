"""GraphiQL for a browser, from files that were built with the package: nothing is loaded from anywhere else.

`build_graphiql.py` makes the files from npm. Until they are there, the page says so.
"""

import asyncio
import json
import re
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from graph.errors import NotFoundError
from graph.graphql.examples import EXAMPLES

router = APIRouter()

FOLDER = "graphiql_assets"
MANIFEST = "manifest.json"

_MEDIA_TYPES: Mapping[str, str] = {"css": "text/css", "js": "text/javascript", "ttf": "font/ttf", "woff2": "font/woff2"}
_NAME = re.compile(r"[A-Za-z0-9.-]{1,100}-[A-Z0-9]{8}\.[a-z0-9]{2,5}")
_YEAR = 31_536_000  # seconds

# GraphiQL's editor and its menus write style elements of their own, so styles cannot be bound to files.
_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",
    "font-src": "'self' data:",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "worker-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
PAGE_HEADERS: Mapping[str, str] = {
    "content-security-policy": "; ".join(f"{name} {value}" for name, value in _POLICY.items()),
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}

MISSING = (
    "GraphiQL is not built. `make demo` builds it within its first minute, if npm is there; otherwise install npm, run "
    "`make graphiql`, and load this page again. GraphQL itself answers at this address."
)

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A2AP questions</title>
<link rel="icon" href="data:,">
{head}
</head>
<body>
{body}
</body>
</html>
"""


@router.get("/graphql/assets/{name}", include_in_schema=False)
async def asset(name: str) -> Response:
    """Return one file of GraphiQL; its name has a hash of its content."""
    file = files("graph.http") / FOLDER / name
    media_type = _MEDIA_TYPES.get(name.rpartition(".")[2])
    if media_type is None or not _NAME.fullmatch(name) or not file.is_file():
        raise NotFoundError(f"GraphiQL has no file {name!r}")
    content = await asyncio.to_thread(file.read_bytes)
    headers = {"cache-control": f"public, max-age={_YEAR}, immutable", "x-content-type-options": "nosniff"}
    return Response(content, headers=headers, media_type=media_type)


def page() -> str:
    """Return the page, with a tab for each example; or a notice while GraphiQL is not built."""
    file = files("graph.http") / FOLDER / MANIFEST
    if not file.is_file():
        return _PAGE.format(head="", body=f"<p>{escape(MISSING)}</p>")
    return built_page(json.loads(file.read_text(encoding="utf-8")))


def built_page(manifest: Mapping[str, Any]) -> str:
    """Return the page for a manifest of the files that were built; it has no script of its own."""
    script, style = (f"graphql/assets/{manifest[name]}" for name in ("script", "style"))
    workers = {label: f"graphql/assets/{name}" for label, name in manifest["workers"].items()}
    given = {"examples": [{"query": example.query} for example in EXAMPLES], "workers": workers}
    head = f'<link rel="stylesheet" href="{escape(style)}">\n<script type="module" src="{escape(script)}"></script>'
    body = (
        '<div id="graphiql">Loading…</div>\n'
        "<noscript>GraphiQL needs JavaScript; GraphQL itself answers at this address.</noscript>\n"
        f'<script type="application/json" id="given">{_script_text(given)}</script>'
    )
    return _PAGE.format(head=head, body=body)


def _script_text(value: object) -> str:
    """Return JSON that may stand in a script of a page."""
    return json.dumps(value).replace("<", "\\u003c")
