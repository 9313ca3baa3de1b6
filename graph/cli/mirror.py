"""`a2ap graph mirror`: a relational copy of the graph in PostgreSQL, kept current from the log."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from a2ap.boundary import Boundary
from a2ap.log.signed_note import VerifierKey
from graph.cli.errors import CommandError
from graph.cli.options import Clearance, Data, LogKey, Token, check_clearance, check_url, read_settings
from graph.cli.stop_signals import STOPPING
from graph.cli.terminal import remark, say
from graph.settings import Settings

if TYPE_CHECKING:
    from graph.mirror.original import Original
    from graph.mirror.step import Stepped

MOST_ENTRIES = 50_000


def mirror(
    to: Annotated[
        str,
        typer.Option(
            "--to",
            envvar="A2AP_MIRROR_URL",
            help="The database: postgresql://[user[:password]@]host[:port]/name.",
            show_default=False,
        ),
    ],
    schema: Annotated[str, typer.Option("--schema", help="The schema that the tables are in.")] = "a2ap",
    follow: Annotated[bool, typer.Option("--follow", help="Go on as the log grows, until Ctrl-C or SIGTERM.")] = False,
    every: Annotated[float, typer.Option("--every", min=0.1, help="With --follow: seconds between two looks.")] = 10.0,
    clear: Annotated[bool, typer.Option("--clear", help="Remove the tables first, and make them anew.")] = False,
    entries: Annotated[
        int, typer.Option("--entries", min=1, help="At most so many entries of the log in one transaction.")
    ] = MOST_ENTRIES,
    without_scores: Annotated[
        bool, typer.Option("--without-scores", help="Leave scores over time out: finding them has the log replayed.")
    ] = False,
    clearance: Clearance = Boundary.PUBLIC,
    log_key: LogKey = None,
    data: Data = None,
    url: Annotated[
        str | None, typer.Option("--url", help="Read a running platform instead of opening its database.")
    ] = None,
    token: Token = None,
) -> None:
    """Keep a relational copy of the graph in PostgreSQL.

    It goes on where it stopped, however it ended. It is for one log and one clearance: any others are refused.
    """
    check_clearance(clearance, url)
    if url is None and log_key is not None:
        raise CommandError("--log-key is for the log of --url: the one here is read, not believed")
    from graph.mirror.database import check_database_url

    check_database_url(to)
    address = check_url(url) if url is not None else None
    key = VerifierKey.parse(log_key) if log_key is not None else None
    settings = read_settings(data)
    wanted = _Wanted(to, schema, entries, every if follow else None, clear=clear, with_scores=not without_scores)
    asyncio.run(_mirror(wanted, lambda: _original(settings, address, token, key, clearance)))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The target and manner of the copy; `every` is None if the log is not followed."""

    to: str = field(repr=False)
    schema: str
    entries: int
    every: float | None
    clear: bool
    with_scores: bool


async def _mirror(wanted: _Wanted, open_original: "Callable[[], AbstractAsyncContextManager[Original]]") -> None:
    from graph.mirror.database import open_database
    from graph.mirror.following import catch_up, follow, waited
    from graph.mirror.state import prepare

    schema, entries = wanted.schema, wanted.entries
    async with open_database(wanted.to, schema) as connection, open_original() as original:
        await prepare(connection, schema, clear=wanted.clear)
        if wanted.every is None:
            state = await catch_up(connection, original, entries, _report, with_scores=wanted.with_scores)
            say(f"{schema} is of {state.log_size if state else 0:,} entries of the log")
            return
        stop = asyncio.Event()
        for number in STOPPING:
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        remark(f"mirroring into the schema {schema}; Ctrl-C ends it")
        wait = partial(waited, stop)
        await follow(connection, original, entries, wait, wanted.every, _report, with_scores=wanted.with_scores)


@asynccontextmanager
async def _original(
    settings: Settings, url: str | None, token: str | None, key: VerifierKey | None, clearance: Boundary
) -> "AsyncIterator[Original]":
    # The driver takes a while to load, and most commands need no database.
    from graph.content.content_store import open_content_store
    from graph.mirror.original import LocalOriginal, RemoteOriginal
    from graph.store import open_store

    if url is not None:
        yield RemoteOriginal(url, token, key)
        return
    _check_data(settings)
    async with (
        open_store(settings) as store,
        aclosing(LocalOriginal(store, open_content_store(settings), clearance, settings.engine_heap)) as original,
    ):
        yield original


def _check_data(settings: Settings) -> None:
    if settings.neo4j_uri is None and not Path(settings.data).is_dir():
        raise CommandError(f"there is no data folder {settings.data}")


def _report(stepped: "Stepped") -> None:
    remark(f"{stepped.rows:,} rows; the tables are of {stepped.state.log_size:,} entries of the log")
