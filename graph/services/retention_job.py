"""Enforces the dates until which sources may be kept: after them the node erases the source, and logs that."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime

from a2ap.errors import A2APError
from a2ap.messages.redaction import build_source_redaction
from a2ap.times import format_instant
from graph.errors import ConflictError, GraphError, RedactedError
from graph.keys.signing_aside import signed_aside
from graph.log.entry import Receipt
from graph.platform import Platform
from graph.retention.erasing import finish_erasing
from graph.submission.submission import Submission

logger = logging.getLogger(__name__)

REASON = "retention"
INTERVAL = 3600.0
"""Seconds between two checks of the dates."""

_PAGE = 100

Sleep = Callable[[float], Awaitable[None]]


async def apply_retention(platform: Platform, now: datetime) -> list[Receipt]:
    """Erase every source whose date has passed at `now`; return the receipts of the redactions.

    Another server may do the same at once: its redaction has the same id, and one of the two is enough. A refused
    redaction does not stop the others; it is tried again the next time.
    """
    receipts: list[Receipt] = []
    after = ""
    while due := await platform.store.read("documents_due", now=format_instant(now), after=after, first=_PAGE):
        after = due[-1]["document_hash"]
        for row in due:
            try:
                receipt = await _erase(platform, row["document_hash"], row["retain_until"], now)
            except (A2APError, GraphError) as error:
                logger.error("%s is not erased, though its date has come: %s", row["document_hash"], error)
                continue
            if receipt is not None:
                receipts.append(receipt)
    return receipts


@asynccontextmanager
async def keeping(
    platform: Platform, clock: Callable[[], datetime], *, interval: float = INTERVAL, sleep: Sleep = asyncio.sleep
) -> AsyncIterator[None]:
    """Enforce the dates while the platform serves: now, and then every `interval` seconds."""
    task = asyncio.create_task(_keep(platform, clock, interval, sleep), name="a2ap-retention")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _keep(platform: Platform, clock: Callable[[], datetime], interval: float, sleep: Sleep) -> None:
    while True:
        try:
            await apply_retention(platform, clock())
            # A source that another server could not erase is erased here.
            await finish_erasing(platform.store, platform.content)
            # A body that a process that died was sending is not kept for ever either.
            await platform.content.tidy()
        except GraphError as error:
            logger.error("the dates of sources could not be kept to: %s", error)
        except Exception:
            # The dates go on: a disk that is full for a while must not end them.
            logger.exception("the dates of sources could not be kept to")
        await sleep(interval)


async def _erase(platform: Platform, document_hash: str, retain_until: datetime, now: datetime) -> Receipt | None:
    node = platform.node
    message = build_source_redaction(
        redaction_id=node.derived_id(f"retention|{document_hash}"),
        redacted_at=now,
        redacting_agent=node.agent_id,
        document_hash=document_hash,
        reason=f"{REASON}: it could be kept until {format_instant(retain_until)}",
    )
    (outcome,) = await platform.append([Submission(await signed_aside(node.key, lambda: node.sign(message)))])
    if isinstance(outcome, ConflictError | RedactedError):
        return None
    if isinstance(outcome, Exception):
        raise outcome
    logger.info("%s is erased: it could be kept until %s", document_hash, format_instant(retain_until))
    return outcome
