"""The stylesheet of the pages. It needs no build: the pages are styled before npm has made their scripts."""

from hashlib import sha256
from importlib.resources import files

from fastapi import APIRouter
from fastapi.responses import Response

from graph.errors import NotFoundError

router = APIRouter()

_FOLDER = files("graph.web") / "static"

# The layout first: the styles of a page build on it.
_NAMES = sorted((file.name for file in _FOLDER.iterdir()), key=lambda name: (name != "layout.css", name))
_CONTENT = b"".join((_FOLDER / name).read_bytes() for name in _NAMES)
_YEAR = 31_536_000  # seconds

STYLESHEET = f"styles/{sha256(_CONTENT).hexdigest()[:12]}.css"
"""The stylesheet's address from the root; it changes with the content."""


@router.get("/styles/{name}", include_in_schema=False)
async def stylesheet(name: str) -> Response:
    """Return the stylesheet by its present name."""
    if name != STYLESHEET.removeprefix("styles/"):
        raise NotFoundError(f"there is no stylesheet {name!r}")
    headers = {"cache-control": f"public, max-age={_YEAR}, immutable", "x-content-type-options": "nosniff"}
    return Response(_CONTENT, headers=headers, media_type="text/css")
