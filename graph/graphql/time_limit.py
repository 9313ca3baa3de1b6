"""The time limit of an operation: at its end, or when the client has disconnected, its database queries end with it."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import Request

from graph.database.running import RunningQueries
from graph.errors import OperationTimeoutError

T = TypeVar("T")


async def run_within(seconds: float, work: Coroutine[Any, Any, T], gone: Coroutine[Any, Any, None] | None = None) -> T:
    """Return the result of some work; raise `OperationTimeoutError` at the time limit, or once `gone` returns."""
    queries = RunningQueries(seconds)
    with queries.noting():
        working = asyncio.create_task(work)
    waiting: set[asyncio.Task[Any]] = {working}
    if gone is not None:
        waiting.add(asyncio.create_task(gone))
    try:
        done, _ = await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if working in done:
            return working.result()
        if done:
            raise OperationTimeoutError("the client has disconnected")
        raise OperationTimeoutError(f"the operation took longer than {seconds:g} seconds")
    finally:
        await queries.end([task for task in waiting if not task.done()])


async def until_gone(request: Request) -> None:
    """Return when the client has closed the connection of a request; the body must have been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
