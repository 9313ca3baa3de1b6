"""`a2ap export`: the graph as a Cypher script, Turtle, JSON-LD or log lines."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO

import httpx
import typer
from rich.progress import DownloadColumn, TextColumn

from a2ap.boundary import Boundary
from a2ap.client import UnreachableError, is_loopback
from graph.cli.errors import CommandError
from graph.cli.options import Data, Token, check_url, read_settings
from graph.cli.terminal import progress
from graph.export.format import ExportFormat
from graph.settings import Settings

_TIMEOUT = httpx.Timeout(60.0)  # seconds without a byte


def export_graph(
    format: Annotated[ExportFormat, typer.Option("--format", help="What to write.")] = ExportFormat.CYPHER,
    out: Annotated[Path | None, typer.Option("--out", help="The file to write; without it, standard output.")] = None,
    clearance: Annotated[
        Boundary,
        typer.Option("--clearance", help="For whom: quotes of sources of a higher class are left out. Not with --url."),
    ] = Boundary.PUBLIC,
    data: Data = None,
    url: Annotated[
        str | None, typer.Option("--url", help="Ask a running platform instead of opening its database.")
    ] = None,
    token: Token = None,
) -> None:
    """Export what was accepted.

    It is read from the database that the settings name, or, with --url, from a running platform as far as --token
    is cleared.
    """
    if url is not None and clearance is not Boundary.PUBLIC:
        raise CommandError("with --url it is the token that says what you may read, not --clearance")
    if url is not None:
        pieces = _fetched(check_url(url), token, format)
    else:
        pieces = _local(read_settings(data), format, clearance)
    with _writing(out) as file:
        asyncio.run(_write(pieces, file, show=out is not None))


async def _write(pieces: AsyncIterator[bytes], file: BinaryIO, *, show: bool) -> None:
    with progress(TextColumn("Exporting"), DownloadColumn()) as display:
        task = display.add_task("", total=None, visible=show)
        async for piece in pieces:
            file.write(piece)
            display.advance(task, len(piece))
        file.flush()


async def _local(settings: Settings, format: ExportFormat, clearance: Boundary) -> AsyncIterator[bytes]:
    # The driver takes a while to load, and most commands need no database.
    from graph.content.content_store import open_content_store
    from graph.export import export
    from graph.store import open_store

    if settings.neo4j_uri is None and not settings.data.is_dir():
        raise CommandError(f"there is no data folder {settings.data}")
    async with open_store(settings) as store:
        async for piece in export(store, open_content_store(settings), format, clearance):
            yield piece


async def _fetched(url: str, token: str | None, format: ExportFormat) -> AsyncIterator[bytes]:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    try:
        async with (
            httpx.AsyncClient(headers=headers, timeout=_TIMEOUT, trust_env=not is_loopback(url)) as client,
            client.stream("GET", f"{url}/export", params={"format": format.value}) as response,
        ):
            if not response.is_success:
                await response.aread()
                raise CommandError(f"{url} answered {response.status_code} {response.reason_phrase}")
            async for piece in response.aiter_bytes():
                yield piece
    except httpx.HTTPError as error:
        raise UnreachableError(f"{url} does not answer to the end: {_told(error)}") from error


def _told(error: httpx.HTTPError) -> str:
    if isinstance(error, httpx.TimeoutException):
        return "it takes too long"
    return "nothing listens there" if isinstance(error, httpx.ConnectError) else "the connection broke off"


@contextmanager
def _writing(out: Path | None) -> Iterator[BinaryIO]:
    """Yield where to write: a file appears under its name once it is whole."""
    if out is None:
        yield sys.stdout.buffer
        return
    part = out.with_name(f".{out.name}.part")
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)
