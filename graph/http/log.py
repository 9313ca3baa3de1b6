"""GET of the log in the layout of C2SP tlog-tiles: checkpoint, tiles and entry bundles, below the prefix `/log`.

Beside them, `/log/{index}` gives the receipt of an entry, as the answer to a submission has it.

Tiles and bundles never change and may be cached for ever; of the checkpoint there is always a newer one. Nothing here
is confidential: entries are hashes and names (docs/reference/log.md).
"""

import asyncio
import gzip

from fastapi import APIRouter, Request
from starlette.responses import Response

from a2ap.canonical import sha256_digest
from a2ap.errors import LogFormatError
from a2ap.log.tiles import Tile, parse_tile_path
from graph.errors import NotFoundError
from graph.http.answers import SAFE_HEADERS, is_known, receipt_members, write_members
from graph.http.requests import PlatformOf
from graph.log.entry import Receipt, entry_from_row

_FOR_EVER = {"cache-control": "public, max-age=31536000, immutable", **SAFE_HEADERS}
_COMPRESSION = 6
_LAST = 2**53 - 1  # the largest log index

router = APIRouter(tags=["log"])


@router.head("/log/checkpoint", include_in_schema=False)
@router.get("/log/checkpoint", operation_id="get_checkpoint")
async def get_checkpoint(request: Request, platform: PlatformOf) -> Response:
    """Give the newest checkpoint, a signed note; it covers the entries that other servers of this graph wrote."""
    await platform.log.refresh()
    content = platform.log.checkpoint_note.encode()
    tag = f'"{sha256_digest(content)}"'
    headers = {"etag": tag, "cache-control": "no-cache", **SAFE_HEADERS}
    if is_known(request, tag):
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type="text/plain; charset=utf-8")


@router.head("/log/tile/{path:path}", include_in_schema=False)
@router.get("/log/tile/{path:path}", operation_id="get_tile")
async def get_tile(path: str, request: Request, platform: PlatformOf) -> Response:
    """Give a tile `<L>/<N>[.p/<W>]`, or an entry bundle `entries/<N>[.p/<W>]`, of a tree that was signed."""
    tile, log = _read_path(f"tile/{path}"), platform.log
    if tile.level is not None:
        content = await log.tile(tile.level, tile.index, tile.width)
        return Response(content, headers=_FOR_EVER, media_type="application/octet-stream")
    content = await log.entry_bundle(tile.index, tile.width)
    headers = {**_FOR_EVER, "vary": "Accept-Encoding"}
    if _takes_gzip(request):
        # The time in the header of gzip would make the same bundle other bytes each time.
        content = await asyncio.to_thread(gzip.compress, content, _COMPRESSION, mtime=0)
        headers["content-encoding"] = "gzip"
    return Response(content, headers=headers, media_type="application/octet-stream")


@router.head("/log/{index:int}", include_in_schema=False)
@router.get("/log/{index:int}", operation_id="get_receipt")
async def get_receipt(index: int, platform: PlatformOf) -> Response:
    """Give the receipt of an entry: its leaf, and the proof that the log has it under the newest checkpoint."""
    rows = await platform.store.read("log_entries_at", places=[index]) if index <= _LAST else []
    if not rows:
        raise NotFoundError(f"no log entry {index} is here")
    receipt = Receipt(entry_from_row(dict(rows[0])), created=False)
    content = write_members(await receipt_members(receipt, platform.log))
    headers = {"cache-control": "no-cache", "vary": "Accept", **SAFE_HEADERS}
    return Response(content, headers=headers, media_type="application/json")


def _read_path(path: str) -> Tile:
    try:
        return parse_tile_path(path)
    except LogFormatError as error:
        raise NotFoundError(str(error)) from error


def _takes_gzip(request: Request) -> bool:
    for part in request.headers.get("accept-encoding", "").lower().split(","):
        coding, _, weight = part.partition(";")
        if coding.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
