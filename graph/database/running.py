"""The queries of one operation that are running in the database; they end with it.

A loader's query runs in a task of its own, which is not cancelled with the operations that wait for it: so each read
records its task here. Neo4j ends the query of a closed connection. The embedded engine would run it until its own time
limit, and gets a command to end it: it identifies a query by its connection.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import httpx
from neo4j import AsyncSession

from graph.database.endpoint import Endpoint, http_client
from graph.errors import OperationTimeoutError

_log = logging.getLogger(__name__)
_current: ContextVar[RunningQueries | None] = ContextVar("running_queries", default=None)

_LEAST = 0.001  # seconds; 0 is no limit at all for Neo4j
_PATIENCE = 5.0  # seconds for the engine to answer that it ends a query


class RunningQueries:
    """The reads of one operation, which end after `seconds`, in any tasks."""

    def __init__(self, seconds: float | None = None) -> None:
        self._until = None if seconds is None else asyncio.get_running_loop().time() + seconds
        self._reads: dict[asyncio.Task[Any], tuple[AsyncSession, Endpoint]] = {}
        self._ended = False

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Record the reads made in this block, and in the tasks created in it."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)

    @property
    def seconds_left(self) -> float | None:
        """The seconds left to the operation; None without a limit."""
        return None if self._until is None else self._until - asyncio.get_running_loop().time()

    async def end(self, tasks: Collection[asyncio.Task[Any]] = ()) -> None:
        """Cancel these tasks and every running read, wait for them, and make the engine end their queries."""
        self._ended = True
        embedded = [
            (endpoint, port) for session, endpoint in self._reads.values() if (port := _port(session, endpoint))
        ]
        cancelled = {*tasks, *self._reads}
        for task in cancelled:
            task.cancel()
        if cancelled:
            await asyncio.wait(cancelled)
        for endpoint in {endpoint for endpoint, _ in embedded}:
            await _terminate(endpoint, {port for one, port in embedded if one == endpoint})


@contextmanager
def noted(session: AsyncSession, endpoint: Endpoint) -> Iterator[None]:
    """Record that the current task reads over a session, for its operation, if any."""
    running, task = _current.get(), asyncio.current_task()
    if running is None or task is None:
        yield
        return
    check_running()
    running._reads[task] = (session, endpoint)
    try:
        yield
    finally:
        running._reads.pop(task, None)


def check_running() -> None:
    """Raise `OperationTimeoutError` if the current operation is over, also in a thread that works for it."""
    running = _current.get()
    if running is not None and running._ended:
        raise OperationTimeoutError("the operation is over")


def seconds_for(timeout: float) -> float:
    """Return the time limit of a read: its own, or the time left to its operation if that is less."""
    running = _current.get()
    left = running.seconds_left if running is not None else None
    return timeout if left is None else max(min(timeout, left), _LEAST)


def _port(session: AsyncSession, endpoint: Endpoint) -> int | None:
    if endpoint.http_url is None:
        return None
    # The driver says nowhere else over which connection a query runs.
    port = getattr(getattr(session, "_connection", None), "local_port", None)
    return port if isinstance(port, int) else None


async def _terminate(endpoint: Endpoint, ports: Collection[int]) -> None:
    """Make the embedded engine end the queries of connections from these ports."""
    try:
        async with http_client(endpoint, _PATIENCE) as client:
            answer = await client.post("/api/v1/server", json={"command": f"list queries database {endpoint.database}"})
            for query in answer.raise_for_status().json()["result"]:
                if _is_from(query, ports):
                    command = {"command": f"terminate query {query['id']}", "wait": 0}
                    (await client.post("/api/v1/server", json=command)).raise_for_status()
    except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
        _log.warning("the engine was not told to end a query, which its own time limit ends: %r", error)


def _is_from(query: dict[str, Any], ports: Collection[int]) -> bool:
    address = str(query.get("clientAddress") or "")
    return any(address.endswith(f":{port}") for port in ports)
