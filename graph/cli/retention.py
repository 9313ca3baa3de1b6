"""`a2ap source expire`: erases the sources whose date has passed, as a serving platform does every hour."""

import asyncio

from graph.cli.options import AsJson, Data, read_settings
from graph.cli.terminal import print_json, say
from graph.settings import Settings


def retention(data: Data = None, as_json: AsJson = False) -> None:
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
