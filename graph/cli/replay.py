"""`a2ap log replay`: the scores as they were at an earlier size of the log."""

import asyncio
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

from a2ap.messages.policy import ConsensusMethod
from graph.cli.options import AsJson, Data, read_settings
from graph.cli.rebuild import open_log
from graph.cli.terminal import print_json, progress, say
from graph.scoring.standing import grounds_of, interval_members, standing_of, standing_sentence
from graph.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from a2ap.log.entry import LogEntry
    from graph.past.replay import ReplayedScore, ReplayRequest


def replay(
    at: Annotated[int, typer.Option("--at", min=1, help="The size of the log, as a score names it.")],
    method: Annotated[
        ConsensusMethod | None, typer.Option("--method", help="Another method than that of the policy then in force.")
    ] = None,
    statement: Annotated[
        str | None, typer.Option("--statement", help="One statement, by its id or signed hash, instead of all.")
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option("--log", help="The log, as `a2ap log rebuild` takes it; without it, that of the platform here."),
    ] = None,
    objects: Annotated[
        Path | None, typer.Option("--objects", help="The data folder with the stored bytes of that log.")
    ] = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Work out scores again from the first entries of a log.

    The entries are written into an engine of its own, which is removed afterwards; the platform is not changed.
    """
    # The driver takes a while to load, and most commands need no database.
    from graph.past.replay import ReplayRequest

    settings = read_settings(data)
    request = ReplayRequest(at, method.value if method else None, statement, settings.engine_heap)
    found = asyncio.run(_replay(settings, request, log, objects))
    if as_json:
        print_json({"logSize": at, "scores": [_members(one) for one in found]})
        return
    for one in found:
        consensus = one.consensus
        grounds = grounds_of(consensus.interval, consensus.operators)
        standing = standing_of(one.kind, verified=consensus.verified)
        say(f"{one.statement_id}  {consensus.published} ({grounds})  {standing}")
    if found:
        consensus = found[0].consensus
        say(f"{consensus.method.value}, {at} log entries, policy {consensus.policy_hash}")


def _members(one: "ReplayedScore") -> dict[str, Any]:
    consensus = one.consensus
    return {
        "statement": one.statement_id,
        "signedHash": one.signed_hash,
        "score": consensus.published,
        "interval": interval_members(consensus.interval),
        "operators": consensus.operators,
        "claimKind": one.kind,
        "standing": standing_sentence(one.kind, verified=consensus.verified),
        "verified": consensus.verified,
        "method": consensus.method.value,
        "policyHash": consensus.policy_hash,
        "epoch": consensus.epoch,
    }


async def _replay(
    settings: Settings, request: "ReplayRequest", log: Path | None, objects: Path | None
) -> "list[ReplayedScore]":
    from graph.content.content_store import ContentStore, open_content_store
    from graph.content.object_folder import ObjectFolder
    from graph.past.replay import replay_scores

    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="a2ap-replay-")))
        content = ContentStore(ObjectFolder(objects), folder / "incoming") if objects else open_content_store(settings)
        entries = open_log(log)[1] if log is not None else await _entries_here(settings)
        display = stack.enter_context(progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()))
        task = display.add_task("Writing the graph again", total=request.size)
        written = replay_scores(
            request, entries, content, folder / "engine", lambda size: display.update(task, completed=size)
        )
        return [one async for one in written]


async def _entries_here(settings: Settings) -> "Callable[[], Iterable[LogEntry]]":
    """Read the platform's whole log: messages that were redacted later are redacted in a replay as well."""
    from graph.log.entry import entry_from_row
    from graph.store import open_store

    found: list[LogEntry] = []
    async with open_store(settings) as store:
        while rows := await store.read("log_entries_from", start=len(found), first=1000):
            found += [entry_from_row(row) for row in rows]
    return lambda: found
