"""GET of the whole graph in one of the export formats, as far as the reader is cleared."""

from collections.abc import AsyncIterator

from fastapi import APIRouter
from starlette.responses import StreamingResponse

from graph.errors import InputError
from graph.export import ExportFormat, export
from graph.http.requests import PlatformOf, ReaderOf

router = APIRouter(tags=["exports"])


@router.get("/export", operation_id="export")
async def get_export(
    platform: PlatformOf, reader: ReaderOf, format: str = ExportFormat.CYPHER, size: int | None = None
) -> StreamingResponse:
    """Give the graph as `cypher`, `turtle`, `json-ld`, `log` or `graph-ndjson`.

    With `size`, the graph as of the first so many log entries. It is written as it grows.
    """
    chosen = _format(format)
    if size is not None and size < 0:
        raise InputError(f"size is {size}, not a number of log entries", "size")
    pieces = export(platform.store, platform.content, chosen, reader.clearance, size)
    # The first piece before the status: a store that is gone is an error and not an empty file.
    first = await anext(pieces, b"")

    async def rest() -> AsyncIterator[bytes]:
        yield first
        async for piece in pieces:
            yield piece

    headers = {
        "content-disposition": f'attachment; filename="a2ap{chosen.extension}"',
        "vary": "Authorization",
        "x-content-type-options": "nosniff",
    }
    return StreamingResponse(rest(), media_type=chosen.media_type, headers=headers)


def _format(name: str) -> ExportFormat:
    try:
        return ExportFormat(name)
    except ValueError as error:
        known = ", ".join(known.value for known in ExportFormat)
        raise InputError(f"format is {name!r}, not one of {known}", "format") from error
