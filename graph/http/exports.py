"""GET of the graph, of a selection or of its changes, in an export format, as far as the reader is cleared."""

import secrets
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, aclosing
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import StreamingResponse

from a2ap.times import parse_instant
from graph.errors import InputError
from graph.export import FORMATS, ExportFormat, Selection, Wanted, open_reader
from graph.export.archive import MEDIA_TYPE, exported_bytes
from graph.export.pieces import NAME, check_format
from graph.export.pseudonyms import KEY_BYTES
from graph.http.requests import IN_EXPORT_PLACE, PlatformOf, ReaderOf

router = APIRouter(tags=["exports"])


def _selection(
    query: str | None = None,
    agent: Annotated[list[str] | None, Query()] = None,
    statement: Annotated[list[str] | None, Query()] = None,
    received_from: Annotated[str | None, Query(alias="from")] = None,
    received_until: Annotated[str | None, Query(alias="until")] = None,
    first_entry: Annotated[int | None, Query(alias="firstEntry")] = None,
    end_entry: Annotated[int | None, Query(alias="endEntry")] = None,
    source: str | None = None,
    verified: bool | None = None,
) -> Selection:
    return Selection(
        topic=query,
        agents=tuple(agent or ()),
        statements=tuple(statement or ()),
        received_from=parse_instant(received_from, "from") if received_from else None,
        received_until=parse_instant(received_until, "until") if received_until else None,
        entries_from=first_entry,
        entries_until=end_entry,
        source=source,
        verified=verified,
    )


@router.get("/export", operation_id="export", dependencies=[IN_EXPORT_PLACE])
async def get_export(
    platform: PlatformOf,
    reader: ReaderOf,
    selection: Annotated[Selection, Depends(_selection)],
    format: str = ExportFormat.CYPHER,
    size: int | None = None,
    since: int = 0,
    pseudonymize: bool = False,
    checked: bool = False,
    archive: bool = False,
    after: int = 0,
) -> StreamingResponse:
    """Give the graph in a format of `a2ap export`, written as it grows.

    With `size`, the graph as of the first `size` log entries; with `since`, the changes from that size on. `query`,
    `agent`, `statement`, `source`, `verified`, `from`, `until`, `firstEntry` and `endEntry` select statements, with all
    that belongs to them.
    With `checked`, the triples of an RDF format are compared with the JSON-LD expansion of each message, and the export
    breaks off if they differ. With `archive`, and for formats of several files, a ZIP archive whose last file is the
    signed manifest. `after` leaves out that many bytes, which the caller has of an earlier response of the same `size`.
    """
    chosen = _format(format)
    if after < 0 or (after and (size is None or pseudonymize)):
        raise InputError("the rest of an earlier answer is requested with its size, and without pseudonyms", "after")
    key = secrets.token_bytes(KEY_BYTES) if pseudonymize else None
    wanted = Wanted(reader.clearance, size, selection, since, key, checked)
    check_format(chosen, wanted)
    is_archive = archive or FORMATS[chosen].is_several
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(
            open_reader(platform.store, platform.content, wanted, node=platform.node)
        )
        pieces = exported_bytes(opened, chosen, wanted, whole=is_archive)
        # The first piece before the status: a store that is gone is an error and not an empty file.
        first = await anext(pieces, b"")
        # Whoever reads the answer closes the reading of it.
        kept = stack.pop_all()
    headers = {
        "content-disposition": f'attachment; filename="{NAME}{".zip" if is_archive else FORMATS[chosen].extension}"',
        "vary": "Authorization",
        "x-content-type-options": "nosniff",
        "a2ap-log-size": str(opened.size),
    }
    media_type = MEDIA_TYPE if is_archive else FORMATS[chosen].media_type
    return StreamingResponse(_rest(first, pieces, after, kept), media_type=media_type, headers=headers)


async def _rest(
    first: bytes, pieces: AsyncGenerator[bytes, None], after: int, kept: AsyncExitStack
) -> AsyncIterator[bytes]:
    """Yield the pieces without the first `after` bytes."""
    async with kept, aclosing(pieces):
        yield first[after:]
        left = max(after - len(first), 0)
        async for piece in pieces:
            yield piece[left:]
            left = max(left - len(piece), 0)


def _format(name: str) -> ExportFormat:
    try:
        return ExportFormat(name)
    except ValueError as error:
        known = ", ".join(known.value for known in ExportFormat)
        raise InputError(f"format is {name!r}, not one of {known}", "format") from error
