"""Retries work after transient errors, and gives up on an engine that does not answer."""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from neo4j.exceptions import DriverError, Neo4jError

from graph.database.pulse import Pulse
from graph.database.store_errors import attempts_for, store_error
from graph.errors import GraphError, QueryTimeoutError, StoreError, StoreSilentError

T = TypeVar("T")

_log = logging.getLogger(__name__)

_FIRST_DELAY = 0.01  # seconds
_LONGEST_DELAY = 1.0  # seconds
_GRACE = 10.0  # seconds between the engine giving up and us giving up on the engine


async def retried(what: str, work: Callable[[], Awaitable[T]]) -> T:
    """Return the result of `work`, repeated until it succeeds; each error has its own maximum number of attempts.

    Raises a StoreError.
    """
    attempt = 0
    while True:
        try:
            return await work()
        except (DriverError, Neo4jError, StoreError) as error:
            failure: GraphError = error if isinstance(error, StoreError) else store_error(error, what)
            attempt += 1
            if attempt >= attempts_for(failure):
                raise failure from (failure.__cause__ or error)
            delay = random.uniform(0, min(_LONGEST_DELAY, _FIRST_DELAY * 2**attempt))
            _log.debug("%s is tried again in %.3f s: %s", what, delay, failure)
        await asyncio.sleep(delay)


@asynccontextmanager
async def time_limit(what: str, seconds: float, pulse: Pulse) -> AsyncIterator[None]:
    """Raise QueryTimeoutError in a block that takes longer: the engine gives up by itself, unless it is gone.

    Raises StoreSilentError as soon as the database no longer answers at all.
    """
    silent = False

    async def listen() -> None:
        nonlocal silent
        while await pulse.waits_and_answers():
            pass
        silent = True
        limit.reschedule(asyncio.get_running_loop().time())

    listening: asyncio.Task[None] | None = None

    def begin() -> None:
        nonlocal listening
        listening = asyncio.create_task(listen())

    beginning = asyncio.get_running_loop().call_later(pulse.delay, begin)
    try:
        async with asyncio.timeout(seconds + _GRACE) as limit:
            yield
    except TimeoutError as error:
        if not limit.expired():
            raise
        if silent:
            raise StoreSilentError(f"{what}: the graph database does not answer") from error
        raise QueryTimeoutError(f"{what} was not answered within {seconds:g} seconds") from error
    finally:
        beginning.cancel()
        if listening is not None:
            listening.cancel()
