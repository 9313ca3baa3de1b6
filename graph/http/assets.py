"""Scripts and styles of the pages, from files that were built with the package: nothing is loaded from anywhere else.

`build_web.py` makes the files from npm, with a manifest that names the file of each entry.
"""

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from graph.errors import NotFoundError
from graph.http.compression import accepts_gzip, compress

router = APIRouter()

FOLDER = "assets"
MANIFEST = "manifest.json"

_MEDIA_TYPES: Mapping[str, str] = {
    "css": "text/css",
    "html": "text/html",
    "js": "text/javascript",
    "ttf": "font/ttf",
    "woff2": "font/woff2",
}
_COMPRESSED = {"css", "html", "js", "ttf"}
_NAME = re.compile(r"[A-Za-z0-9._-]{1,100}-[a-f0-9]{8}\.[a-z0-9]{2,5}")
_YEAR = 31_536_000  # seconds

LASTING_HEADERS: Mapping[str, str] = {
    "cache-control": f"public, max-age={_YEAR}, immutable",
    "vary": "Accept-Encoding",
    "x-content-type-options": "nosniff",
}
"""The headers of a file whose name changes with its content."""


@dataclass(frozen=True)
class Entry:
    """The files of one entry: its script, and the styles that come with it."""

    script: str
    styles: tuple[str, ...]


@router.get("/assets/{name}", include_in_schema=False)
async def asset(name: str, request: Request) -> Response:
    """Return one file; its name has a hash of its content."""
    kind = name.rpartition(".")[2]
    if kind not in _MEDIA_TYPES or not _NAME.fullmatch(name) or not (files("graph.http") / FOLDER / name).is_file():
        raise NotFoundError(f"there is no file {name!r} of the pages")
    headers = dict(LASTING_HEADERS)
    if kind in _COMPRESSED and accepts_gzip(request.headers.get("accept-encoding")):
        headers["content-encoding"] = "gzip"
        content = await asyncio.to_thread(_read_compressed, name)
    else:
        content = await asyncio.to_thread(_read, name)
    return Response(content, headers=headers, media_type=_MEDIA_TYPES[kind])


def _read(name: str) -> bytes:
    return (files("graph.http") / FOLDER / name).read_bytes()


@lru_cache(maxsize=256)
def _read_compressed(name: str) -> bytes:
    return compress(_read(name))


def built_entry(source: str) -> Entry | None:
    """Return the files of the entry made from this source of `web/`; None while nothing is built."""
    file = files("graph.http") / FOLDER / MANIFEST
    return read_entry(json.loads(file.read_text(encoding="utf-8")), source) if file.is_file() else None


def read_entry(manifest: Mapping[str, Any], source: str) -> Entry:
    """Return the files of an entry of Vite's manifest."""
    chunk = manifest[source]
    return Entry(chunk["file"], tuple(chunk.get("css", ())))
