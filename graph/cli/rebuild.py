"""`a2ap log rebuild`: the graph and its scores again, from the log and the stored bytes."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from graph.cli.errors import CommandError
from graph.cli.options import Data, read_settings
from graph.cli.terminal import progress, say
from graph.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from a2ap.log.entry import LogEntry
    from graph.content.content_store import ContentStore


def rebuild_graph(
    log: Annotated[
        Path,
        typer.Option("--log", help="The log: a file of `a2ap export --format log` or a folder of `a2ap log export`."),
    ],
    objects: Annotated[
        Path | None,
        typer.Option("--objects", help="The data folder with the stored bytes; without it, those of the new platform."),
    ] = None,
    data: Data = None,
) -> None:
    """Write a graph anew from its log.

    No check runs again, and the scores come out the same. The graph is that of --data, or the Neo4j of NEO4J_URI.
    The stored bytes are copied there. To serve it, the node's key has to be there as well: it is `node.key` in the
    data folder of the platform that wrote the log.
    """
    settings = read_settings(data)
    if objects is not None and not (objects / ".ctx" / "objects").is_dir():
        raise CommandError(f"{objects} has no stored bytes (.ctx/objects)")
    total, entries = open_log(log)
    size = asyncio.run(_rebuild(settings, entries, objects, total))
    say(f"{size} log entries are in the graph again")


async def _rebuild(
    settings: Settings, entries: "Callable[[], Iterator[LogEntry]]", objects: Path | None, total: int
) -> int:
    # The driver takes a while to load, and most commands need no database.
    from graph.content.content_store import ContentStore, open_content_store
    from graph.content.object_folder import ObjectFolder
    from graph.retention.standing import redacted_messages
    from graph.store import open_store
    from graph.submission.rebuild import rebuild

    content = open_content_store(settings)
    size = 0
    with progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()) as display:
        if objects is not None and objects.absolute() != settings.data:
            await _copy(ContentStore(ObjectFolder(objects), settings.data), content, display)
        task = display.add_task("Rebuilding the graph", total=total)
        async with open_store(settings) as store:
            redacted = await redacted_messages(content, entries())
            async for size in rebuild(store, content, entries(), redacted=redacted):
                display.update(task, completed=size)
    return size


def open_log(log: Path) -> "tuple[int, Callable[[], Iterator[LogEntry]]]":
    """Return the number of entries of a log in a file or a folder, and a function that reads them from the first on."""
    from graph.submission.rebuild import read_entries
    from graph.transparency.static_log import read_log_folder

    if log.is_dir():
        return read_log_folder(log)
    with log.open(encoding="utf-8") as lines:
        total = sum(1 for _ in lines)

    def entries() -> "Iterator[LogEntry]":
        with log.open(encoding="utf-8") as lines:
            yield from read_entries(lines)

    return total, entries


async def _copy(source: "ContentStore", target: "ContentStore", display: Progress) -> None:
    task = display.add_task("Copying the stored bytes", total=None)
    async for name in source.names():
        if not await target.has(name):
            await target.put_stream(source.stream(name), expected=name)
        display.advance(task)
