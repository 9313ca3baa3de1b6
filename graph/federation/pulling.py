"""Pulls all peers again and again while a server runs."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graph.errors import GraphError
from graph.federation.agreements import list_agreements
from graph.federation.errors import PeerFaultError
from graph.federation.here import Here
from graph.federation.pull import pull

logger = logging.getLogger(__name__)


@asynccontextmanager
async def pulling(here: Here, interval: float) -> AsyncIterator[None]:
    """Pull every peer whenever `interval` seconds have passed since the last pulls, until this context is left."""
    task = asyncio.create_task(_pull_for_ever(here, interval), name="a2ap-pull")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def pull_all(here: Here) -> None:
    """Pull every peer that is not suspended, one after the other; errors of one peer are logged."""
    for agreement in await list_agreements(here.store):
        if agreement.suspended or agreement.url is None:
            continue
        try:
            report = await pull(here, agreement.origin)
        except PeerFaultError as fault:
            forked = " its log contradicts itself:" if fault.contradiction is not None else ""
            logger.error("%s is suspended:%s %s", agreement.origin, forked, fault)
        except GraphError as error:
            logger.warning("%s was not pulled to the end: %s", agreement.origin, error)
        except Exception:
            # A peer must not be able to end the pulls of those that come after it.
            logger.exception("%s was not pulled to the end", agreement.origin)
        else:
            if report.taken:
                logger.info("%s messages were taken from %s", report.taken, agreement.origin)
            if report.sources.fetched:
                logger.info("%s sources were fetched from %s", report.sources.fetched, agreement.origin)
            for name, reason in report.sources.problems.items():
                logger.info("%s is not fetched from %s: %s", name, agreement.origin, reason)


async def _pull_for_ever(here: Here, interval: float) -> None:
    while True:
        try:
            await pull_all(here)
        except GraphError as error:
            logger.warning("the peers cannot be listed: %s", error)
        except Exception:
            # The server goes on, and so do its pulls.
            logger.exception("the peers cannot be listed")
        await asyncio.sleep(interval)
