"""Keeps a mirror current: step after step up to the end of the log, and, if it follows, as the log grows."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from a2ap.client import UnreachableError
from graph.errors import StoreError
from graph.mirror.database import told
from graph.mirror.original import Original
from graph.mirror.state import MirrorState, read_state
from graph.mirror.step import Stepped, check_head, take_step

if TYPE_CHECKING:
    from graph.mirror.database import Connection

_log = logging.getLogger(__name__)

Report = Callable[[Stepped], None]

_PAUSE = 5.0  # seconds before a node that did not answer is asked again


async def catch_up(
    connection: "Connection",
    original: Original,
    entries: int,
    report: Report = lambda stepped: None,
    *,
    with_scores: bool = True,
) -> MirrorState | None:
    """Take steps of up to `entries` entries until the mirror has the log as of the start; return its state.

    Raises `MirrorError`; earlier steps stay written.
    """
    with told():
        state = await read_state(connection)
    head = await original.head()
    check_head(state, head)
    while head.size and not _is_current(state, head.size):
        size = min((state.log_size if state else 0) + entries, head.size)
        stepped = await take_step(connection, original, state, head, size, with_scores=with_scores)
        is_read_again = state is not None and state.log_size == size
        state = stepped.state
        report(stepped)
        if is_read_again:
            break
    return state


async def follow(
    connection: "Connection",
    original: Original,
    entries: int,
    wait: Callable[[float], Awaitable[bool]],
    every: float,
    report: Report,
    *,
    with_scores: bool = True,
) -> None:
    """Catch up again and again, until `wait`, called with a number of seconds, returns true."""
    is_enough = False
    while not is_enough:
        pause = every
        try:
            await catch_up(connection, original, entries, report, with_scores=with_scores)
        except (UnreachableError, StoreError) as error:
            _log.warning("the log is not read now: %s", error)
            pause = max(every, _PAUSE)
        is_enough = await wait(pause)


async def waited(stop: asyncio.Event, seconds: float) -> bool:
    """Wait for so many seconds, or until `stop` is set; return whether it is set."""
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return False
    return True


def _is_current(state: MirrorState | None, size: int) -> bool:
    return state is not None and state.log_size == size and state.settled
