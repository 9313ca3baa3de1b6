"""The stylesheet of the pages. It needs no build: the pages are styled before npm has made their scripts."""

from hashlib import sha256
from importlib.resources import files

from fastapi import APIRouter, Request
from fastapi.responses import Response

from graph.errors import NotFoundError
from graph.http.assets import LASTING_HEADERS
from graph.http.compression import accepts_gzip, compress

router = APIRouter()

_FOLDER = files("graph.web") / "static"

# The layout first: the styles of a page build on it.
_NAMES = sorted((file.name for file in _FOLDER.iterdir()), key=lambda name: (name != "layout.css", name))
_CONTENT = b"".join((_FOLDER / name).read_bytes() for name in _NAMES)
_COMPRESSED = compress(_CONTENT)

STYLESHEET = f"styles/{sha256(_CONTENT).hexdigest()[:12]}.css"
"""The stylesheet's address from the root; it changes with the content."""


@router.get("/styles/{name}", include_in_schema=False)
async def stylesheet(name: str, request: Request) -> Response:
    """Return the stylesheet by its present name."""
    if name != STYLESHEET.removeprefix("styles/"):
        raise NotFoundError(f"there is no stylesheet {name!r}")
    if accepts_gzip(request.headers.get("accept-encoding")):
        headers = {**LASTING_HEADERS, "content-encoding": "gzip"}
        return Response(_COMPRESSED, headers=headers, media_type="text/css")
    return Response(_CONTENT, headers=LASTING_HEADERS, media_type="text/css")
