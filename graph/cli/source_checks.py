"""`a2ap source recheck` and `expire`: the checks and erasures of sources that a serving platform makes by itself."""

import asyncio
from typing import Annotated

import typer

from graph.cli.options import AsJson, Data, read_settings
from graph.cli.terminal import print_json, remark, say
from graph.evidence.recheck_place import RecheckPlace
from graph.settings import Settings

_EVERY = 100


def recheck(
    start: Annotated[
        bool, typer.Option("--from-start", help="Begin with the first source, wherever it was stopped before.")
    ] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Read every source, and check its citations again.

    Each is compared with its hash. A verdict is added if the machine's finding differs from the last one: evidence that
    is gone has decayed. It may be stopped, and goes on where it was; it may run beside a server.
    """
    counted = asyncio.run(_recheck(read_settings(data), start))
    if as_json:
        print_json(counted)
        return
    say(f"{counted['sources']} sources, {counted['lost']} lost, {counted['found']} found again")
    say(f"{counted['verdicts']} verdicts changed")


async def _recheck(settings: Settings, start: bool) -> dict[str, int]:
    # The driver takes a while to load, and most commands need no database.
    from graph.platform import open_platform
    from graph.submission.source_recheck import recheck_sources

    place = RecheckPlace(settings.data)
    after = "" if start else place.read()
    if after:
        remark(f"after {after}, where it was stopped")
    counted = {"sources": 0, "lost": 0, "found": 0, "verdicts": 0}
    async with open_platform(settings) as platform:
        async for one in recheck_sources(platform.store, platform.content, platform.sources, after=after):
            counted["sources"] += 1
            counted["lost"] += one.was_held and not one.held
            counted["found"] += one.held and not one.was_held
            counted["verdicts"] += one.verdicts
            if counted["sources"] % _EVERY == 0 or one.held != one.was_held:
                place.write(one.document_hash)
    place.clear()
    return counted


def expire(data: Data = None, as_json: AsJson = False) -> None:
    """Erase the sources that may be kept no longer.

    Each erasure is an entry of the log, signed by the node. A platform that serves does this by itself.
    """
    erased = asyncio.run(_apply(read_settings(data)))
    if as_json:
        print_json({"erased": [{"documentHash": name, "redaction": by} for name, by in erased]})
        return
    for name, by in erased:
        say(f"{name} is erased, by {by}")
    if not erased:
        say("no source is due")


async def _apply(settings: Settings) -> list[tuple[str, str]]:
    # The driver takes a while to load, and most commands need no database.
    from graph.platform import open_platform, utc_now
    from graph.services.retention_job import apply_retention

    async with open_platform(settings) as platform:
        receipts = await apply_retention(platform, utc_now())
        rows = await platform.store.read(
            "redactions_by_message", hashes=[receipt.entry.signed_hash for receipt in receipts]
        )
        return [(row["document_hash"], row["redaction_id"]) for row in rows]
